#!/usr/bin/env python3
"""Wall time of the plain command beside that of an empty process, in turns: 1001 points of the slider-crank with all its columns, as CSV.

usage: command.py [ROUNDS]           60 unless told; the program is BIELA_PROGRAM, or target/release/biela

Told are least milliseconds of `/bin/true`, of the command over an older file and of the command with a new one, each less the empty process.
"""
import os
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PROGRAM = os.environ.get("BIELA_PROGRAM", os.path.join(ROOT, "target", "release", "biela"))


def wall(command):
    start = time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - start


def main():
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 60
    model = os.path.join(ROOT, "models", "slider-crank.toml")
    with tempfile.TemporaryDirectory() as folder:
        old, new = os.path.join(folder, "old.csv"), os.path.join(folder, "new.csv")
        command = [PROGRAM, "run", model, "--steps", "1000", "-o"]
        least = {"empty process": 9.0, "over an older file": 9.0, "a new file": 9.0}
        for _ in range(rounds):
            least["empty process"] = min(least["empty process"], wall(["/bin/true"]))
            least["over an older file"] = min(least["over an older file"], wall([*command, old]))
            least["a new file"] = min(least["a new file"], wall([*command, new]))
            os.remove(new)
        with open(old) as table:
            columns, points = len(table.readline().split(",")), sum(1 for _ in table)
    empty = least.pop("empty process")
    print(f"{points} points, {columns} columns; empty process {empty * 1e3:.2f} ms")
    for name, seconds in least.items():
        print(f"{name}: {(seconds - empty) * 1e3:.2f} ms more")


if __name__ == "__main__":
    main()
