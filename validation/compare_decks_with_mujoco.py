"""Moves random mechanisms written as Adams decks, and as MJCF by what the public manual says of every statement, and compares where they come to.

usage: compare_decks_with_mujoco.py BIELA

Chains of joints of every kind between parts with Euler angles, inertias about any marker, springs between points, and free parts with initial velocities,
in grams and centimetres. Both start from one description here; nothing of the one program goes to the other.
"""
import csv
import os
import subprocess
import sys
import tempfile

import mujoco
import numpy as np

CHAINS, PARTS, END = 20, 4, 0.25
# Tolerance 1e-8 of the one integration, steps of 1/5000 s of the other; metres.
AGREEMENT = 1e-6
LENGTH, MASS = 1e-2, 1e-3
# What is between two frames: the word of the deck, and joints of MuJoCo with the axis of the joint's frame; universal ones have one axis of each part.
KINDS = {
    "REVOLUTE": [("hinge", 2)],
    "TRANSLATIONAL": [("slide", 2)],
    "CYLINDRICAL": [("slide", 2), ("hinge", 2)],
    "PLANAR": [("slide", 0), ("slide", 1), ("hinge", 2)],
    "SPHERICAL": [("ball", None)],
    "HOOKE": [("hinge", 1), ("hinge", 0)],
    "free": [("free", None)],
}


def about(k, a):
    c, s = np.cos(a), np.sin(a)
    R = np.eye(3)
    i, j = (k + 1) % 3, (k + 2) % 3
    R[i, i], R[j, j], R[i, j], R[j, i] = c, c, -s, s
    return R


def euler(a):
    return about(2, a[0]) @ about(0, a[1]) @ about(2, a[2])


def commas(v):
    return ",".join(f"{x:.15g}" for x in v)


def spaces(v):
    return " ".join(f"{x:.17g}" for x in np.ravel(v))


def quaternion(R):
    q = np.zeros(4)
    mujoco.mju_mat2Quat(q, R.flatten())
    return q


def inertia(random, mass):
    """About the centre of mass, in g cm^2, of a body that can be."""
    turned, _ = np.linalg.qr(random.normal(size=(3, 3)))
    return turned @ np.diag(random.uniform(1, 1.5, 3) * mass * 9) @ turned.T


def part(random, number, lines):
    """A part with its mass, in the words of the deck; its pose, and its mass for MuJoCo."""
    place, turned = random.uniform(-20, 20, 3), random.uniform(-3, 3, 3)
    mass, centre, own = random.uniform(500, 1500), random.uniform(-5, 5, 3), random.uniform(-3, 3, 3)
    about_centre = inertia(random, mass)
    line = f"PART/{number},QG={commas(place)},REULER={commas(turned)},MASS={mass:.15g},CM={number}01"
    tensor, axes = about_centre, euler(own)
    if random.random() < 0.5:
        other, own_other = random.uniform(-5, 5, 3), random.uniform(-3, 3, 3)
        r = centre - other
        tensor, axes = about_centre + mass * (r @ r * np.eye(3) - np.outer(r, r)), euler(own_other)
        line += f",IM={number}02"
        lines.append(f"MARKER/{number}02,PART={number},QP={commas(other)},REULER={commas(own_other)}")
    tensor = axes.T @ tensor @ axes
    # Products of inertia are integrals of xy, whose negatives stand in the matrix.
    entries = [*np.diag(tensor), -tensor[0, 1], -tensor[0, 2], -tensor[1, 2]]
    lines.append(f"MARKER/{number}01,PART={number},QP={commas(centre)},REULER={commas(own)}")
    scaled = about_centre * MASS * LENGTH**2
    full = [*np.diag(scaled), scaled[0, 1], scaled[0, 2], scaled[1, 2]]
    body = f'<inertial pos="{spaces(centre * LENGTH)}" mass="{mass * MASS:.17g}" fullinertia="{spaces(full)}"/>'
    return line + f",IP={commas(entries)}", body, (euler(turned), place * LENGTH), centre * LENGTH, euler(own)


def marker(number, of, pose, R, at):
    """A marker at a place with axes, by points on its axes."""
    turned, place = pose
    own = [turned.T @ (p - place) / LENGTH for p in (at, at + 0.1 * R[:, 2], at + 0.1 * R[:, 0] + 0.03 * R[:, 2])]
    return f"MARKER/{number},PART={of},QP={commas(own[0])},ZP={commas(own[1])},XP={commas(own[2])}"


