"""Compares `biela eval` with MuJoCo at random states of MJCF trees, a loop in motion with MuJoCo's stiff limit, and round trips.

usage: compare_with_mujoco.py BIELA TREE.xml LOOP.xml
"""
import json
import os
import re
import subprocess
import sys
import tempfile

import mujoco
import numpy as np

# Rounding of sums over some tens of bodies, relative to the largest entry of each result.
AGREEMENT = 1e-9
STATES = 5
# Of the loop's largest angle, at the stiffest equality tried: what is left falls with its time constant.
LIMIT = 1e-6
FREE, BALL, SLIDE, HINGE = 0, 1, 2, 3


def plain(model):
    """Only the dynamics of the tree: no contacts, limits, springs, dampers or motors."""
    flags = mujoco.mjtDisableBit
    for name in ("mjDSBL_CONSTRAINT", "mjDSBL_PASSIVE", "mjDSBL_SPRING", "mjDSBL_DAMPER", "mjDSBL_ACTUATION"):
        model.opt.disableflags |= int(getattr(flags, name, 0))


def name_of(model, kind, k):
    return mujoco.mj_id2name(model, kind, k) or ""


def columns(model, joints):
    """For each joint of theirs: our columns of q and v with their places in qpos and qvel."""
    q, v = [], []
    for j in range(model.njnt):
        ours, at, dof = joints[j], model.jnt_qposadr[j], model.jnt_dofadr[j]
        kind = model.jnt_type[j]
        if kind in (HINGE, SLIDE):
            q.append((f"{ours}", at))
            v.append((f"{ours}", dof))
            continue
        if kind == FREE:
            q += [(f"{ours}.{c}", at + i) for i, c in enumerate("xyz")]
            v += [(f"{ours}.v{c}", dof + i) for i, c in enumerate("xyz")]
            at, dof = at + 3, dof + 3
        q += [(f"{ours}.e{i}", at + i) for i in range(4)]
        v += [(f"{ours}.w{c}", dof + i) for i, c in enumerate("xyz")]
    return q, v


def evaluate(biela, model, path, q, v, states, folder):
    table, out = os.path.join(folder, "states.csv"), os.path.join(folder, "out.json")
    with open(table, "w") as f:
        f.write(",".join([f"q.{n}" for n, _ in q] + [f"{l}.{n}" for l in "va" for n, _ in v]) + "\n")
        for qpos, qvel, qacc in states:
            qpos = attitudes(model, qpos)
            row = [qpos[k] for _, k in q] + [qvel[k] for _, k in v] + [qacc[k] for _, k in v]
            f.write(",".join(repr(float(x)) for x in row) + "\n")
    subprocess.run([biela, "eval", path, "--states", table, "--quantities", "rnea,crba,fk", "-o", out], check=True,
                   stderr=subprocess.DEVNULL)
    return json.load(open(out))


def attitudes(model, qpos):
    """Ball joints: ours is the attitude in the parent's axes, theirs counts from the body as it is written."""
    qpos = qpos.copy()
    for j in np.flatnonzero(model.jnt_type == BALL):
        at, found = model.jnt_qposadr[j], np.zeros(4)
        mujoco.mju_mulQuat(found, model.body_quat[model.jnt_bodyid[j]], qpos[at:at + 4].copy())
        qpos[at:at + 4] = found
    return qpos


def random_states(model, count=STATES):
    rng = np.random.default_rng(7)
    states = []
    for _ in range(count):
        qpos, qvel, qacc = (rng.uniform(-1, 1, n) for n in (model.nq, model.nv, model.nv))
        for j in range(model.njnt):
            at = model.jnt_qposadr[j] + (3 if model.jnt_type[j] == FREE else 0)
            if model.jnt_type[j] in (FREE, BALL):
                qpos[at:at + 4] /= np.linalg.norm(qpos[at:at + 4])
        states.append((qpos, qvel, qacc))
    return states


def full_matrix(model, data):
    M = np.zeros((model.nv, model.nv))
    try:
        mujoco.mj_fullM(model, M, data.qM)
    except (TypeError, AttributeError):
        mujoco.mj_fullM(model, data, M)
    return M


