#!/usr/bin/env python3
"""Three machines with impacts and dry friction beside MuJoCo and Exudyn: processor time at equal error, and ratios: of biela the whole command, of the others the steps alone.

usage: contacts.py --python PYTHON [--error E] [--rounds 3] [--only WORD] [--grow]

  ball      a ball of 1 kg falls 1 m and bounces with a restitution of 0.8, for 2 s; against its closed form
  brake     a block on a spring rubs on its guide, swings ten times from side to side and sticks, 5 s; against its closed form
  pendulum  a double pendulum falls against an elastic stop of its upper joint, 2 s; against equations written out here and impacts by hand, by
            Runge-Kutta steps of order 4 halved until ten digits stay

The error is the largest of the position at five samples (m; of the pendulum the angles in rad): 1e-2 of the
ball, 1e-5 of the brake, 2e-2 of the pendulum, unless told. Of each program the settings that reach it in the
least time are sought first: of biela the tolerance; of MuJoCo integrator, step, stiffness of contact; of Exudyn solver, step, stiffness (of friction
the slip in which it comes up). Stiffness stands for rigidity there, and damping for restitution, chosen so that one impact has it. Then all are run in
turn, and the least time of each is told. PYTHON has mujoco and exudyn; a peer that is missing is left out, and said.

Programs must be built: cargo build --release --workspace --bin biela
With --grow how time grows with the number of contacts, in its place: spheres on a plate, and ratchets in a row.
"""
import argparse
import csv
import json
import math
import os
import resource
import subprocess
import sys
import tempfile
import time
import warnings

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TARGET = os.path.join(ROOT, "target", "release")
G = 9.81
SAMPLES = 5
ENDS = dict(ball=2.0, brake=5.0, pendulum=2.0)
RESTITUTION = 0.8
STOP = -2.0
# Errors at which they are compared, m or rad.
ERRORS = dict(ball=1e-2, brake=1e-5, pendulum=2e-2)

MODELS = dict(
    ball=f"""
planar = true
gravity = [0, -{G}]
bodies.ground = {{ shape = {{ type = "plane", normal = [0, 1] }} }}
bodies.ball = {{ mass = 1, inertia = 0.004, shape = {{ type = "circle", radius = 0.1 }}, pose = {{ at = [0, 1.1] }} }}
contacts.floor = {{ bodies = ["ground", "ball"], restitution = {RESTITUTION} }}
""",
    brake=f"""
planar = true
gravity = [0, -{G}]
bodies.block = {{ mass = 1, inertia = 0.01 }}
joints.guide = {{ type = "prismatic", bodies = ["ground", "block"], at = [[0, 0], [0, 0]], axis = [1, 0], friction = {{ coefficient = 0.1 }} }}
forces.spring = {{ type = "joint-spring", joint = "guide", stiffness = 100, rest = 0 }}
initial = {{ "guide.slide" = 0.2 }}
""",
    pendulum=f"""
planar = true
gravity = [0, -{G}]
bodies.upper = {{ mass = 1, com = [0.5, 0], inertia = {1 / 12} }}
bodies.lower = {{ mass = 1, com = [0.5, 0], inertia = {1 / 12} }}
joints.A = {{ type = "revolute", bodies = ["ground", "upper"], at = [[0, 0], [0, 0]], limits = {{ lower = {STOP}, upper = 9, stop = "hard", restitution = 1 }} }}
joints.B = {{ type = "revolute", bodies = ["upper", "lower"], at = [[1, 0], [0, 0]] }}
initial = {{ "A.angle" = 0, "B.angle" = 0 }}
""")
COLUMNS = dict(ball=["ball.y"], brake=["guide.slide"], pendulum=["A.angle", "B.angle"])


# The answers.
def ball(t):
    """Height of the middle over that at rest."""
    fall = math.sqrt(2 / G)
    if t < fall:
        return 1 - G * t * t / 2
    t, v = t - fall, RESTITUTION * G * fall
    while t > 2 * v / G:
        t, v = t - 2 * v / G, v * RESTITUTION
    return v * t - G * t * t / 2