def mechanism(random):
    """A deck, the same as MJCF, initial velocities of a free part as MuJoCo has them, and the numbers of the parts."""
    lines, bodies, start = ["a random mechanism", "UNITS/FORCE=NEWTON,MASS=GRAM,LENGTH=CENTIMETER,TIME=SECOND", "PART/1,GROUND"], "", []
    carrier, pose = 1, (np.eye(3), np.zeros(3))
    # One that is free stands alone: a deck does not say how others begin that it carries.
    parts = 1 if random.random() < 0.2 else PARTS
    for number in range(2, 2 + parts):
        kind = "free" if parts == 1 else random.choice(list(KINDS)[:-1])
        text, inertial, own, centre, axes = part(random, number, lines)
        R, at = euler(random.uniform(-3, 3, 3)), own[1] + random.uniform(-0.1, 0.1, 3)
        joints = ""
        for name, k in KINDS[kind]:
            axis = "" if k is None else f'axis="{spaces(own[0].T @ R[:, k])}"'
            position = "" if name == "free" else f'pos="{spaces(own[0].T @ (at - own[1]))}"'
            joints += f'<joint type="{name}" {axis} {position}/>'
        if kind == "free":
            v, w = random.uniform(-50, 50, 3), random.uniform(-3, 3, 3)
            text += "".join(f",V{c}={x:.15g}" for c, x in zip("XYZ", v)) + "".join(f",W{c}={x:.15g}" for c, x in zip("XYZ", w))
            # Of the deck's the first are those of the mass centre, the others about the axes of CM; MuJoCo's those of the frame, in its own axes.
            turning = axes @ w
            start = [v * LENGTH - np.cross(own[0] @ turning, own[0] @ centre), turning]
        else:
            lines += [marker(f"{number}10", carrier, pose, R, at), marker(f"{number}11", number, own, R, at)]
            lines.append(f"JOINT/{number},{kind},I={number}11,J={number}10")
        lines.append(text)
        local = (pose[0].T @ own[0], pose[0].T @ (own[1] - pose[1]))
        bodies += f'<body name="b{number}" pos="{spaces(local[1])}" quat="{spaces(quaternion(local[0]))}">{joints}{inertial}'
        bodies += f'<site name="s{number}" pos="0.03 -0.02 0.01"/>'
        lines.append(f"MARKER/{number}20,PART={number},QP=3,-2,1")
        carrier, pose = number, own
    lines += ["MARKER/1,PART=1", f"SPRINGDAMPER/1,TRANS,I={carrier}20,J=1,K=1.5,C=0.02,LENGTH=10,FORCE=0.5"]
    lines += ["ACCGRAV/IGRAV=100,JGRAV=-500,KGRAV=-800", "END"]
    # A preload pushes the points apart as a longer spring does.
    spring = f'stiffness="150" damping="2" springlength="{0.1 + 0.5 / 150}"'
    tendon = f'<tendon><spatial {spring}><site site="s{carrier}"/><site site="s0"/></spatial></tendon>'
    xml = (
        '<mujoco><compiler angle="radian"/><option gravity="1 -5 -8" timestep="0.0002" integrator="RK4"><flag contact="disable"/></option>'
        f'<worldbody><site name="s0"/>{bodies}{"</body>" * parts}</worldbody>{tendon}</mujoco>'
    )
    return "\n".join(lines), xml, start, range(2, 2 + parts)


def main(biela):
    random, worst = np.random.default_rng(20), 0.0
    with tempfile.TemporaryDirectory() as folder:
        path, table = os.path.join(folder, "deck.adm"), os.path.join(folder, "out.csv")
        for chain in range(CHAINS):
            deck, xml, start, parts = mechanism(random)
            with open(path, "w") as f:
                f.write(deck)
            command = [biela, "run", path, "--analysis", "dynamics", "--end", str(END), "--steps", "1", "-o", table]
            done = subprocess.run(command, capture_output=True, text=True)
            if done.returncode:
                sys.exit(f"chain {chain}: {done.stderr}\n{deck}")
            rows = list(csv.reader(open(table)))
            names, last = [c.split(" ")[0] for c in rows[0]], np.array(rows[-1], float)
            model = mujoco.MjModel.from_xml_string(xml)
            data = mujoco.MjData(model)
            if start:
                data.qvel[:6] = np.concatenate(start)
            for _ in range(round(END / model.opt.timestep)):
                mujoco.mj_step(model, data)
            for number in parts:
                ours = np.array([last[names.index(f"PART_{number}.{c}")] for c in "xyz"])
                worst = max(worst, abs(ours - data.body(f"b{number}").xpos).max())
            if not worst < AGREEMENT:
                sys.exit(f"chain {chain} is {worst:.1e} m apart\n{deck}")
    print(f"{CHAINS} Adams decks move as MuJoCo's models: largest distance {worst:.1e} m")


if __name__ == "__main__":
    main(sys.argv[1])
