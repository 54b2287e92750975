#!/usr/bin/env python3
"""One platform on six legs: all its 40 configurations by this program, by Bertini 2 and by Macaulay2, taking turns.

usage: roots_beside.py [--rounds N] [--macaulay M2]

Run it by a Python that has `bertini2`; M2 is the program in `passagemath-macaulay2` (sage_wheels/bin/M2, looked for beside this Python's packages).
What is missing is left out, and said. All three follow the same 40 paths, from the general member's roots in a straight line of equations; the
other two also all 128 of the total degree. Milliseconds of wall time of the work itself, the least of the rounds: no program's start, no reading
of equations. `cargo build --release --workspace --bins` first.
"""
import argparse
import glob
import json
import os
import subprocess
import sysconfig
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
OURS = os.path.join(ROOT, "target/release/roots")
UNKNOWNS = 7
NAMES = [f"x{k}" for k in range(UNKNOWNS)]


def least(table, name, ms, roots):
    table[name] = min(table.get(name, (float("inf"), 0)), (ms, roots))


def ours(table):
    told = subprocess.run([OURS, "platform"], capture_output=True, text=True, check=True).stdout
    for line in told.splitlines():
        threads, ms = line.split()
        least(table, f"biela, {threads} thread(s), each root certified", float(ms), 40)


def bertini(given, table):
    import bertini as b
    from bertini import nag_algorithm

    def system(which):
        rows = "".join(f"f{k} = {text}; " for k, text in enumerate(given[which]))
        functions = ", ".join(f"f{k}" for k in range(UNKNOWNS))
        return b.parse.system(f"function {functions}; variable_group {', '.join(NAMES)}; {rows}")

    def timed(name, make):
        solver = make()
        begun = time.perf_counter()
        solver.solve()
        ms = 1e3 * (time.perf_counter() - begun)
        finite = [s for s in solver.finite_solutions()]
        least(table, f"Bertini 2, double precision, {name}", ms, len(finite))

    starts = [[complex(*z) for z in root] for root in given["roots"]]

    def from_member():
        made = nag_algorithm.straight_line_homotopy(system("member"), system("general"))
        return nag_algorithm.HomotopySolver(made, starts, mptype="double")

    timed("40 paths", from_member)
    timed("128 paths", lambda: nag_algorithm.ZeroDimSolver(system("member"), mptype="double"))


def macaulay(program, given, table):
    number = lambda z: f"{z[0]:.17e}+({z[1]:.17e})*ii"
    rows = lambda which: "{" + ", ".join(given[which]).replace("*I)", "*ii)") + "}"
    starts = ", ".join("{" + ", ".join(number(z) for z in root) + "}" for root in given["roots"])
    text = f"""needsPackage "NumericalAlgebraicGeometry"
R = CC[{", ".join(NAMES)}]
S = {rows("general")}
T = {rows("member")}
starts = {{{starts}}}
finite = l -> #select(l, p -> status p === Regular and all(coordinates p, z -> abs z < 1e6))
track(S, T, take(starts, 1));
a = elapsedTiming(r = track(S, T, starts))
<< "40 paths " << 1000 * a#0 << " " << finite a#1 << endl
b = elapsedTiming(r = solveSystem T)
<< "128 paths " << 1000 * b#0 << " " << finite b#1 << endl
"""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "platform.m2")
        with open(path, "w") as file:
            file.write(text)
        done = subprocess.run([program, "--script", path], capture_output=True, text=True)
    for line in done.stdout.splitlines():
        if " paths " in line:
            count, _, ms, roots = line.split()
            least(table, f"Macaulay2, {count} paths", float(ms), int(roots))
    if "40 paths" not in done.stdout:
        print("Macaulay2 did not run:", done.stderr.strip()[-300:])


def main():
    arguments = argparse.ArgumentParser(usage=__doc__)
    arguments.add_argument("--rounds", type=int, default=3)
    there = glob.glob(os.path.join(sysconfig.get_paths()["purelib"], "sage_wheels/bin/M2"))
    arguments.add_argument("--macaulay", default=there[0] if there else None)
    told = arguments.parse_args()
    given = json.loads(subprocess.run([OURS, "write"], capture_output=True, text=True, check=True).stdout)
    table = {}
    for _ in range(told.rounds):
        ours(table)
        try:
            bertini(given, table)
        except ImportError:
            print("no bertini2 here: left out")
        if told.macaulay:
            macaulay(told.macaulay, given, table)
        else:
            print("no Macaulay2 here: left out")
    base = min(ms for name, (ms, _) in table.items() if "2 thread" in name)
    print("| | roots | ms | against two threads of ours |\n|---|---|---|---|")
    for name, (ms, roots) in table.items():
        print(f"| {name} | {roots} | {ms:.1f} | {ms / base:.0f} |")


if __name__ == "__main__":
    main()
