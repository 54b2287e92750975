"""Opens published MJCF models as they stand, and compares with MuJoCo at random states those that are trees.

usage: compare_published.py BIELA FOLDER

Every model with a body that MuJoCo opens must open here; mass matrix, inverse dynamics and kinematics of trees must agree. What this program tells
that it leaves out (armatures of free and ball joints, armatures of tendons, meshes without a file) is not compared.
"""
import contextlib
import io
import os
import subprocess
import sys

import mujoco

import compare_with_mujoco as mj

# MuJoCo keeps corners of meshes in single precision.
WITH_MESHES = 1e-6
LEFT_OUT = ("of a ball or free joint", "a mesh without a file", "a geom of type", "armature of a tendon", "flexcomp", "composite", "attach")


def models(folder):
    for place, _, files in sorted(os.walk(folder)):
        for name in sorted(files):
            path = os.path.join(place, name)
            if name.endswith(".xml") and "<mujoco" in open(path, encoding="utf-8", errors="ignore").read():
                yield path


def look(biela, path):
    """What became of a file, and what is to be said of it."""
    try:
        model = mujoco.MjModel.from_xml_path(path)
    except ValueError:
        return "not a model of its own", None
    if model.nbody < 2:
        return "without bodies", None
    opened = subprocess.run([biela, "convert", path], capture_output=True, text=True)
    if opened.returncode != 0:
        return "REFUSED", opened.stderr.strip().splitlines()[:1]
    # A body called as the ground has another name here.
    if model.neq or model.nv == 0 or mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_BODY, "ground") >= 0 or any(word in opened.stderr for word in LEFT_OUT):
        return "opened", None
    said = io.StringIO()
    mj.AGREEMENT = WITH_MESHES if model.nmesh else 1e-9
    with contextlib.redirect_stdout(said):
        good = mj.compare(biela, path)
    return ("compared", None) if good else ("DIFFERS", said.getvalue().strip())


def main():
    biela, folder = sys.argv[1:]
    counts, bad = {}, False
    for path in models(folder):
        what, why = look(biela, path)
        package = os.path.relpath(path, folder).split(os.sep)[0]
        counts.setdefault(package, {}).setdefault(what, 0)
        counts[package][what] += 1
        if what.isupper():
            bad = True
            print(f"{what}: {path}: {why}")
    for package, found in counts.items():
        print(f"{package}: " + ", ".join(f"{n} {what}" for what, n in sorted(found.items())))
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
