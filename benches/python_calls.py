"""Time of one call of rnea from Python beside the same call in Rust, for a six-joint arm.

    python benches/python_calls.py [model]

Least of many repeats; both sides in one process, one after the other.
"""

import pathlib
import sys
import time

import biela
import numpy as np

COUNT = 10_000


def least(call, repeats, calls=1):
    best = float("inf")
    for _ in range(repeats):
        start = time.perf_counter()
        for _ in range(calls):
            call()
        best = min(best, (time.perf_counter() - start) / calls)
    return best


def main():
    default = pathlib.Path(__file__).parents[1] / "crates/biela/tests/reference/puma560.urdf"
    m = biela.load(sys.argv[1] if len(sys.argv) > 1 else default, gravity=(0, 0, -9.81), unphysical=True)
    q, v, a = (np.random.default_rng(k).uniform(-2, 2, (COUNT, m.nv)) for k in range(3))
    state = tuple(np.ascontiguousarray(x[0]) for x in (q, v, a))
    rounds = [
        (m._bench_rnea(COUNT, 50), least(lambda: m.rnea(*state), 50, 1000), least(lambda: m.rnea(q, v, a), 50))
        for _ in range(5)
    ]
    rust = [min(r[0][k] for r in rounds) for k in range(3)]
    one, batch = (min(r[k] for r in rounds) for k in (1, 2))
    print(f"rnea, {m.name}, {m.nv} velocities")
    print(f"one state: Rust {1e6 * rust[0]:.3f} us, Python {1e6 * one:.3f} us, {1e6 * (one - rust[0]):.3f} us more")
    print(f"{COUNT} states: Rust {1e3 * rust[1]:.3f} ms, Python {1e3 * batch:.3f} ms, ratio {batch / rust[1]:.3f}")
    print(f"(both from and to arrays of shape (N, n); Rust with states that stay packed in lanes: {1e3 * rust[2]:.3f} ms)")


if __name__ == "__main__":
    main()