def compare(biela, path):
    model = mujoco.MjModel.from_xml_path(path)
    data = mujoco.MjData(model)
    plain(model)
    # Names as the reader gives them where there are none.
    bodies = [name_of(model, mujoco.mjtObj.mjOBJ_BODY, k) or f"body{k}" for k in range(model.nbody)]
    joints = []
    for j in range(model.njnt):
        body = model.jnt_bodyid[j]
        n = j - model.body_jntadr[body] + 1
        other = f"{bodies[body]}_joint" + (str(n) if n > 1 else "")
        joint = re.sub(r"[^A-Za-z0-9_.]", "_", name_of(model, mujoco.mjtObj.mjOBJ_JOINT, j) or other)
        joints.append(f"_{joint}" if joint[:1].isdigit() else joint)
    q, v = columns(model, joints)
    states = random_states(model)
    with tempfile.TemporaryDirectory() as folder:
        found = evaluate(biela, model, path, q, v, states, folder)
    # Our order of velocities: by joint, angular before linear for free ones.
    place = {}
    at = 0
    for name in found["joints"]:
        mine = [(n, k) for n, k in v if n == name or n.startswith(name + ".")]
        mine.sort(key=lambda c: (c[0].rsplit(".", 1)[-1][:1] == "v", c[1]))
        for n, k in mine:
            place[k] = at
            at += 1
    order = [place[k] for k in range(model.nv)]
    worst = {}

    def note(what, ours, theirs):
        size = max(np.max(np.abs(theirs), initial=0.0), 1e-300)
        worst[what] = max(worst.get(what, 0.0), float(np.max(np.abs(ours - theirs), initial=0.0) / size))

    for (qpos, qvel, qacc), ours in zip(states, found["states"]):
        data.qpos[:], data.qvel[:], data.qacc[:] = qpos, qvel, qacc
        mujoco.mj_forward(model, data)
        note("crba", np.array(ours["crba"])[np.ix_(order, order)], full_matrix(model, data))
        for k in range(1, model.nbody):
            note("place", np.array(ours["fk"][bodies[k]]["p"]), data.xpos[k])
            note("attitude", np.array(ours["fk"][bodies[k]]["R"]).ravel(), data.xmat[k])
        data.qacc[:] = qacc
        mujoco.mj_inverse(model, data)
        note("rnea", np.array(ours["rnea"])[order], data.qfrc_inverse)
    bad = {k: x for k, x in worst.items() if not x < AGREEMENT}
    print(f"{os.path.basename(path)}: {model.nv} freedoms, {STATES} states, largest difference {max(worst.values()):.1e}"
          + (f", too large: {bad}" if bad else ""))
    return not bad


def loop(biela, path, joint, end=0.5):
    """A loop in motion under gravity against MuJoCo's equality, the stiffer the nearer: each halving of its time constant must bring it nearer."""
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "out.csv")
        subprocess.run([biela, "run", path, "--analysis", "dynamics", "--end", str(end), "--steps", "50", "--signals", f"{joint}.angle", "-o", out],
                       check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        ours = np.loadtxt(out, delimiter=",", skiprows=1)[:, 1]
    ours = np.unwrap(ours) - ours[0]
    off = []
    for constant in (4e-3, 2e-3, 1e-3):
        model = mujoco.MjModel.from_xml_path(path)
        model.opt.timestep, model.opt.integrator = constant / 20, mujoco.mjtIntegrator.mjINT_RK4
        model.opt.tolerance = 0
        model.eq_solref[:] = [constant, 1]
        model.eq_solimp[:] = [0.9999, 0.9999, 0.001, 0.5, 1]
        data = mujoco.MjData(model)
        at = model.jnt_qposadr[mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_JOINT, joint)]
        start, theirs = data.qpos[at], [0.0]
        per_sample = round(end / 50 / model.opt.timestep)
        for _ in range(50):
            for _ in range(per_sample):
                mujoco.mj_step(model, data)
            theirs.append(data.qpos[at] - start)
        off.append(float(np.max(np.abs(ours - theirs)) / np.max(np.abs(ours))))
    nearer = off[2] < off[1] < off[0] and off[2] < LIMIT
    print(f"{os.path.basename(path)}: in motion, off by {', '.join(f'{x:.1e}' for x in off)} as MuJoCo's loop gets stiffer" + ("" if nearer else ": too far"))
    return nearer


def main():
    biela, tree, closed = sys.argv[1:]
    good = compare(biela, tree)
    with tempfile.TemporaryDirectory() as folder:
        again = os.path.join(folder, "again.xml")
        for path in (tree, closed):
            subprocess.run([biela, "convert", path, "-o", again], check=True, stderr=subprocess.DEVNULL)
            if path == tree:
                good &= compare(biela, again)
            else:
                good &= loop(biela, again, "A")
    good &= loop(biela, closed, "A")
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
