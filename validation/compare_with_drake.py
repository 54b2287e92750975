"""A loop in motion, read from URDF and from the SDF that `biela convert` writes of it, held against Drake's equations of its tree.

Drake reads the same files without the joint that closes the loop. At every sample of biela's motion its mass matrix, gravity, velocity terms and
the Jacobian of the closing points give the accelerations of the closed mechanism (by Lagrange multipliers), and the gap between the points.

usage: compare_with_drake.py BIELA LOOP.urdf
"""
import csv
import os
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml

import numpy as np
from pydrake.all import JacobianWrtVariable, MultibodyPlant, Parser, RigidTransform

# Rounding of an elimination over some ten equations, relative to the largest acceleration; the run's own tolerance plays no part in it.
AGREEMENT = 1e-9
# Of the largest length in it: how far the run lets a loop open.
GAP = 1e-9
GRAVITY = [0.0, 0.0, -9.81]


def motion(biela, path, folder):
    out = os.path.join(folder, "out.csv")
    gravity = ",".join(map(str, GRAVITY))
    command = [biela, "run", path, "--analysis", "dynamics", "--gravity", gravity, "--end", "1", "--steps", "40", "-q", "-o", out]
    subprocess.run(command, check=True, capture_output=True)
    with open(out) as f:
        rows = list(csv.reader(line for line in f if not line.startswith("#")))
    names = [name.split(" [")[0] for name in rows[0]]
    return [dict(zip(names, map(float, row))) for row in rows[1:]]


def tree(path):
    """The text of the file without what closes the loop."""
    text = open(path).read()
    if path.endswith(".urdf"):
        return re.sub(r"<loop .*?</loop>", "", text, flags=re.S), "urdf"
    return re.sub(r'<joint name="C".*?</joint>', "", text, flags=re.S), "sdf"


def compare(biela, path, ends, folder):
    plant = MultibodyPlant(time_step=0.0)
    text, kind = tree(path)
    Parser(plant).AddModelsFromString(text, kind)
    if kind == "urdf":
        plant.WeldFrames(plant.world_frame(), plant.GetBodyByName("base").body_frame(), RigidTransform())
    plant.mutable_gravity_field().set_gravity_vector(GRAVITY)
    plant.Finalize()
    context = plant.CreateDefaultContext()
    joints = {name: plant.GetJointByName(name) for name in ("A", "B1", "B2", "D")}
    gap = difference = 0.0
    for row in motion(biela, path, folder):
        q, v, a = (np.zeros(plant.num_velocities()) for _ in range(3))
        for name, joint in joints.items():
            k = joint.velocity_start()
            q[k], v[k], a[k] = row[f"{name}.angle"], row[f"{name}.angle.rate"], row[f"{name}.angle.accel"]
        plant.SetPositions(context, q)
        plant.SetVelocities(context, v)
        M = plant.CalcMassMatrix(context)
        forces = plant.CalcGravityGeneralizedForces(context) - plant.CalcBiasTerm(context)
        world = plant.world_frame()
        place, J, bias = np.zeros(3), np.zeros((3, len(v))), np.zeros(3)
        for sign, (link, point) in zip((1.0, -1.0), ends):
            frame = plant.GetBodyByName(link).body_frame()
            of = (context, JacobianWrtVariable.kV, frame, point, world, world)
            place += sign * plant.CalcPointsPositions(context, frame, point, world).ravel()
            J += sign * plant.CalcJacobianTranslationalVelocity(*of)
            bias += sign * plant.CalcBiasTranslationalAcceleration(*of).ravel()
        system = np.block([[M, J.T], [J, np.zeros((3, 3))]])
        wanted = np.linalg.solve(system, np.concatenate([forces, -bias]))[: len(v)]
        gap = max(gap, np.abs(place).max())
        difference = max(difference, np.abs(wanted - a).max() / max(1.0, np.abs(wanted).max()))
    print(f"{os.path.basename(path)}: gap {gap:.1e} m, accelerations {difference:.1e} of the largest")
    assert gap <= GAP and difference <= AGREEMENT, "they differ"


def main():
    biela, path = sys.argv[1:]
    loop = xml.parse(path).find("loop")
    ends = []
    for tag in ("predecessor", "successor"):
        end = loop.find(tag)
        ends.append((end.get("link"), np.array([float(x) for x in end.find("origin").get("xyz").split()])))
    with tempfile.TemporaryDirectory() as folder:
        compare(biela, path, ends, folder)
        sdf = os.path.join(folder, "loop.sdf")
        subprocess.run([biela, "convert", path, "-o", sdf], check=True, capture_output=True)
        compare(biela, sdf, ends, folder)


main()
