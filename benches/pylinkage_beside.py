"""The four-bar of models/four-bar.toml by pylinkage's compiled solver and by biela, in turns within one run: nanoseconds per sample of one motion, and designs per
second and core of a tolerance study of 36 steps. Wants both packages: pip install pylinkage numba, and biela itself.

    python benches/pylinkage_beside.py [designs]
"""

import sys
import time
from pathlib import Path

import numpy as np

import biela

SAMPLES, STEPS, ROUNDS = 1000, 36, 5


def least(rounds, jobs):
    """Least seconds of each job over interleaved rounds."""
    times = [float("inf")] * len(jobs)
    for _ in range(rounds):
        for k, job in enumerate(jobs):
            start = time.perf_counter()
            job()
            times[k] = min(times[k], time.perf_counter() - start)
    return times


def peer():
    """Their linkage: crank 2, coupler 8, rocker 5, pivots 10 apart, from 60 degrees on; None where the package is not there."""
    try:
        import pylinkage
    except ImportError:
        return None

    def made(samples, coupler=8.0):
        left, right = pylinkage.Ground(0.0, 0.0, name="A"), pylinkage.Ground(10.0, 0.0, name="B")
        step = 2 * np.pi / samples
        crank = pylinkage.Crank(anchor=left, radius=2.0, angular_velocity=step, initial_angle=np.pi / 3, name="crank")
        pin = pylinkage.RRRDyad(anchor1=crank.output, anchor2=right, distance1=coupler, distance2=5.0, name="pin")
        linkage = pylinkage.Linkage([left, right, crank, pin])
        linkage.set_input_velocity(crank, omega=1.0)
        return linkage

    return made


def stepped(linkage, count):
    """Positions, velocities and accelerations of its joints, by the compiled loop."""
    return linkage.step_fast_with_kinematics(iterations=count)


def main():
    designs = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    model = biela.load(str(Path(__file__).parent.parent / "models" / "four-bar.toml"))
    end = model.run(steps=1)["t"][-1]
    fine, coarse = np.linspace(0, end, SAMPLES + 1), np.linspace(0, end, STEPS + 1)
    lengths = 8 * (1 + 1e-3 * np.random.default_rng(1).standard_normal(designs))
    jobs = [
        lambda: model.kinematics({"coupler": [8.0]}, times=fine.tolist()),
        lambda: model.kinematics({"coupler": [8.0] * 8}, times=fine.tolist()),
        lambda: model.kinematics({"coupler": lengths.tolist()}, times=coarse.tolist()),
    ]
    made = peer()
    if made:
        one = made(SAMPLES)
        stepped(one, 10)

        many = made(STEPS)
        start = many.get_coords()

        def study():
            for length in lengths[: designs // 10]:
                many.set_constraints([2.0, float(length), 5.0])
                many.set_coords(start)
                stepped(many, STEPS)

        jobs += [lambda: stepped(one, SAMPLES), study]
    times = least(ROUNDS, jobs)
    print(f"biela, one at a time   {1e9 * times[0] / SAMPLES:9.0f} ns a sample, position to acceleration, start included")
    print(f"biela, eight abreast   {1e9 * times[1] / SAMPLES / 8:9.0f} ns a sample")
    print(f"biela, tolerance study {designs / times[2]:9.0f} designs a second and core")
    if made:
        print(f"pylinkage              {1e9 * times[3] / SAMPLES:9.0f} ns a step, position to acceleration of its joints")
        print(f"pylinkage, the study   {designs // 10 / times[4]:9.0f} designs a second and core")
    else:
        print("pylinkage is not installed")


main()
