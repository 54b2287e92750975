"""Time of calls from Python beside the same calls in Rust, and beside Pinocchio's binding where it is installed, for a six-joint arm.

    python benches/python_calls.py [model]

Least of many repeats; all sides in one process, by turns.
"""

import pathlib
import sys
import time
import warnings

import biela
import numpy as np

try:
    import pinocchio
except ImportError:
    pinocchio = None

COUNT = 10_000
ROUNDS = 5


def least(call, repeats, calls=1):
    best = float("inf")
    for _ in range(repeats):
        start = time.perf_counter()
        for _ in range(calls):
            call()
        best = min(best, (time.perf_counter() - start) / calls)
    return best


def peers(path, nv):
    """Pinocchio's calls of one state: results stay in its data, but for the pose."""
    if pinocchio is None:
        return {}
    model = pinocchio.buildModelFromUrdf(str(path))
    if model.nv != nv:
        return {}
    data = model.createData()
    q, v, a = (np.random.default_rng(k).uniform(-2, 2, nv) for k in range(3))
    joint = model.njoints - 1

    def fk():
        pinocchio.forwardKinematics(model, data, q)
        return data.oMi[joint].homogeneous

    return {
        "rnea": lambda: pinocchio.rnea(model, data, q, v, a),
        "crba": lambda: pinocchio.crba(model, data, q),
        "aba": lambda: pinocchio.aba(model, data, q, v, a),
        "fk": fk,
    }


def main():
    default = pathlib.Path(__file__).parents[1] / "crates/biela/tests/reference/puma560.urdf"
    path = sys.argv[1] if len(sys.argv) > 1 else default
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        m = biela.load(path, gravity=(0, 0, -9.81), unphysical=True)
    robot = biela.Robot(m)
    q, v, a = (np.random.default_rng(k).uniform(-2, 2, (COUNT, m.nv)) for k in range(3))
    one = tuple(np.ascontiguousarray(x[0]) for x in (q, v, a))
    tip = robot.bodies[-1]
    vector, matrix, pose = np.zeros(m.nv), np.zeros((m.nv, m.nv)), np.zeros((4, 4))
    calls = {
        "rnea": (robot.rnea, one, (q, v, a), vector),
        "crba": (robot.crba, one[:1], (q,), matrix),
        "aba": (robot.aba, one, (q, v, a), vector),
        "fk": (robot.fk, (one[0], tip), (q, tip), pose),
    }
    others = peers(path, m.nv)
    best = {}

    def keep(name, side, seconds):
        best[name, side] = min(best.get((name, side), float("inf")), seconds)

    for _ in range(ROUNDS):
        for name, single, batch in m._bench(COUNT, 20):
            keep(name, "rust", single)
            keep(name, "rust batch", batch / COUNT)
        for name, (call, state, states, out) in calls.items():
            keep(name, "python", least(lambda: call(*state), 20, 1000))
            keep(name, "out", least(lambda: call(*state, out=out), 20, 1000))
            keep(name, "batch", least(lambda: call(*states), 10) / COUNT)
            if name in others:
                keep(name, "pinocchio", least(others[name], 20, 1000))
    print(f"{m.name}, {m.nv} velocities: nanoseconds a state, least")
    print(f"{'':6}{'Rust':>8}{'Python':>8}{'more':>8}{'out=':>8}{'more':>8}{'Pinocchio':>11}{'ratio':>7}{'batch: Rust':>13}{'Python':>8}{'ratio':>7}")
    for name in calls:
        rust, python, out = (1e9 * best[name, side] for side in ("rust", "python", "out"))
        peer = 1e9 * best.get((name, "pinocchio"), float("nan"))
        rows, batch = 1e9 * best[name, "rust batch"], 1e9 * best[name, "batch"]
        print(
            f"{name:6}{rust:8.0f}{python:8.0f}{python - rust:8.0f}{out:8.0f}{out - rust:8.0f}{peer:11.0f}{peer / python:7.2f}"
            f"{rows:13.1f}{batch:8.1f}{batch / rows:7.2f}"
        )


if __name__ == "__main__":
    main()
