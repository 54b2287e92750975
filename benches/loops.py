#!/usr/bin/env python3
"""Chains of loops under forces beside their peers, in rounds taken in turn; least processor time of each, and ratios.

usage: loops.py [--n 40] [--end 10] [--steps 100] [--rounds 5] [--pin PIN_NFOURBAR] [--python PYTHON_WITH_EXUDYN] [--formulations auto,natural,relative]

N-four-bar (2N + 1 bars of 1 m and 1 kg, upright at the start, tip speed 1 m/s):
  bench      target/release/nfourbar: the integration alone, tolerance 5e-9 (a tip error below 1e-5 m)
  command    target/release/biela run CHAIN.toml -o OUT.csv: the whole program with all columns, by each formulation named; `default` names none
  pinocchio  PIN_NFOURBAR of the peer kit, dense KKT, RK4 at 10 ms
With --python the squeezer follows (target/release/squeezer --peer PYTHON).

Programs must be built: cargo build --release --workspace --bins
"""
import argparse
import json
import os
import resource
import subprocess
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TARGET = os.path.join(ROOT, "target", "release")


def chain(n, end, steps):
    bar = "mass = 1\ninertia = [1e-4, 0.083333333333333333, 0.083333333333333333]\ncom = [0.5, 0, 0]\n"
    pin = 'type = "revolute"\naxis = [[0, 0, 1], [0, 0, 1]]\n'
    text = "gravity = [0, -9.81, 0]\n"
    for i in range(n + 1):
        text += f'[bodies.c{i}]\n{bar}pose = {{ at = [{i}, 0, 0], angle = "90 deg", axis = [0, 0, 1] }}\n'
        if i < n:
            text += f"[bodies.k{i}]\n{bar}pose = {{ at = [{i}, 1, 0] }}\n"
    for i in range(n + 1):
        text += f'[joints.g{i}]\n{pin}bodies = ["ground", "c{i}"]\nat = [[{i}, 0, 0], [0, 0, 0]]\n'
        if i < n:
            text += f'[joints.a{i}]\n{pin}bodies = ["c{i}", "k{i}"]\nat = [[1, 0, 0], [0, 0, 0]]\n'
            text += f'[joints.b{i}]\n{pin}bodies = ["k{i}", "c{i + 1}"]\nat = [[1, 0, 0], [1, 0, 0]]\n'
    return text + f'[initial]\n"g0.angle.rate" = -1\n[run]\nanalysis = "dynamics"\nend = {end}\nsteps = {steps}\n'


def told(command):
    """Processor time per simulated second that a program tells of itself."""
    out = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return json.loads([line for line in out.splitlines() if line.startswith("{")][-1])["cpu_per_sim_s_min"]


def used(command, end):
    """Processor time of a whole program per simulated second."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) / end


def main():
    p = argparse.ArgumentParser(usage=__doc__)
    p.add_argument("--n", type=int, default=40)
    p.add_argument("--end", type=float, default=10)
    p.add_argument("--steps", type=int, default=100)
    p.add_argument("--rounds", type=int, default=5)
    p.add_argument("--pin")
    p.add_argument("--python")
    p.add_argument("--formulations", default="default,natural,relative")
    a = p.parse_args()
    folder = tempfile.mkdtemp()
    model, out = os.path.join(folder, "chain.toml"), os.path.join(folder, "out.csv")
    with open(model, "w") as f:
        f.write(chain(a.n, a.end, a.steps))
    jobs = {}
    if a.pin:
        jobs["pinocchio"] = lambda: told([a.pin, "--n", str(a.n), "--h", "1e-2", "--method", "chol", "--mu", "1e-8", "--kp", "100", "--kd", "20",
                                          "--runs", "1"])
    for f in ["relative", "natural"]:
        jobs[f"bench {f}"] = lambda f=f: told([os.path.join(TARGET, "nfourbar"), "--n", str(a.n), "--h", "1e-2", "--runs", "3", "--formulation", f])
    for f in a.formulations.split(","):
        named = [] if f == "default" else ["--formulation", f]
        jobs[f"command {f}"] = lambda named=named: used([os.path.join(TARGET, "biela"), "run", model, "-o", out] + named, a.end)
    least = {name: float("inf") for name in jobs}
    for _ in range(a.rounds):
        for name, job in jobs.items():
            least[name] = min(least[name], job())
    print(f"N-four-bar, N = {a.n}, {a.end:g} s, {a.steps} samples with all columns; ms of processor time per simulated second, least of {a.rounds} rounds")
    for name, seconds in least.items():
        ratio = f"   pinocchio / this = {least['pinocchio'] / seconds:.1f}" if a.pin else ""
        print(f"{name:20} {1e3 * seconds:9.3f}{ratio}")
    if a.python:
        print("squeezer")
        subprocess.run([os.path.join(TARGET, "squeezer"), "--peer", a.python], check=True)


if __name__ == "__main__":
    main()
