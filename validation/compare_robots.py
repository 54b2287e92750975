"""Opens every URDF of the collection example-robot-data and compares what Pinocchio opens with `biela eval` at random states.

usage: compare_robots.py BIELA [PART_OF_A_NAME ...]
"""
import glob
import json
import os
import subprocess
import sys
import tempfile
from xml.etree import ElementTree

import numpy as np
import pinocchio as pin

# Rounding of sums over some tens of bodies, relative to the largest entry of each result.
AGREEMENT = 1e-9
STATES = 4
# What becomes of a file without options: it is checked, and written as TOML that is read again.
PLAIN = ("check", "convert")


def collection():
    """Every URDF of the collection."""
    for folder in [p for p in sys.path if p] + list(pin.__path__):
        for up in ("", "..", "../..", "../../..", "../../../.."):
            for share in ("share", "cmeel.prefix/share"):
                found = sorted(glob.glob(os.path.join(folder, up, share, "example-robot-data/robots/**/*.urdf"), recursive=True))
                if found:
                    return [os.path.normpath(path) for path in found]
    sys.exit("the collection is not installed")


def opened(path):
    """Pinocchio's model, in which joints that mimic others move on their own; None where it opens none."""
    try:
        return pin.buildModelFromUrdf(path)
    except (RuntimeError, ValueError):
        return None


def ties(path, joints):
    """G and c of v = G u, q = G u + c for the joints that follow no other: their names, and both."""
    mimics = {}
    for joint in ElementTree.parse(path).getroot().iter("joint"):
        mimic, name = joint.find("mimic"), joint.get("name")
        if mimic is not None and name in joints and mimic.get("joint") in joints:
            mimics[name] = (mimic.get("joint"), float(mimic.get("multiplier", 1)), float(mimic.get("offset", 0)))
    free = [name for name in joints if name not in mimics]
    G, c = np.zeros((len(joints), len(free))), np.zeros(len(joints))
    for k, name in enumerate(joints):
        ratio, offset = 1.0, 0.0
        while name in mimics:
            name, multiplier, shift = mimics[name]
            ratio, offset = ratio * multiplier, offset + ratio * shift
        G[k, free.index(name)], c[k] = ratio, offset
    return free, G, c


def compare(biela, path, model):
    """The largest difference of each quantity, relative to its size."""
    data, worst = model.createData(), {}
    names = [model.names[k] for k in sorted(range(1, model.njoints), key=lambda k: model.joints[k].idx_v)]
    places = [model.joints[model.getJointId(name)] for name in names]
    assert len(names) == model.nv, f"{path}: joints of several freedoms are not compared"
    free, G, c = ties(path, names)
    rng = np.random.default_rng(11)
    states = [[rng.uniform(-1, 1, len(free)) for _ in "qva"] for _ in range(STATES)]
    with tempfile.TemporaryDirectory() as folder:
        table, out = os.path.join(folder, "states.csv"), os.path.join(folder, "out.json")
        with open(table, "w") as f:
            f.write(",".join(["t"] + [f"{letter}.{name}" for letter in "qva" for name in free]) + "\n")
            for k, state in enumerate(states):
                f.write(",".join([str(k)] + [repr(float(x)) for part in state for x in part]) + "\n")
        subprocess.run([biela, "eval", path, "--gravity", "0,0,-9.81", "--states", table, "--quantities", "fk,rnea,crba",
                        "-o", out], check=True, capture_output=True, text=True)
        found = json.load(open(out))
    order = [found["joints"].index(name) for name in free]

    def note(what, ours, theirs, size=None):
        size = max(np.max(np.abs(theirs), initial=0.0) if size is None else size, 1e-300)
        worst[what] = max(worst.get(what, 0.0), float(np.max(np.abs(ours - theirs), initial=0.0) / size))

    for (u, du, ddu), ours in zip(states, found["states"]):
        q = pin.neutral(model)
        for joint, angle in zip(places, G @ u + c):
            q[joint.idx_q:joint.idx_q + joint.nq] = [angle] if joint.nq == 1 else [np.cos(angle), np.sin(angle)]
        if free:
            note("rnea", np.array(ours["rnea"])[order], G.T @ pin.rnea(model, data, q, G @ du, G @ ddu))
            M = pin.crba(model, data, q)
            M = np.triu(M) + np.triu(M, 1).T
            note("crba", np.array(ours["crba"])[np.ix_(order, order)], G.T @ M @ G)
        pin.framesForwardKinematics(model, data, q)
        links = [(f.name, data.oMf[k]) for k, f in enumerate(model.frames)
                 if f.type == pin.FrameType.BODY and f.name in ours["fk"]]
        reach = max([np.max(np.abs(X.translation)) for _, X in links] + [1.0])
        for name, X in links:
            note("fk", np.array(ours["fk"][name]["p"]), X.translation, reach)
            note("fk", np.array(ours["fk"][name]["R"]), X.rotation)
        # The root is our ground, and a link that is called as the ground is has another name.
        missed = set(ours["fk"]) - {name for name, _ in links}
        assert len(missed) <= 2, f"{path}: links {missed} are not compared"
    return worst


def main():
    biela, parts = sys.argv[1], sys.argv[2:]
    files = [path for path in collection() if not parts or any(part in path for part in parts)]
    bad, count, largest = [], 0, {}
    for path in files:
        name = path.split("robots/", 1)[-1]
        model = opened(path)
        if model is None:
            print(f"{name}: not opened by Pinocchio")
            continue
        count += 1
        try:
            for command in PLAIN:
                subprocess.run([biela, command, path], check=True, capture_output=True, text=True)
            worst = compare(biela, path, model)
        except subprocess.CalledProcessError as error:
            bad.append(name)
            print(f"{name}: biela {error.cmd[1]}: {error.stderr.strip()[-300:]}")
            continue
        except AssertionError as error:
            bad.append(name)
            print(error)
            continue
        for what, x in worst.items():
            largest[what] = max(largest.get(what, 0.0), x)
        if not all(x < AGREEMENT for x in worst.values()):
            bad.append(name)
            print(f"{name}: differs: {worst}")
    print(f"{count - len(bad)} of {len(files)} files open and agree ({count} are opened by Pinocchio), {STATES} states each, largest "
          + ", ".join(f"{what} {x:.1e}" for what, x in sorted(largest.items())))
    sys.exit(1 if bad or not count else 0)


main()
