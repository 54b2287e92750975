"""Compares `biela eval` with Pinocchio at random states of the URDFs given.

usage: compare_with_pinocchio.py BIELA MODEL.urdf [MODEL.urdf ...]
"""
import json
import os
import subprocess
import sys
import tempfile

import numpy as np
import pinocchio as pin

# Rounding of sums over some tens of bodies, relative to the largest entry of each result.
AGREEMENT = 1e-9
STATES = 20


def compare(biela, path):
    model = pin.buildModelFromUrdf(path)
    data = model.createData()
    names = list(model.names)[1:]
    rng = np.random.default_rng(7)
    n = model.nv
    states = [[rng.uniform(-np.pi, np.pi, n), rng.uniform(-1, 1, n), rng.uniform(-1, 1, n), rng.uniform(-10, 10, n)]
              for _ in range(STATES)]
    with tempfile.TemporaryDirectory() as folder:
        table, out = os.path.join(folder, "states.csv"), os.path.join(folder, "out.json")
        with open(table, "w") as f:
            f.write(",".join(f"{letter}.{name}" for letter in ("q", "v", "a", "tau") for name in names) + "\n")
            for state in states:
                f.write(",".join(repr(float(x)) for part in state for x in part) + "\n")
        subprocess.run([biela, "eval", path, "--unphysical", "--gravity", "0,0,-9.81", "--states", table, "--quantities",
                        "rnea,crba,aba,minverse,gah,lagrange,rnea_derivatives,aba_derivatives", "-o", out],
                       check=True, stderr=subprocess.DEVNULL)
        found = json.load(open(out))
    # Their joint k is ours number order[k].
    order = [found["joints"].index(name) for name in names]
    vector = lambda x: np.array(x)[order]
    matrix = lambda x: np.array(x)[np.ix_(order, order)]
    worst = {}

    def note(what, ours, theirs):
        size = max(np.max(np.abs(theirs)), 1e-300)
        worst[what] = max(worst.get(what, 0.0), float(np.max(np.abs(ours - theirs)) / size))

    for (q, v, a, tau), ours in zip(states, found["states"]):
        full = lambda M: np.triu(M) + np.triu(M, 1).T
        note("rnea", vector(ours["rnea"]), pin.rnea(model, data, q, v, a))
        M = full(pin.crba(model, data, q))
        note("crba", matrix(ours["crba"]), M)
        note("gah", matrix(ours["gah"]["M"]), M)
        note("lagrange", matrix(ours["lagrange"]["A"]), M)
        note("lagrange C", vector(ours["lagrange"]["C"]), pin.rnea(model, data, q, v, 0 * v))
        note("aba", vector(ours["aba"]), pin.aba(model, data, q, v, tau))
        note("minverse", matrix(ours["minverse"]), full(pin.computeMinverse(model, data, q)))
        dq, dv, _ = pin.computeRNEADerivatives(model, data, q, v, a)
        note("d rnea/dq", matrix(ours["rnea_derivatives"]["dq"]), dq)
        note("d rnea/dv", matrix(ours["rnea_derivatives"]["dv"]), dv)
        pin.computeABADerivatives(model, data, q, v, tau)
        note("d aba/dq", matrix(ours["aba_derivatives"]["dq"]), data.ddq_dq)
        note("d aba/dv", matrix(ours["aba_derivatives"]["dv"]), data.ddq_dv)
    bad = {k: x for k, x in worst.items() if not x < AGREEMENT}
    print(f"{os.path.basename(path)}: {n} joints, {STATES} states, largest difference {max(worst.values()):.1e}"
          + (f", too large: {bad}" if bad else ""))
    return not bad


if not all([compare(sys.argv[1], path) for path in sys.argv[2:]]):
    sys.exit(1)
