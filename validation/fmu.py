"""Models as FMUs in FMPy, against the program's own runs of the same models."""

import csv
import ctypes
import io
import math
import pathlib
import shutil
import subprocess
import sys
import tempfile

import fmpy
import numpy as np
from fmpy.fmi2 import FMU2Model, FMU2Slave
from fmpy.fmi3 import FMU3Model, FMU3Slave
from fmpy.validation import validate_fmu

PROGRAM = sys.argv[1]
# Figures of a prescribed motion have no error of integration: positions are closed to 1e-12 of the size in both.
CLOSED = 1e-9
# Runs under forces with tolerance 1e-9 differ by the steps they take.
STEPS = 1e-6
# CVode is asked for 1e-8 for each step; errors add up over a run, and over an impact.
SOLVER = 2e-5
# Central differences by 1e-5 of numbers of order one, whose bodies are closed to 1e-12: 1e-10 for the change squared, 1e-7 for what is closed.
DIFFERENCES = 1e-6

DRIVEN = pathlib.Path("models/four-bar.toml").read_text()
PLATFORM = pathlib.Path("models/stewart-platform.toml").read_text()
# A slider-crank under gravity and a force on its piston.
ENGINE = """
name = "engine <under> \\"forces\\" & gravity"
gravity = [0, -9.81, 0]
[parameters]
r = 0.1
[bodies.crank]
mass = 2
com = [0.02, 0, 0]
inertia = [0.01, 0.02, 0.02]
points = { B = ["r", 0, 0] }
pose = { angle = "40 deg", axis = [0, 0, 1] }
[bodies.rod]
mass = 0.6
com = [0.15, 0, 0]
inertia = [0.001, 0.005, 0.005]
points = { C = [0.3, 0, 0] }
pose = { at = [0.0766, 0.0643, 0], angle = "-12.4 deg", axis = [0, 0, 1] }
[bodies.piston]
mass = 0.4
inertia = [0.001, 0.001, 0.001]
pose = { at = [0.37, 0, 0] }
[joints]
O = { type = "revolute", bodies = ["ground", "crank"], at = [[0, 0, 0], [0, 0, 0]], axis = [0, 0, 1] }
B = { type = "revolute", bodies = ["crank", "rod"], at = ["B", [0, 0, 0]], axis = [0, 0, 1] }
C = { type = "revolute", bodies = ["rod", "piston"], at = ["C", [0, 0, 0]], axis = [0, 0, 1] }
guide = { type = "prismatic", bodies = ["ground", "piston"], at = [[0, 0, 0], [0, 0, 0]], axis = [1, 0, 0] }
[forces]
gas = { type = "joint-torque", joint = "guide", value = GAS }
[initial]
"O.angle.rate" = 20
[run]
analysis = "dynamics"
end = 0.5
steps = 50
tolerance = 1e-9
"""
# A pendulum that strikes a stop.
PENDULUM = """
name = "pendulum with a stop"
gravity = [0, -9.81, 0]
[bodies.bob]
mass = 1
com = [0.5, 0, 0]
inertia = [0.01, 0.01, 0.01]
[joints.pin]
type = "revolute"
bodies = ["ground", "bob"]
at = [[0, 0, 0], [0, 0, 0]]
axis = [0, 0, 1]
limits = { lower = "-110 deg", stop = "hard", restitution = 0.5 }
[run]
analysis = "dynamics"
end = 1.2
steps = 60
tolerance = 1e-9
"""


def biela(*arguments):
    done = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"biela {arguments}: {done.stderr}")


def ran(file, signals, *more):
    """Columns of the program's own run, by their names."""
    table = file.with_suffix(".csv")
    biela("run", file, "-o", table, "--signals", ",".join(signals), "-q", *more)
    rows = list(csv.reader(io.StringIO(table.read_text())))
    names = [name.split(" [")[0] for name in rows[0]]
    data = np.array(rows[1:], dtype=float)
    return {name: data[:, k] for k, name in enumerate(names)}


def differ(found, wanted, signals):
    """The largest difference of any signal, against its own magnitude."""
    worst = 0.0
    for name in signals:
        ours, theirs = found[name], wanted[name]
        size = max(np.max(np.abs(theirs)), 1e-3)
        worst = max(worst, float(np.max(np.abs(ours[: len(theirs)] - theirs)) / size))
    return worst


def check(what, worst, allowed):
    print(f"{what}: {worst:.2e} (at most {allowed:.0e})")
    if not worst <= allowed:
        raise SystemExit(f"{what}: {worst} is more than {allowed}")


def exported(folder, name, text, fmi, signals, *more):
    file = folder / f"{name}.toml"
    file.write_text(text)
    fmu = folder / f"{name}-{fmi}.fmu"
    biela("export", file, "--fmu", "--fmi", fmi, "--signals", ",".join(signals), "-o", fmu, "-q", *more)
    problems = validate_fmu(str(fmu))
    if problems:
        raise SystemExit(f"{fmu.name}: {problems}")
    return file, str(fmu)


