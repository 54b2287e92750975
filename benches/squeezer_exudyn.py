#!/usr/bin/env python3
"""Andrews' squeezing mechanism by Exudyn: processor time at a given error of the angles at t = 0.03 s.

usage: squeezer_exudyn.py [ERROR]

Implicit solvers of Exudyn (those that take constraints), steps shortened until the error is reached; the cheapest run that reaches it is told as one line of JSON.
"""
import json
import math
import sys
import time
import warnings

warnings.simplefilter("ignore")  # names that later versions of the library will spell otherwise
import exudyn as exu
import exudyn.itemInterface as items
from exudyn.utilities import *  # noqa: F401,F403 the library's own way

END = 0.03
EXACT = dict(beta=15.81077119629904, theta=-15.75637105984298, gamma=0.04082224013073101, phi=-0.5347301163226948,
             delta=0.5244099658805304, omega=0.5347301163226948, epsilon=1.048080741042263)
START = dict(beta=-0.06171389001427645, theta=0.0, gamma=0.45527981916307038, phi=0.22266839016588588,
             delta=0.48736497954384255, omega=-0.22266839016588588, epsilon=1.230547444549821)


def absolute(a):
    """Angles of the seven bodies."""
    return [a["beta"], a["beta"] + a["theta"], a["gamma"], a["phi"] + a["delta"], a["delta"], a["omega"] + a["epsilon"], a["epsilon"]]


def build():
    system = exu.SystemContainer()
    mbs = system.AddSystem()
    a, b = [-0.06934, -0.00227], [-0.03635, 0.03273]
    angles = absolute(START)
    tip = [0.007 * math.cos(angles[0]), 0.007 * math.sin(angles[0])]
    e = [a[0] + 0.04 * math.cos(angles[4]), a[1] + 0.04 * math.sin(angles[4])]
    h = [a[0] + 0.04 * math.sin(angles[6]), a[1] - 0.04 * math.cos(angles[6])]
    mass = [0.04325, 0.00365, 0.02373, 0.00706, 0.07050, 0.00706, 0.05498]
    inertia = [2.194e-6, 4.410e-7, 5.255e-6, 5.667e-7, 1.169e-5, 5.667e-7, 1.912e-5]
    com = [[0.00092, 0], [-0.0115, 0], [0.01043, -0.01874], [0, -(0.02 - 0.01421)], [0.02308, 0.00916], [0.02 - 0.01421, 0], [-0.00449, -0.01228]]
    origin = [[0, 0], tip, b, e, a, h, a]
    bodies, nodes = [mbs.AddObject(items.ObjectGround())], []
    for k in range(7):
        c, s = math.cos(angles[k]), math.sin(angles[k])
        at = [origin[k][0] + c * com[k][0] - s * com[k][1], origin[k][1] + s * com[k][0] + c * com[k][1]]
        nodes.append(mbs.AddNode(items.NodeRigidBody2D(referenceCoordinates=[at[0], at[1], angles[k]])))
        bodies.append(mbs.AddObject(items.ObjectRigidBody2D(physicsMass=mass[k], physicsInertia=inertia[k], nodeNumber=nodes[k])))

    def marker(body, point):
        """A point given from the frame's origin; bodies of Exudyn have theirs at the mass centre."""
        c = com[body - 1] if body > 0 else [0, 0]
        return mbs.AddMarker(items.MarkerBodyRigid(bodyNumber=bodies[body], localPosition=[point[0] - c[0], point[1] - c[1], 0]))

    def point(body, at):
        c = com[body - 1] if body > 0 else [0, 0]
        return mbs.AddMarker(items.MarkerBodyPosition(bodyNumber=bodies[body], localPosition=[at[0] - c[0], at[1] - c[1], 0]))

    zero = [0, 0]
    for first, second, p, q in [
            (0, 1, zero, zero), (1, 2, [0.007, 0], zero), (0, 3, b, zero), (0, 5, a, zero), (0, 7, a, zero), (5, 4, [0.04, 0], zero),
            (7, 6, [0, -0.04], zero), (2, 3, [-0.028, 0], [0, -0.035]), (2, 4, [-0.028, 0], [0, -0.02]), (2, 6, [-0.028, 0], [0.02, 0])]:
        mbs.AddObject(items.ObjectJointRevolute2D(markerNumbers=[point(first, p), point(second, q)]))
    mbs.AddObject(items.ObjectConnectorSpringDamper(
        markerNumbers=[point(3, [0.02, -0.018]), point(0, [0.014, 0.072])], referenceLength=0.07785, stiffness=4530, damping=0))
    mbs.AddLoad(items.LoadTorqueVector(markerNumber=marker(1, zero), loadVector=[0, 0, 0.033]))
    mbs.Assemble()
    return mbs, nodes


def run(step, solver):
    mbs, nodes = build()
    settings = exu.SimulationSettings()
    settings.timeIntegration.numberOfSteps = round(END / step)
    settings.timeIntegration.endTime = END
    settings.solutionSettings.writeSolutionToFile = False
    settings.timeIntegration.verboseMode = 0
    settings.timeIntegration.newton.useModifiedNewton = True
    # Positions are constrained by generalised-alpha, velocities by the implicit trapezoidal rule.
    settings.timeIntegration.generalizedAlpha.spectralRadius = 0.9
    settings.timeIntegration.generalizedAlpha.useIndex2Constraints = solver == "trapezoidal"
    settings.timeIntegration.generalizedAlpha.useNewmark = solver == "trapezoidal"
    start = time.process_time()
    mbs.SolveDynamic(settings)
    seconds = time.process_time() - start
    error = 0.0
    for node, exact, first in zip(nodes, absolute(EXACT), absolute(START)):
        angle = mbs.GetNodeOutput(node, exu.OutputVariableType.Coordinates)[2]
        # Coordinates are counted from the reference, where the node stands at the start.
        off = angle + first - exact
        error = max(error, abs(math.atan2(math.sin(off), math.cos(off))))
    return seconds, error


def main():
    allowed = float(sys.argv[1]) if len(sys.argv) > 1 else 1e-5
    best = None
    for solver in ["generalised alpha", "trapezoidal"]:
        step = 1e-5
        while step > 1e-8:
            seconds, error = run(step, solver)
            if error <= allowed:
                seconds = min([seconds] + [run(step, solver)[0] for _ in range(2)])
                if best is None or seconds < best["seconds"]:
                    best = dict(library="exudyn", version=exu.GetVersionString(), solver=solver, step=step, error=error, seconds=round(seconds, 5))
                break
            step *= 0.85
    print(json.dumps(best))


if __name__ == "__main__":
    main()