def brake(t):
    """Half swings of amplitudes that fall by twice the slack, until the spring no longer pulls more than friction holds."""
    slack, amplitude, half = 0.1 * G / 100, 0.2, math.pi / 10
    middle = slack
    while abs(amplitude) > slack and t > half:
        amplitude = 2 * middle - amplitude
        t, middle = t - half, math.copysign(slack, amplitude)
    return middle + (amplitude - middle) * math.cos(10 * t) if abs(amplitude) > slack else amplitude


def double(y):
    """Rates of (a, b, ȧ, ḃ): the angle of the upper bar from the horizontal, and that of the lower one from the upper one. And the mass matrix."""
    a, b, u, w = y
    c, s = math.cos(b), math.sin(b)
    m11, m12, m22 = 5 / 3 + c, 1 / 3 + c / 2, 1 / 3
    g2 = G * math.cos(a + b) / 2
    h1 = s * (u * w + w * w / 2) - 1.5 * G * math.cos(a) - g2
    h2 = -s * u * u / 2 - g2
    d = m11 * m22 - m12 * m12
    return (u, w, (m22 * h1 - m12 * h2) / d, (m11 * h2 - m12 * h1) / d), m12 / m22


def pendulum(h):
    """Angles at the samples, by steps of about h, with every impact located by bisection of a step."""
    def step(y, h):
        k1 = double(y)[0]
        k2 = double([x + h / 2 * k for x, k in zip(y, k1)])[0]
        k3 = double([x + h / 2 * k for x, k in zip(y, k2)])[0]
        k4 = double([x + h * k for x, k in zip(y, k3)])[0]
        return [x + h / 6 * (p + 2 * q + 2 * r + s) for x, p, q, r, s in zip(y, k1, k2, k3, k4)]

    y, found, each = [0.0] * 4, [], ENDS["pendulum"] / SAMPLES
    for _ in range(SAMPLES):
        left = each
        while left > 1e-15:
            go = min(h, left)
            new = step(y, go)
            if new[0] < STOP and y[2] < 0:
                low, high = 0.0, go
                for _ in range(60):
                    go = (low + high) / 2
                    low, high = (low, go) if step(y, go)[0] < STOP else (go, high)
                new = step(y, go)
                # The stop's impulse turns the upper rate round; the lower joint bears none: m12 Δu + m22 Δw = 0.
                change = -2 * new[2]
                new[2], new[3] = new[2] + change, new[3] - double(new)[1] * change
            y, left = new, left - go
        found.append(y[:2])
    return found


def answers(name):
    times = [ENDS[name] * (k + 1) / SAMPLES for k in range(SAMPLES)]
    if name == "pendulum":
        h, last = 1e-3, pendulum(1e-3)
        while True:
            h, now = h / 2, pendulum(h / 2)
            if max(abs(p - q) for x, y in zip(last, now) for p, q in zip(x, y)) < 1e-10:
                return now
            last = now
    return [[dict(ball=ball, brake=brake)[name](t)] for t in times]


def off(found, exact):
    worst = max(abs(p - q) for x, y in zip(found, exact) for p, q in zip(x, y))
    return worst if worst == worst else math.inf