def simulated(fmu, kind, wanted, signals, **more):
    t = wanted["t"]
    step = (t[-1] - t[0]) / (len(t) - 1)
    found = fmpy.simulate_fmu(
        fmu, fmi_type=kind, start_time=t[0], stop_time=t[-1], step_size=step, output_interval=step, relative_tolerance=1e-8,
        output=signals, solver="CVode", **more)
    rows = [int(np.argmin(np.abs(found["time"] - instant))) for instant in t]
    return {name: found[name][rows] for name in signals}


def runs(folder):
    cases = [
        ("four-bar", DRIVEN, ["B.angle", "P2.angle.rate", "coupler.P2.x", "B.angle.accel"], CLOSED, CLOSED, []),
        ("stewart", PLATFORM, ["upper1.top.z", "upper1.top.vx", "upper4.top.az", "upper2.e1"], CLOSED, CLOSED, []),
        ("engine", ENGINE.replace("GAS", "0"), ["O.angle", "O.angle.rate", "guide.slide", "energy.total"], STEPS, SOLVER, []),
        ("pendulum", PENDULUM, ["pin.angle", "pin.angle.rate"], STEPS, SOLVER, []),
    ]
    for name, text, patterns, stepped, solved, more in cases:
        for fmi in "23":
            file = folder / f"{name}.toml"
            file.write_text(text)
            wanted = ran(file, patterns)
            signals = [column for column in wanted if column != "t"]
            assert signals, name
            _, fmu = exported(folder, name, text, fmi, patterns)
            found = simulated(fmu, "CoSimulation", wanted, signals)
            check(f"{name}, FMI {fmi}, co-simulation", differ(found, wanted, signals), stepped)
            found = simulated(fmu, "ModelExchange", wanted, signals)
            check(f"{name}, FMI {fmi}, model exchange", differ(found, wanted, signals), solved)


def inputs(folder):
    """A driver and a load from outside are what they are in the model."""
    signals = ["B.angle", "B.angle.rate", "B.angle.accel"]
    for fmi in "23":
        file, fmu = exported(folder, "led", DRIVEN, fmi, signals)
        # A parabola, which three numbers tell exactly.
        law = "1.2 + 0.7*t - 0.4*t^2"
        wanted = ran(file, signals, "--drive", f"A={law}")
        t = wanted["t"]
        columns = [("time", float), ("motor", float), ("motor.rate", float), ("motor.accel", float)]
        rows = [(s, 1.2 + 0.7 * s - 0.4 * s * s, 0.7 - 0.8 * s, -0.8) for s in t]
        found = simulated(fmu, "CoSimulation", wanted, signals, input=np.array(rows, dtype=columns))
        check(f"a driver as three inputs, FMI {fmi}", differ(found, wanted, signals), CLOSED)
        # By its values alone: a polynomial of second degree through the last three is the parabola itself, from the third step on.
        found = simulated(fmu, "CoSimulation", wanted, signals, input=np.array([r[:2] for r in rows], dtype=columns[:2]),
                          start_values={"interpolate_drivers": 1})
        late = {name: column[4:] for name, column in found.items()}
        check(f"a driver by its values, FMI {fmi}", differ(late, {n: c[4:] for n, c in wanted.items()}, signals), 1e-6)
        signals_of_load = ["O.angle", "O.angle.rate"]
        _, fmu = exported(folder, "pushed", ENGINE.replace("GAS", "0"), fmi, signals_of_load)
        other = folder / "constant.toml"
        other.write_text(ENGINE.replace("GAS", "-30"))
        wanted = ran(other, signals_of_load)
        for kind, allowed in [("CoSimulation", STEPS), ("ModelExchange", SOLVER)]:
            found = simulated(fmu, kind, wanted, signals_of_load, start_values={"gas.value": -30.0})
            check(f"a load as an input, FMI {fmi}, {kind}", differ(found, wanted, signals_of_load), allowed)
        other.write_text(ENGINE.replace("GAS", "0").replace("r = 0.1", "r = 0.11"))
        wanted = ran(other, signals_of_load)
        found = simulated(fmu, "CoSimulation", wanted, signals_of_load, start_values={"r": 0.11})
        check(f"a parameter, FMI {fmi}", differ(found, wanted, signals_of_load), STEPS)


def instance(fmu, kind):
    description = fmpy.read_model_description(fmu)
    folder = fmpy.extract(fmu)
    classes = {"2.0": (FMU2Slave, FMU2Model), "3.0": (FMU3Slave, FMU3Model)}[description.fmiVersion]
    of = description.coSimulation if kind == "CoSimulation" else description.modelExchange
    made = classes[kind == "ModelExchange"](
        guid=description.guid, unzipDirectory=folder, modelIdentifier=of.modelIdentifier, instanceName="one")
    return description, folder, made


