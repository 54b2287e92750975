"""The four-bar of models/four-bar.toml by pylinkage's compiled solver and by biela, in turns within one run: nanoseconds per sample of a motion, one design
at a time and side by side, and designs per second of processor time of a tolerance study of 36 steps, by the package and by the plain command.
Wants both packages (pip install pylinkage numba, and biela itself) and the program, as BIELA_PROGRAM or under target/release.

    python benches/pylinkage_beside.py [designs]
"""

import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

import biela

SAMPLES, STEPS, ROUNDS = 1000, 36, 7
ROOT = Path(__file__).resolve().parent.parent
PROGRAM = os.environ.get("BIELA_PROGRAM", str(ROOT / "target/release/biela"))
# Deviations of the lengths, in millimetres.
LENGTHS = {"crank": (2, 1), "coupler": (8, 2), "rocker": (5, 1), "ground": (10, 2)}


def processor():
    """Seconds of processor time of this process and of those it has waited for."""
    own, others = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime + others.ru_utime + others.ru_stime


def least(rounds, jobs):
    """Least seconds of processor time of each job over interleaved rounds."""
    times = [float("inf")] * len(jobs)
    for _ in range(rounds):
        for k, job in enumerate(jobs):
            start = processor()
            job()
            times[k] = min(times[k], processor() - start)
    return times


def peer():
    """Their linkage: crank 2, coupler 8, rocker 5, pivots 10 apart, from 60 degrees on; None where the package is not there."""
    try:
        import pylinkage
    except ImportError:
        return None

    def made(samples):
        left, right = pylinkage.Ground(0.0, 0.0, name="A"), pylinkage.Ground(10.0, 0.0, name="B")
        step = 2 * np.pi / samples
        crank = pylinkage.Crank(anchor=left, radius=2.0, angular_velocity=step, initial_angle=np.pi / 3, name="crank")
        pin = pylinkage.RRRDyad(anchor1=crank.output, anchor2=right, distance1=8.0, distance2=5.0, name="pin")
        linkage = pylinkage.Linkage([left, right, crank, pin])
        linkage.set_input_velocity(crank, omega=1.0)
        return linkage

    return made


def stepped(linkage, count):
    """Positions, velocities and accelerations of its joints, by the compiled loop."""
    return linkage.step_fast_with_kinematics(iterations=count)


def command(designs, folder):
    """The plain command: draws the lengths, measures swing and height, writes the table, tells statistics."""
    vary = [x for name, (mean, spread) in LENGTHS.items() for x in ("--vary", f"{name}=normal({mean}, {spread} mm)")]
    measure = ["--measure", "swing=range(B.angle)", "--measure", "top=max(rocker.P2.y)"]
    output = ["--samples", str(designs), "--seed", "1", "--steps", str(STEPS), "-o", str(Path(folder) / "study.csv")]
    model = str(ROOT / "models" / "four-bar.toml")
    subprocess.run([PROGRAM, "sweep", model, *vary, *measure, *output], check=True, stdout=subprocess.DEVNULL)
    (Path(folder) / "study.csv").unlink()


def main():
    designs = int(sys.argv[1]) if len(sys.argv) > 1 else 20000
    model = biela.load(ROOT / "models" / "four-bar.toml")
    end = model.run(steps=1)["t"][-1]
    fine, coarse = np.linspace(0, end, SAMPLES + 1), np.linspace(0, end, STEPS + 1)
    draw = np.random.default_rng(1)
    few = designs // 10
    lengths = {name: mean + 1e-3 * spread * draw.standard_normal(few) for name, (mean, spread) in LENGTHS.items()}
    folder = tempfile.mkdtemp(prefix="biela-pylinkage-")
    jobs = [
        lambda: model.kinematics({"coupler": [8.0]}, times=fine),
        lambda: model.kinematics({"coupler": [8.0] * 64}, times=fine),
        lambda: model.kinematics(lengths, times=coarse),
        lambda: command(designs, folder),
        # What starting the program and reading the model costs.
        lambda: command(1, folder),
    ]
    made = peer()
    if made:
        one = made(SAMPLES)
        stepped(one, 10)
        many = made(STEPS)
        start = many.get_coords()

        def study():
            for crank, coupler, rocker in zip(lengths["crank"], lengths["coupler"], lengths["rocker"]):
                many.set_constraints([float(crank), float(coupler), float(rocker)])
                many.set_coords(start)
                stepped(many, STEPS)

        jobs += [lambda: [stepped(one, SAMPLES) for _ in range(20)], study]
    times = least(ROUNDS, jobs)
    single, lanes = 1e9 * times[0] / SAMPLES, 1e9 * times[1] / SAMPLES / 64
    rates = [few / times[2], designs / times[3], (designs - 1) / (times[3] - times[4])]
    print(f"biela, one design          {single:9.0f} ns a sample, position to acceleration of all bodies, start included")
    print(f"biela, side by side        {lanes:9.0f} ns a sample")
    print(f"biela, kinematics()        {rates[0]:9.0f} designs a second of processor time, all figures of all bodies kept")
    print(f"biela sweep                {rates[1]:9.0f} designs a second of processor time, all in: start, table, statistics")
    print(f"biela sweep, less start    {rates[2]:9.0f}")
    if made:
        theirs, study = 1e9 * times[5] / SAMPLES / 20, few / times[6]
        print(f"pylinkage                  {theirs:9.0f} ns a step, position to acceleration of its joints: {theirs / lanes:.1f} times as long as side by side")
        print(f"pylinkage, the study       {study:9.0f} designs a second: biela sweep has {rates[1] / study:.1f} times as many")
    else:
        print("pylinkage is not installed")


main()
