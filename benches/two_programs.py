#!/usr/bin/env python3
"""Two programs side by side, such as before and after a change: time of a sample, of tree algorithms, and memory.

    benches/two_programs.py BEFORE AFTER [--rounds N]

Runs alternate, so that whatever else the machine does meets both; of the rounds the least counts. Prints a table in Markdown: each
value of both programs and their ratio, after over before. The time of a sample is that of the plain command `biela run`, user and
system, with many steps less that with few, over the steps between.
"""
import argparse
import json
import os
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# Model, formulation, steps.
RUNS = [
    ("slider-crank", "absolute", 40000),
    ("slider-crank", "natural", 40000),
    ("slider-crank", "relative", 40000),
    ("four-bar", "absolute", 40000),
    ("four-bar", "natural", 40000),
    ("four-bar", "relative", 40000),
    ("rssr", "absolute", 20000),
    ("stewart-platform", "absolute", 8000),
    ("stewart-platform", "relative", 8000),
]
# Joints of chains of which every algorithm is timed.
CHAINS = [6, 30]


def cost(command):
    """Seconds of processor time and peak memory in MB of a command."""
    with tempfile.TemporaryDirectory() as folder:
        child = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        told = child.stderr.read()
        _, status, used = os.wait4(child.pid, 0)
        if status != 0:
            raise SystemExit(f"{' '.join(map(str, command))}: {told.decode()}")
        return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def sample_time(program, model, formulation, steps):
    few = 10
    run = [program, "run", ROOT / "models" / f"{model}.toml", "--formulation", formulation, "--steps"]
    many = cost([*run, str(steps)])[0] - cost([*run, str(few)])[0]
    return 1e6 * many / (steps - few)


def tree_time(program, robot):
    out = subprocess.run(
        [program, "bench", robot, "--json", "--repeats", "50", "--batch", "0"],
        check=True, capture_output=True, text=True,
    ).stdout
    return json.loads(out)


def chain(path, links):
    """Writes a chain of links that turn about z and x by turns."""
    text = ['name = "chain"', "gravity = [0, -9.81, 0]"]
    for k in range(links):
        text.append(f"[bodies.b{k}]\nmass = 1.0\ninertia = [0.1, 0.1, 0.1]\ncom = [0.5, 0, 0]\npose = {{ at = [{k}, 0, 0] }}")
        before = f"b{k - 1}" if k else "ground"
        text.append(f'[joints.j{k}]\ntype = "revolute"\nbodies = ["{before}", "b{k}"]\nat = [{k}.0, 0, 0]\naxis = "{"zx"[k % 2]}"')
    path.write_text("\n".join(text) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("before", type=Path)
    parser.add_argument("after", type=Path)
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as work:
        tabulate(given, Path(work))


def tabulate(given, work):
    programs = [given.before.resolve(), given.after.resolve()]

    def compare(name, unit, measure):
        least = [float("inf")] * 2
        for _ in range(given.rounds):
            for k, program in enumerate(programs):
                least[k] = min(least[k], measure(program))
        print(f"| {name} | {least[0]:.3g} {unit} | {least[1]:.3g} {unit} | {least[1] / least[0]:.3f} |", flush=True)

    print("| | before | after | ratio |\n|---|---|---|---|")
    for model, formulation, steps in RUNS:
        compare(f"a sample of {model}, {formulation}", "µs", lambda program: sample_time(program, model, formulation, steps))
    for joints in CHAINS:
        robot = work / f"chain-{joints}.toml"
        chain(robot, joints)
        times = [{}, {}]
        for _ in range(given.rounds):
            for k, program in enumerate(programs):
                for name, call in tree_time(program, robot)["calls"].items():
                    times[k][name] = min(times[k].get(name, float("inf")), call["min_ns"])
        for name in times[0]:
            if name in times[1]:
                a, b = times[0][name], times[1][name]
                print(f"| `{name}`, {joints} joints | {a:.4g} ns | {b:.4g} ns | {b / a:.3f} |", flush=True)
    four_bar = ROOT / "models" / "four-bar.toml"
    compare("peak memory of a run of the four-bar, 40 000 steps", "MB", lambda program: cost([program, "run", four_bar, "--steps", "40000"])[1])
    long = work / "long.toml"
    chain(long, 20000)
    convert = ["convert", long, "-o", "out.toml"]
    compare("time to read a chain of 20 000 links and write it", "s", lambda program: cost([program, *convert])[0])
    compare("peak memory of that", "MB", lambda program: cost([program, *convert])[1])


if __name__ == "__main__":
    main()
