"""Time of calls from Python beside the same calls in Rust, and beside Pinocchio's binding where it is installed, for a six-joint arm.

    python benches/python_calls.py [model]

Least of many repeats; all sides in one process, by turns.
"""

import pathlib
import sys
import timeit
import warnings

import biela
import numpy as np

try:
    import pinocchio
except ImportError:
    pinocchio = None

COUNT = 10_000
ROUNDS = 5


def least(statement, names, repeats, calls=1):
    """Least time of a statement as it stands in a program: the loop around it is timeit's."""
    return min(timeit.Timer(statement, globals=names).repeat(repeats, calls)) / calls


def peers(path, nv):
    """Pinocchio's calls of one state and their names: results stay in its data, but for the pose."""
    if pinocchio is None:
        return {}, {}
    model = pinocchio.buildModelFromUrdf(str(path))
    if model.nv != nv:
        return {}, {}
    q, v, a = (np.random.default_rng(k).uniform(-2, 2, nv) for k in range(3))
    names = dict(pin=pinocchio, model=model, data=model.createData(), q=q, v=v, a=a, joint=model.njoints - 1)
    calls = {
        "rnea": "pin.rnea(model, data, q, v, a)",
        "crba": "pin.crba(model, data, q)",
        "aba": "pin.aba(model, data, q, v, a)",
        "fk": "pin.forwardKinematics(model, data, q); data.oMi[joint].homogeneous",
    }
    return calls, names


def main():
    default = pathlib.Path(__file__).parents[1] / "crates/biela/tests/reference/puma560.urdf"
    path = sys.argv[1] if len(sys.argv) > 1 else default
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        m = biela.load(path, gravity=(0, 0, -9.81), unphysical=True)
    robot = biela.Robot(m)
    Q, V, A = (np.random.default_rng(k).uniform(-2, 2, (COUNT, m.nv)) for k in range(3))
    q, v, a = (np.ascontiguousarray(x[0]) for x in (Q, V, A))
    names = dict(robot=robot, q=q, v=v, a=a, Q=Q, V=V, A=A, tip=robot.bodies[-1])
    names.update(vector=np.zeros(m.nv), matrix=np.zeros((m.nv, m.nv)), pose=np.zeros((4, 4)))
    calls = {
        "rnea": ("robot.rnea(q, v, a)", "robot.rnea(q, v, a, out=vector)", "robot.rnea(Q, V, A)"),
        "crba": ("robot.crba(q)", "robot.crba(q, out=matrix)", "robot.crba(Q)"),
        "aba": ("robot.aba(q, v, a)", "robot.aba(q, v, a, out=vector)", "robot.aba(Q, V, A)"),
        "fk": ("robot.fk(q, tip)", "robot.fk(q, tip, out=pose)", "robot.fk(Q, tip)"),
    }
    others, other_names = peers(path, m.nv)
    best = {}

    def keep(name, side, seconds):
        best[name, side] = min(best.get((name, side), float("inf")), seconds)

    for _ in range(ROUNDS):
        for name, single, batch in m._bench(COUNT, 20):
            keep(name, "rust", single)
            keep(name, "rust batch", batch / COUNT)
        for name, (single, out, batch) in calls.items():
            keep(name, "python", least(single, names, 20, 1000))
            keep(name, "out", least(out, names, 20, 1000))
            keep(name, "batch", least(batch, names, 10) / COUNT)
            if name in others:
                keep(name, "pinocchio", least(others[name], other_names, 20, 1000))
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