# biela.
def used(model, folder, rounds=1):
    """Least processor time of the whole command over a text, and the samples of its columns."""
    file, out = os.path.join(folder, "model.toml"), os.path.join(folder, "out.csv")
    with open(file, "w") as f:
        f.write(model)
    least = math.inf
    for _ in range(rounds):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([os.path.join(TARGET, "biela"), "run", file, "-o", out, "--quiet"], check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        least = min(least, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    with open(out) as f:
        head, *rows = csv.reader(f)
    return least, {name.split(" ")[0]: [row[k] for row in rows] for k, name in enumerate(head)}


def biela(name, tolerance, folder):
    """Seconds, and positions at the samples: a run with as many samples as are compared."""
    head = f'name = "{name}"\nrun = {{ analysis = "dynamics", end = {ENDS[name]}, steps = {SAMPLES}, tolerance = {tolerance} }}\n'
    seconds, columns = used(head + MODELS[name], folder)
    rest = 0.1 if name == "ball" else 0.0
    return seconds, [[float(x) - rest for x in row] for row in zip(*(columns[c][1:] for c in COLUMNS[name]))]


# What a unilateral spring and damper of unit mass give back: the damping ratio for a restitution.
def damping_ratio(e):
    def back(z):
        w = math.sqrt(1 - z * z)
        # It parts where spring and damper together no longer press.
        t = (math.pi - math.atan2(2 * z * w, 1 - 2 * z * z)) / w if 1 - 2 * z * z > 0 else math.atan2(2 * z * w, 2 * z * z - 1) / w
        return math.exp(-z * t) * abs(math.cos(w * t) - z / w * math.sin(w * t))
    low, high = 0.0, 0.99
    for _ in range(100):
        z = (low + high) / 2
        low, high = (z, high) if back(z) > e else (low, z)
    return low


def mujoco_peer(name, way):
    import mujoco
    integrator, k, h = way
    b = 2 * damping_ratio(RESTITUTION) * math.sqrt(k) if name == "ball" else 0.0
    hard = f'solref="{-k} {-b}" solimp="0.9999 0.9999 0.001 0.5 1"'
    limit = hard.replace("solref", "solreflimit").replace("solimp", "solimplimit")
    # Of friction the reference is a damper alone, by its time.
    rub = f'frictionloss="{0.1 * G}" solreffriction="{2 * h} 1" solimpfriction="0.9999 0.9999 0.001 0.5 1"'
    body = dict(
        ball=f'<geom type="plane" size="5 5 1" condim="1" {hard}/><body pos="0 0 1.1"><joint type="slide" axis="0 0 1"/>'
             f'<geom type="sphere" size="0.1" mass="1" condim="1" {hard}/></body>',
        brake=f'<body><joint type="slide" axis="1 0 0" stiffness="100" {rub}/><geom type="sphere" size="0.1" mass="1" contype="0" conaffinity="0"/></body>',
        pendulum=f'<body><joint axis="0 -1 0" limited="true" range="{STOP} 9" {limit}/><inertial pos="0.5 0 0" mass="1" diaginertia="{1 / 12} {1 / 12} {1 / 12}"/>'
                 f'<body pos="1 0 0"><joint axis="0 -1 0"/><inertial pos="0.5 0 0" mass="1" diaginertia="{1 / 12} {1 / 12} {1 / 12}"/></body></body>')[name]
    model = mujoco.MjModel.from_xml_string(
        f'<mujoco><compiler angle="radian"/><option timestep="{h}" integrator="{integrator}" gravity="0 0 -{G}" tolerance="1e-12"/>'
        f'<worldbody>{body}</worldbody></mujoco>')
    data = mujoco.MjData(model)
    if name == "brake":
        data.qpos[0] = 0.2
    each, found = round(ENDS[name] / SAMPLES / h), []
    start = time.process_time()
    for _ in range(SAMPLES):
        mujoco.mj_step(model, data, nstep=each)
        found.append([float(x) + (1 if name == "ball" else 0) for x in data.qpos])
    return time.process_time() - start, found


def exudyn_peer(name, way):
    import exudyn as exu
    import exudyn.itemInterface as items
    solver, k, h = way
    mbs = exu.SystemContainer().AddSystem()
    ground = mbs.AddMarker(items.MarkerNodeCoordinate(nodeNumber=mbs.AddNode(items.NodePointGround()), coordinate=0))
    if name == "pendulum":
        import numpy as np
        node = mbs.AddNode(items.NodeGenericODE2(referenceCoordinates=[0, 0], initialCoordinates=[0, 0], initialCoordinates_t=[0, 0], numberOfODE2Coordinates=2))
        inertia = np.diag([1 / 12, 1 / 12 + 1 / 4, 1 / 12 + 1 / 4])
        mbs.AddObject(items.ObjectKinematicTree(
            nodeNumber=node, jointTypes=[exu.JointType.RevoluteZ, exu.JointType.RevoluteZ], linkParents=[-1, 0],
            jointTransformations=exu.Matrix3DList([np.eye(3)] * 2), jointOffsets=exu.Vector3DList([[0, 0, 0], [1, 0, 0]]),
            linkInertiasCOM=exu.Matrix3DList([np.eye(3) / 12] * 2), linkCOMs=exu.Vector3DList([[0.5, 0, 0]] * 2), linkMasses=[1, 1],
            baseOffset=[0, 0, 0], gravity=[0, -G, 0]))
    else:
        node = mbs.AddNode(items.Node1D(referenceCoordinates=[0], initialCoordinates=[1 if name == "ball" else 0.2], initialVelocities=[0]))
        mbs.AddObject(items.ObjectMass1D(physicsMass=1, nodeNumber=node))
    marker = mbs.AddMarker(items.MarkerNodeCoordinate(nodeNumber=node, coordinate=0))
    if name == "ball":
        mbs.AddLoad(items.LoadCoordinate(markerNumber=marker, load=-G))
    if name == "brake":
        mbs.AddObject(items.ObjectConnectorCoordinateSpringDamperExt(
            markerNumbers=[ground, marker], stiffness=100, dynamicFrictionForce=0.1 * G, frictionProportionalZone=k))
    else:
        # This one pulls too, until it is back where it began: e = exp(-π ζ/√(1 - ζ²)).
        log = -math.log(RESTITUTION)
        c = 2 * log / math.hypot(math.pi, log) * math.sqrt(k) if name == "ball" else 0.0
        mbs.AddObject(items.ObjectConnectorCoordinateSpringDamperExt(
            markerNumbers=[ground, marker], useLimitStops=True, limitStopsLower=0 if name == "ball" else STOP, limitStopsUpper=9, limitStopsStiffness=k,
            limitStopsDamping=c, nodeNumber=mbs.AddNode(items.NodeGenericData(initialCoordinates=[0, 0, 0], numberOfDataCoordinates=3))))
    mbs.Assemble()
    settings = exu.SimulationSettings()
    settings.timeIntegration.verboseMode = 0
    settings.solutionSettings.writeSolutionToFile = False
    settings.timeIntegration.numberOfSteps = max(1, round(ENDS[name] / SAMPLES / h))
    settings.timeIntegration.endTime = ENDS[name] / SAMPLES
    settings.timeIntegration.explicitIntegration.computeEndOfStepAccelerations = False
    if solver == "DOPRI5":
        settings.timeIntegration.automaticStepSize = True
        settings.timeIntegration.numberOfSteps = 1
        settings.timeIntegration.relativeTolerance = settings.timeIntegration.absoluteTolerance = h
    settings.timeIntegration.newton.useModifiedNewton = True
    found, seconds = [], 0.0
    kind = dict(RK44=exu.DynamicSolverType.RK44, ExplicitMidpoint=exu.DynamicSolverType.ExplicitMidpoint, DOPRI5=exu.DynamicSolverType.DOPRI5,
                trapezoidal=exu.DynamicSolverType.TrapezoidalIndex2)[solver]
    for k in range(SAMPLES):
        settings.timeIntegration.startTime = k * ENDS[name] / SAMPLES
        settings.timeIntegration.endTime = (k + 1) * ENDS[name] / SAMPLES
        start = time.process_time()
        mbs.SolveDynamic(settings, solverType=kind, updateInitialValues=True)
        seconds += time.process_time() - start
        found.append([float(x) for x in mbs.systemData.GetODE2Coordinates()])
    return seconds, found


def ways(peer, name):
    """Settings to be tried, cheap ones first in each row; a row ends with its first that is good."""
    solvers = ["Euler", "RK4"] if peer == "mujoco" else ["RK44", "ExplicitMidpoint", "trapezoidal"]
    if name == "brake":
        # Half the slip in which friction comes up, for Exudyn; nothing for MuJoCo.
        zones = [0] if peer == "mujoco" else [1e-3, 1e-4, 1e-5, 1e-6]
        rows = [[(solver, zone, 10 ** (-2 - 0.25 * j)) for j in range(15)] for solver in solvers for zone in zones]
        return rows + ([[("DOPRI5", zone, 10.0 ** -j) for j in range(4, 11)] for zone in zones] if peer == "exudyn" else [])
    rows = []
    for fine in [8, 32, 128]:
        # Steps in a contact of π √(1/k).
        rows += [[(solver, 10.0 ** (5 + 0.5 * j), math.pi * 10.0 ** (-2.5 - 0.25 * j) / fine) for j in range(13)] for solver in solvers]
    return rows + ([[("DOPRI5", 10.0 ** (5 + 0.5 * j), 10.0 ** -(6 + more)) for j in range(13)] for more in [0, 2]] if peer == "exudyn" else [])


def even(name, way):
    """A step that divides the time between samples."""
    solver, k, h = way
    return way if solver == "DOPRI5" else (solver, k, ENDS[name] / SAMPLES / math.ceil(ENDS[name] / SAMPLES / h))


def best(peer, name, exact, error):
    run = dict(mujoco=mujoco_peer, exudyn=exudyn_peer)[peer]
    found = None
    for row in ways(peer, name):
        for way in (even(name, way) for way in row):
            seconds, positions = run(name, way)
            if off(positions, exact) <= error:
                if found is None or seconds < found[0]:
                    found = (seconds, off(positions, exact), way)
                break
            # What takes so much longer than the best is none.
            if seconds > 20 or (found and seconds > 3 * found[0]):
                break
    return found


def serve(peer, name, error, way):
    """What this script does when it is run by the peers' Python: the best settings, or one run with them."""
    warnings.simplefilter("ignore")
    run = dict(mujoco=mujoco_peer, exudyn=exudyn_peer)[peer]
    if way:
        print(json.dumps(run(name, tuple(json.loads(way)))[0]))
    else:
        print(json.dumps(best(peer, name, answers(name), error)))


def asked(python, *words):
    done = subprocess.run([python, "-W", "ignore", os.path.abspath(__file__), "--serve", *map(str, words)], capture_output=True, text=True)
    line = done.stdout.strip().splitlines()[-1:] or ["null"]
    try:
        return json.loads(line[0])
    except json.JSONDecodeError:
        sys.stderr.write(done.stderr[-2000:])
        return None


def machine(name, error, python, rounds, folder):
    exact = answers(name)
    tried = [(biela(name, 10.0 ** -k, folder), 10.0 ** -k) for k in range(3, 11)]
    good = [(seconds, off(found, exact), tolerance) for (seconds, found), tolerance in tried if off(found, exact) <= error]
    own = min(good)
    jobs = {"biela": (f"tolerance {own[2]:g}", own[1], lambda: biela(name, own[2], folder)[0])}
    for peer in ["mujoco", "exudyn"]:
        told = asked(python, peer, name, error) if python else None
        if told is None:
            print(f"{name}: {peer} left out, or none of its settings reaches this error")
            continue
        what = ", ".join(f"{x:.3g}" if isinstance(x, float) else str(x) for x in told[2])
        jobs[peer] = (what, told[1], lambda peer=peer, way=told[2]: asked(python, peer, name, error, json.dumps(way)))
    least = {peer: math.inf for peer in jobs}
    for _ in range(rounds):
        for peer, job in jobs.items():
            least[peer] = min(least[peer], job[2]())
    for peer, (what, found, _) in jobs.items():
        print(f"| {name} | {peer} | {what} | {found:.1e} | {1e3 * least[peer]:.3g} | {least[peer] / least['biela']:.1f} |", flush=True)


# How time grows.
def spheres(n):
    side = math.ceil(math.sqrt(n))
    text = f'name = "spheres"\ngravity = [0, 0, -{G}]\nbodies.ground = {{ shape = {{ type = "plane", normal = [0, 0, 1] }} }}\n'
    for k in range(n):
        at = [0.205 * (k % side), 0.205 * (k // side), 0.11 + 0.01 * (k * 7 % 5)]
        text += f'bodies.s{k} = {{ mass = 1, inertia = [0.004, 0.004, 0.004], shape = {{ type = "sphere", radius = 0.1 }}, pose = {{ at = {at} }} }}\n'
    return text + 'contacts.all = { bodies = "all", friction = 0.3 }\ninitial = { "s0.vx" = 0.7 }\n', 0.2, 'outputs = ["s0.x"]'


def ratchets(n):
    """Wheels of twelve teeth in a row, each with a pawl on a spring, each drawn by a spring from the next; a torque turns the first, whose pawl clicks."""
    def around(radius, angle):
        return [round(radius * math.cos(angle), 6), round(radius * math.sin(angle), 6)]
    teeth = [point for k in range(12) for point in (around(0.05, math.pi * k / 6), around(0.042, math.pi * k / 6 + 0.05))]
    text = 'name = "ratchets"\nplanar = true\ngravity = [0, 0]\n'
    for i in range(n):
        x = round(0.15 * i, 2)
        text += f'bodies.w{i} = {{ mass = 0.5, inertia = 0.01, pose = {{ at = [{x}, 0] }}, shape = {{ type = "polygon", points = {teeth} }} }}\n'
        text += f'bodies.p{i} = {{ mass = 0.03, inertia = 5e-5, pose = {{ at = [{x - 0.06:.2f}, 0.054] }}, shape = {{ type = "circle", radius = 0.002, at = [0.06, 0] }} }}\n'
        text += f'joints.W{i} = {{ type = "revolute", bodies = ["ground", "w{i}"], at = [{x}, 0] }}\n'
        text += f'joints.P{i} = {{ type = "revolute", bodies = ["ground", "p{i}"], at = [{x - 0.06:.2f}, 0.054] }}\n'
        text += f'forces.s{i} = {{ type = "joint-spring", joint = "P{i}", stiffness = 0.2, rest = -0.8, damping = 2e-3 }}\n'
        text += f'contacts.c{i} = {{ bodies = ["w{i}", "p{i}"], friction = 0.1 }}\n'
        if i > 0:
            at = f'[[0, 0.03], [0, 0.03]]'
            text += f'forces.k{i} = {{ type = "spring", bodies = ["w{i - 1}", "w{i}"], at = {at}, stiffness = 200, length = 0.15 }}\n'
    return text + 'forces.m = { type = "joint-torque", joint = "W0", value = -0.3 }\n', 0.2, 'outputs = ["W0.angle"]'


def grow(folder, rounds):
    for name, make, sizes in [("spheres on a plate", spheres, [125, 250, 500, 1000]), ("ratchets in a row", ratchets, [250, 500, 1000])]:
        times = []
        for n in sizes:
            text, end, outputs = make(n)
            model = text + f'run = {{ analysis = "dynamics", end = {end}, step = 0.001, steps = 10, {outputs} }}\n'
            seconds, steps = used(model, folder, rounds)[0], round(end / 0.001)
            times.append((n, seconds))
            print(f"| {name} | {n} | {1e3 * seconds:.0f} | {1e3 * seconds / steps:.3g} | {1e6 * seconds / steps / n:.3g} |", flush=True)
        if len(times) > 1:
            (a, s), (b, t) = times[0], times[-1]
            print(f"{name}: exponent {math.log(t / s) / math.log(b / a):.2f} from {a} to {b}")


def main():
    if "--serve" in sys.argv:
        peer, name, error, *way = sys.argv[sys.argv.index("--serve") + 1:]
        return serve(peer, name, float(error), way[0] if way else None)
    p = argparse.ArgumentParser(usage=__doc__)
    p.add_argument("--python")
    p.add_argument("--error", type=float)
    p.add_argument("--rounds", type=int, default=3)
    p.add_argument("--only", default="")
    p.add_argument("--grow", action="store_true")
    a = p.parse_args()
    folder = tempfile.mkdtemp()
    if a.grow:
        print("| machine | number | ms | ms a step | µs a step and piece |\n|---|---|---|---|---|")
        return grow(folder, a.rounds)
    print("| machine | program | settings | error | ms | over biela |\n|---|---|---|---|---|---|")
    for name in MODELS:
        if a.only in name:
            machine(name, a.error or ERRORS[name], a.python, a.rounds, folder)


if __name__ == "__main__":
    main()
