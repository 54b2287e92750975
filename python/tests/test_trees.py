"""Tree algorithms: batches against single states, and both against `biela eval`."""

import json

import biela
import numpy as np
import pytest

# The well-known data of the arm have an inertia that no body can have, which is a warning.
pytestmark = pytest.mark.filterwarnings("ignore:body 'link3'")

#: Sums in another order, of numbers up to some hundreds.
ROUNDING = 1e-9


@pytest.fixture
def urdf(models):
    return models.parent / "crates/biela/tests/reference/puma560.urdf"


@pytest.fixture
def arm(urdf):
    return biela.load(urdf, gravity=(0, 0, -9.81), unphysical=True)


def states(m, count, seed=1):
    draw = np.random.default_rng(seed)
    return [draw.uniform(-2, 2, (count, m.nv)) for _ in range(3)]


def test_batches_are_single_states(arm):
    # 1003: not a multiple of any number of lanes, and more than one stretch.
    q, v, a = states(arm, 1003)
    tau, M, acceleration = arm.rnea(q, v, a), arm.crba(q), arm.aba(q, v, a)
    assert tau.shape == (1003, arm.nv) and M.shape == (1003, arm.nv, arm.nv)
    tip = arm.bodies[-1]
    poses, J = arm.fk(q, tip), arm.jacobian(q, tip)
    everything = arm.fk(q)
    assert list(everything) == arm.bodies and all(np.array_equal(everything[b], arm.fk(q, b)) for b in arm.bodies)
    for k in [0, 1, 7, 500, 1002]:
        assert np.abs(tau[k] - arm.rnea(q[k], v[k], a[k])).max() < ROUNDING
        assert np.abs(M[k] - arm.crba(q[k])).max() < ROUNDING
        assert np.abs(acceleration[k] - arm.aba(q[k], v[k], a[k])).max() < ROUNDING * np.abs(acceleration[k]).max()
        assert np.array_equal(poses[k], arm.fk(q[k])[tip])
        assert np.array_equal(J[k], arm.jacobian(q[k], tip))
    assert np.abs(np.einsum("nij,nj->ni", M, acceleration) + arm.rnea(q, v) - a).max() < 1e-8
    assert np.abs(arm.rnea(q) - arm.rnea(q, np.zeros_like(q), np.zeros_like(q))).max() == 0.0


def test_the_jacobian_is_the_derivative_of_the_pose(arm):
    q, v, _ = (x[0] for x in states(arm, 1))
    tip, h = arm.bodies[-1], 1e-6
    ahead, behind = arm.fk(q + h * v, tip), arm.fk(q - h * v, tip)
    # Central differences leave h² of the third derivative.
    assert np.abs((ahead - behind)[:3, 3] / (2 * h) - arm.jacobian(q, tip)[:3] @ v).max() < 1e-7
    spin = (ahead - behind)[:3, :3] / (2 * h) @ arm.fk(q, tip)[:3, :3].T
    assert np.abs(np.array([spin[2, 1], spin[0, 2], spin[1, 0]]) - arm.jacobian(q, tip)[3:] @ v).max() < 1e-7


def test_values_are_those_of_eval(arm, urdf, cli, tmp_path):
    q, v, a = states(arm, 5, seed=4)
    names = [f"{letter}.{joint}" for letter in ["q", "v", "a", "tau"] for joint in arm.velocities]
    table = np.hstack([q, v, a, a])
    rows = [",".join(names)] + [",".join(repr(float(x)) for x in row) for row in table]
    (tmp_path / "s.csv").write_text("\n".join(rows))
    cli("eval", urdf, "--unphysical", "--gravity", "0,0,-9.81", "--states", tmp_path / "s.csv",
        "--quantities", "rnea,crba,aba,fk,jacobian", "-o", tmp_path / "o.json")
    told = json.loads((tmp_path / "o.json").read_text())["states"]
    tip = arm.bodies[-1]
    for k, theirs in enumerate(told):
        assert np.abs(arm.rnea(q, v, a)[k] - theirs["rnea"]).max() < ROUNDING
        assert np.abs(arm.crba(q)[k] - theirs["crba"]).max() < ROUNDING
        assert np.allclose(arm.aba(q, v, a)[k], theirs["aba"], rtol=1e-9, atol=ROUNDING)
        assert np.abs(arm.fk(q[k], tip)[:3, 3] - theirs["fk"][tip]["p"]).max() < ROUNDING
        assert np.abs(arm.jacobian(q[k], tip) - theirs["jacobian"][tip]).max() < ROUNDING


def test_any_array_will_do(arm):
    q, v, a = states(arm, 8)
    tau = arm.rnea(q, v, a)
    assert np.array_equal(arm.rnea(q[::2], v[::2], a[::2]), tau[::2])
    assert np.array_equal(arm.rnea(np.asfortranarray(q), v, a), tau)
    assert np.abs(arm.rnea(list(q[0]), v[0], a[0]) - tau[0]).max() < ROUNDING
    assert arm.rnea(np.zeros((0, arm.nq))).shape == (0, arm.nv)
    for wrong in [q[:, :3], q.reshape(2, 4, -1), q[0, :2]]:
        with pytest.raises(biela.BielaError, match="shape"):
            arm.rnea(wrong)
    with pytest.raises(biela.BielaError, match="as many states"):
        arm.rnea(q, v[:3])
    with pytest.raises(biela.BielaError, match="no body|tool"):
        arm.jacobian(q, "nobody")


def test_joints_with_attitudes(tmp_path):
    m = biela.loads("""
        gravity = [0, 0, -9.81]
        bodies.top = { mass = 1, com = [0, 0, 0.1], inertia = [0.01, 0.01, 0.02] }
        joints.ball = { type = "spherical", bodies = ["ground", "top"], at = [0, 0, 0] }
    """)
    assert (m.nq, m.nv) == (4, 3)
    q = np.tile(m.neutral(), (9, 1))
    v = np.random.default_rng(2).normal(size=(9, 3))
    inertia = np.array([0.02, 0.02, 0.02])
    # Euler's equations about the fixed point, at the identity: gravity passes through it.
    expected = np.cross(v, inertia * v)
    assert np.abs(m.rnea(q, v) - expected).max() < 1e-12
