#!/usr/bin/env python3
"""Generated C beside the general algorithms: nanoseconds a call of one state, and their ratio, in interleaved rounds.

    cargo build --release && benches/generated.py models/puma-560.toml [--gravity 0,0,-9.81] [--compiler cc] [--rounds 5]

Both take 256 random states and count the least repeat. The code is compiled with -O3 -march=native.
"""

import argparse
import json
import pathlib
import re
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
QUANTITIES = ["rnea", "crba", "aba", "minverse", "rnea_derivatives", "aba_derivatives"]

DRIVER = """
#include "NAME.h"
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
enum { STATES = 256, REPEATS = 200 };
static double now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec * 1e9 + t.tv_nsec; }
static double number(void) { return 2.0 * rand() / RAND_MAX - 1.0; }
int main(void) {
    double sum = 0;
CALLS
    return sum == 12345.678;
}
"""


def driver(name, header):
    """A program that times every function of a header."""
    calls = ""
    for comment, function, arguments in re.findall(rf"/\* (.*?)\*/\s*void {name}_(\w+)\(([^)]*)\);", header, re.S):
        sizes = dict(re.findall(r"(?:in |out) (\w+)\[(\d+)\]", comment))
        order = re.findall(r"\*\s*(\w+)", arguments)
        given = [a for a in order if f"in  {a}[" in comment or f"in {a}[" in comment]
        calls += "    {\n"
        for a in order:
            calls += f"        static double {a}[STATES][{sizes[a]}];\n"
        for a in given:
            reach = "3.14159 * " if a == "q" else ""
            calls += f"        for (int i = 0; i < STATES; i++) for (int k = 0; k < {sizes[a]}; k++) {a}[i][k] = {reach}number();\n"
        calls += "        double least = 1e300;\n        for (int r = 0; r < REPEATS; r++) {\n            double t = now();\n"
        calls += f"            for (int i = 0; i < STATES; i++) {name}_{function}({', '.join(a + '[i]' for a in order)});\n"
        calls += "            t = (now() - t) / STATES;\n            if (t < least) least = t;\n"
        calls += f"            for (int i = 0; i < STATES; i++) sum += {order[-1]}[i][0];\n        }}\n"
        calls += f'        printf("{function} %.2f\\n", least);\n    }}\n'
    return DRIVER.replace("NAME", name).replace("CALLS", calls)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model")
    parser.add_argument("--gravity")
    parser.add_argument("--compiler", default="cc")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    biela = [str(ROOT / "target/release/biela")]
    more = ["--gravity", options.gravity] if options.gravity else []
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder)
        command = ["generate", options.model, *more, "--quantity", ",".join(QUANTITIES), "--name", "arm", "-o", folder]
        subprocess.run(biela + command, check=True)
        (path / "main.c").write_text(driver("arm", (path / "arm.h").read_text()))
        build = [options.compiler, "-std=gnu99", "-O3", "-march=native", "arm.c", "main.c", "-o", "timed", "-lm"]
        subprocess.run(build, cwd=folder, check=True)
        code, general = {}, {}
        for _ in range(options.rounds):
            for line in subprocess.run([path / "timed"], capture_output=True, text=True, check=True).stdout.split("\n"):
                if line:
                    name, least = line.split()
                    code[name] = min(code.get(name, 1e300), float(least))
            run = biela + ["bench", options.model, *more, "--json", "--batch", "0"]
            calls = json.loads(subprocess.run(run, capture_output=True, text=True, check=True).stdout)["calls"]
            for name in QUANTITIES:
                general[name] = min(general.get(name, 1e300), calls[name]["min_ns"])
    print("| quantity | general, ns | generated, ns | general / generated |\n|---|---|---|---|")
    for name in QUANTITIES:
        print(f"| {name} | {general[name]:.0f} | {code[name]:.0f} | {general[name] / code[name]:.2f} |")


if __name__ == "__main__":
    main()