def begun(fmu, kind):
    description, folder, made = instance(fmu, kind)
    made.instantiate()
    if description.fmiVersion == "2.0":
        made.setupExperiment(startTime=0.0)
        made.enterInitializationMode()
    else:
        made.enterInitializationMode(startTime=0.0)
    made.exitInitializationMode()
    return {v.name: v.valueReference for v in description.modelVariables}, folder, made


def read(made, references):
    return np.array(made.getReal(references) if hasattr(made, "getReal") else made.getFloat64(references))


def write(made, references, values):
    (made.setReal if hasattr(made, "setReal") else made.setFloat64)(references, list(values))


def states(folder):
    """A state that is kept, as it is and as bytes, leads on to the same bits."""
    for fmi in "23":
        for name, text, signal in [("kept-engine", ENGINE.replace("GAS", "0"), "O.angle"), ("kept-bar", DRIVEN, "B.angle")]:
            _, fmu = exported(folder, name, text, fmi, [signal])
            names, place, made = begun(fmu, "CoSimulation")
            step = 0.01
            for k in range(10):
                made.doStep(k * step, step)
            get, put, free, pack, unpack = (
                (made.getFMUState, made.setFMUState, made.freeFMUState, made.serializeFMUState, made.deserializeFMUState)
                if hasattr(made, "getFMUState") else
                (made.getFMUstate, made.setFMUstate, made.freeFMUstate, made.serializeFMUstate, made.deSerializeFMUstate))
            kept = get()
            packed = pack(kept)
            made.doStep(10 * step, step)
            first = read(made, [names[signal]])[0]
            put(kept)
            made.doStep(10 * step, step)
            assert read(made, [names[signal]])[0] == first
            again = unpack(packed)
            put(again)
            made.doStep(10 * step, step)
            assert read(made, [names[signal]])[0] == first, f"{name}, FMI {fmi}"
            free(kept)
            made.terminate()
            made.freeInstance()
            shutil.rmtree(place, ignore_errors=True)
        print(f"states kept and put back, FMI {fmi}: the same bits")


def derivatives(folder):
    """Directional derivatives against differences made from outside."""
    for fmi in "23":
        _, fmu = exported(folder, "slopes", ENGINE.replace("GAS", "0"), fmi, ["guide.slide.rate"])
        names, place, made = begun(fmu, "ModelExchange")
        if fmi == "2":
            made.enterContinuousTimeMode()
        else:
            made.enterContinuousTimeMode()
        n = 2
        knowns = [names["state[1]"], names["state[2]"], names["gas.value"]]
        unknowns = [names["der(state[2])"], names["guide.slide.rate"]]
        x = np.zeros(n)
        address = x.ctypes.data_as(ctypes.POINTER(ctypes.c_double))

        def set_states(values):
            x[:] = values
            made.setContinuousStates(address, n)

        made.getContinuousStates(address, n)
        start = x.copy()
        worst = 0.0
        for k, known in enumerate(knowns):
            found = np.array(made.getDirectionalDerivative(unknowns, [known], [1.0]))
            sides = []
            for sign in (1, -1):
                h = sign * 1e-4
                if k < n:
                    moved = start.copy()
                    moved[k] += h
                    set_states(moved)
                else:
                    set_states(start)
                    write(made, [known], [h])
                sides.append(read(made, unknowns))
            set_states(start)
            write(made, [names["gas.value"]], [0.0])
            wanted = (sides[0] - sides[1]) / 2e-4
            worst = max(worst, float(np.max(np.abs(found - wanted) / np.maximum(np.abs(wanted), 1.0))))
        check(f"directional derivatives, FMI {fmi}", worst, DIFFERENCES)
        made.freeInstance()
        shutil.rmtree(place, ignore_errors=True)


def refused(folder):
    """Another token, and calls in the wrong order."""
    for fmi in "23":
        _, fmu = exported(folder, "order", DRIVEN, fmi, ["B.angle"])
        description, place, made = instance(fmu, "CoSimulation")
        made.guid = "{00000000-0000-0000-0000-000000000000}"
        try:
            made.instantiate()
            raise SystemExit("another token is taken")
        except Exception as error:
            assert "instantiate" in str(error), error
        made.guid = description.guid
        made.instantiate()
        try:
            made.doStep(0.0, 0.1)
            raise SystemExit("a step before the start is taken")
        except SystemExit:
            raise
        except Exception:
            pass
        made.freeInstance()
        shutil.rmtree(place, ignore_errors=True)
        print(f"another token and a step before the start, FMI {fmi}: refused")


with tempfile.TemporaryDirectory() as scratch:
    folder = pathlib.Path(scratch)
    runs(folder)
    inputs(folder)
    states(folder)
    derivatives(folder)
    refused(folder)
