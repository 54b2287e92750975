#!/usr/bin/env python3
"""All figures of docs/performance.md that a run of some minutes can make, in one go, for a machine with nothing else running.

usage: quiet.py [--python PYTHON] [--pin PIN_NFOURBAR] [--kit KIT --peers OUT] [--only WORD] [--into docs/performance.md] [FOLDER]

PYTHON has biela, pylinkage, numba, exudyn and Pinocchio (pip install . pylinkage numba exudyn pin cmeel-eigen); PIN_NFOURBAR is the peer kit's chain by Pinocchio
(CXX=clang++ KIT/build.sh VENV OUT nfourbar), KIT the kit itself and OUT its programs. What is not given is left out, and said. It takes some five minutes.
Everything is written to FOLDER/figures.md (target/quiet unless told). With --into the section "The figures" of that document becomes what this run has found.
Programs must be built: cargo build --release --workspace --bins
"""
import argparse
import os
import platform
import re
import shutil
import subprocess
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
HEADING = "## The figures"

# Title, command, what is needed for it besides, and the limit of the way that is taken.
SECTIONS = [
    ("A sample, beside a kernel by hand", "{bin}/kinematics", None,
     "A sample evaluates each row, its Jacobian and its factors once. Three instructions in a cycle are executed without wide registers; a kernel written for one "
     "mechanism solves for six unknowns where joint coordinates of a platform have 21, and tells nothing of singular positions or branches."),
    ("The four-bar beside pylinkage", "{python} benches/pylinkage_beside.py", "python",
     "Side by side memory that nobody has touched before costs more than the sample (456 bytes of each are kept); the command's designs are models bound one by one, a fifth of their time."),
    ("Designs a second", "{bin}/designs 8000", None,
     "Numbers of four designs of a loop in space do not fit into registers, so that each product is also a load and a store; of a platform's design a third is formulas."),
    ("A study by the plain command", "{bin}/sweep 100000 plain", None, "Files and their flushing, text of the table and binding are two thirds."),
    ("Chains and the squeezer under forces", "{py} benches/loops.py --rounds 3{pin}{exudyn}", None,
     "One elimination waits for the other: about 4000 products and sums an evaluation of 40 loops are 0.5 µs at two a cycle, against 5 to 8 µs."),
    ("The plain command", "{py} benches/command.py", None,
     "Digits of 126 000 numbers, and the start of a process of that size, 0.8 ms."),
    ("How time grows", "{bin}/growth --most 10000 --rounds 1", None,
     "The work is linear (counted in instructions below). Above that a time's exponent is memory: 100 links stand in the second cache, 1000 in the third, 10 000 in none."),
    ("100 000 links", "{bin}/growth --most 100000 --rounds 1 --only chain\\ in\\ space", None,
     "Making a model of the tree, element by element with names and places for messages, is a quarter of `check`; so are reading the text and its rows together, and factors."),
    ("By formulation", "{bin}/formulations", None, "Caches, from 1000 loops in absolute coordinates on."),
    ("In space and in the plane", "{bin}/planar", None, "In natural coordinates little is left to gain: they find the plane by themselves."),
    ("Trees of n joints", "{bin}/linear", None, "A scalar recursion waits for results as often as it computes."),
    ("Trees beside Pinocchio", "env BIELA_PEERS={kit} BIELA_PEERS_OUT={peers} benches/peers.sh puma560,arm7,humanoid30,chain_12,chain_30,chain_100 1", "kit",
     "See [how far from the core's limit](#how-far-from-the-cores-limit)."),
    ("Calls from Python", "{python} benches/python_calls.py", "python", "Reading the arguments, a third of a microsecond."),
    ("Roots of families", "{bin}/roots", None, "Series, factors and solutions of complex matrices of 8 and 13 columns, a step at a time."),
    ("Binding of parameters", "{bin}/binding", None, "Formulas of the model, evaluated once each."),
]


def ran(command):
    """What a command prints, and its seconds of wall time."""
    ahead = ["chrt", "-f", "10"] if shutil.which("chrt") else []
    if ahead and subprocess.run([*ahead, "true"], capture_output=True).returncode != 0:
        ahead = []
    start = time.perf_counter()
    done = subprocess.run([*ahead, "bash", "-c", command], cwd=ROOT, capture_output=True, text=True)
    return done, time.perf_counter() - start


def shown(text):
    """Tables as they are, other lines as they stand."""
    out, plain = [], []

    def close():
        while plain and not plain[-1].strip():
            plain.pop()
        if plain:
            out.extend(["```", *plain, "```", ""])
            plain.clear()

    for line in text.replace(ROOT + "/", "").splitlines():
        if line.startswith("|"):
            close()
            out.append(line)
        else:
            if out and out[-1].startswith("|"):
                out.append("")
            if line.strip() or plain:
                plain.append(line)
    close()
    return "\n".join(out).strip()


def machine():
    model = next((line.split(":", 1)[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), platform.machine())
    family = next((line.split(":", 1)[1].strip() for line in open("/proc/cpuinfo") if line.startswith("cpu family")), "?")
    load = " ".join(f"{x:.1f}" for x in os.getloadavg())
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True).stdout.strip()
    return f"{os.cpu_count()} cores of {model} (family {family}), {platform.system()}, commit {commit}, load at the start {load} (over 1, 5 and 15 minutes)"


def main():
    p = argparse.ArgumentParser(usage=__doc__)
    p.add_argument("folder", nargs="?", default=os.path.join(ROOT, "target", "quiet"))
    for option in ("--python", "--pin", "--kit", "--peers", "--into"):
        p.add_argument(option)
    p.add_argument("--only", default="")
    a = p.parse_args()
    if not os.path.exists(os.path.join(ROOT, "target", "release", "growth")):
        raise SystemExit("the programs are not built: cargo build --release --workspace --bins")
    os.makedirs(a.folder, exist_ok=True)
    places = {"bin": "target/release", "py": "python3", "python": a.python, "kit": a.kit, "peers": a.peers}
    places["pin"] = f" --pin {a.pin}" if a.pin else ""
    places["exudyn"] = f" --python {a.python}" if a.python else ""
    told = [HEADING, f"Made by `benches/quiet.py` in one run; each program's sides take turns, ahead of other programs. {machine()}."]
    begun = time.perf_counter()
    for title, command, needed, limit in SECTIONS:
        if a.only.lower() not in title.lower():
            continue
        if needed and not places[needed]:
            print(f"{title}: left out, --{needed} is not given")
            continue
        done, seconds = ran(command.format(**places))
        print(f"{title}: {seconds:.0f} s" + ("" if done.returncode == 0 else f", failed: {done.stderr.strip()[-300:]}"))
        shortened = command.format(**{**places, "python": "python", "py": "python3", "pin": " --pin PIN_NFOURBAR" if a.pin else "",
                                      "exudyn": " --python python" if a.python else "", "kit": "KIT", "peers": "OUT"})
        told.append(f"### {title}\n`{shortened}`\n\n{shown(done.stdout)}\n\nLimit: {limit}")
    print(f"all: {time.perf_counter() - begun:.0f} s")
    text = "\n\n".join(told) + "\n"
    with open(os.path.join(a.folder, "figures.md"), "w") as f:
        f.write(text)
    if a.into:
        with open(a.into) as f:
            document = f.read()
        changed, count = re.subn(rf"^{HEADING}$.*?(?=^## )", lambda _: text + "\n", document, flags=re.M | re.S)
        if count != 1:
            raise SystemExit(f"{a.into} has no section '{HEADING}' with another behind it")
        with open(a.into, "w") as f:
            f.write(changed)


if __name__ == "__main__":
    main()
