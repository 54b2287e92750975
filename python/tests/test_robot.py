"""biela.Robot: identities, finite differences, batches, `out`, inverse kinematics, robots made of others."""

import pickle

import biela
import numpy as np
import pytest

pytestmark = pytest.mark.filterwarnings("ignore")

#: Sums in another order, of numbers up to some hundreds.
ROUNDING = 1e-9
#: Central differences with steps of 1e-6: rounding over the step.
DIFFERENCES = 1e-6

EVERY_JOINT = """
gravity = [0.3, -0.2, -9.81]
bodies.a = { mass = 2, com = [0.1, 0.02, 0], inertia = [0.02, 0.03, 0.025] }
bodies.b = { mass = 1, com = [0, 0.1, 0.05], inertia = [0.01, 0.02, 0.015] }
bodies.c = { mass = 1.5, com = [0.05, 0, 0.1], inertia = [0.02, 0.02, 0.03] }
bodies.d = { mass = 0.7, com = [0.02, 0.03, 0.04], inertia = [0.004, 0.005, 0.006], points = { tip = [0.1, 0.2, 0.3] } }
bodies.e = { mass = 0.5, com = [0.01, 0, 0.02], inertia = [0.002, 0.003, 0.004] }
joints.turn  = { type = "revolute", bodies = ["ground", "a"], at = [[0, 0, 0.2], [0, 0, 0]], axis = "y" }
joints.ball  = { type = "spherical", bodies = ["a", "b"], at = [[0.3, 0, 0], [0, 0, 0]] }
joints.slide = { type = "prismatic", bodies = ["b", "c"], at = [[0, 0.2, 0], [0, 0, 0]], axis = "x" }
joints.table = { type = "planar", bodies = ["c", "d"], at = [[0, 0, 0.2], [0, 0, 0]], axis = "z" }
joints.screw = { type = "screw", bodies = ["a", "e"], at = [[0, 0.1, 0], [0, 0, 0]], axis = "z", pitch = 0.2 }
"""

TEXTS = {
    "every joint": EVERY_JOINT,
    # Bodies that nothing joins to the ground float.
    "floating": EVERY_JOINT.replace('"ground", "a"', '"base", "a"')
    + "bodies.base = { mass = 3, com = [0.01, 0.02, 0.03], inertia = [0.05, 0.06, 0.07] }",
    "followed": EVERY_JOINT
    + """
bodies.f = { mass = 0.8, com = [0.05, 0.02, 0], inertia = [0.003, 0.004, 0.005] }
joints.follow = { type = "revolute", bodies = ["c", "f"], at = [[0.1, 0, 0], [0, 0, 0]], axis = "x" }
couplings.gear = { type = "gear", joints = ["turn", "follow"], ratio = -1.5, offset = 0.2 }
""",
    # Its angle is no straight line of the joint's.
    "rotor": EVERY_JOINT
    + """
[rotors.motor]
body = "a"
axis = [0, 0.6, 0.8]
at = [0.1, 0, 0]
mass = 0.3
inertia = [0.001, 0.001, 0.004]
angle = "20*turn.angle + sin(2*turn.angle)*screw.angle"
""",
    "outer first": EVERY_JOINT.replace('"a", "b"], at = [[0.3, 0, 0], [0, 0, 0]]', '"b", "a"], at = [[0, 0, 0], [0.3, 0, 0]]'),
}


@pytest.fixture
def puma(models):
    return biela.Robot(models.parent / "crates/biela/tests/reference/puma560.urdf", unphysical=True)


@pytest.fixture(params=["puma", "floating", "every joint", "followed", "rotor", "outer first"])
def robot(request, models):
    puma = models.parent / "crates/biela/tests/reference/puma560.urdf"
    if request.param == "puma":
        return biela.Robot(puma, unphysical=True)
    return biela.Robot(biela.loads(TEXTS[request.param]))


def state(robot, seed=1):
    draw = np.random.default_rng(seed)
    return robot.random(seed=seed), *(draw.uniform(-1, 1, robot.nv) for _ in range(2))


def slopes(robot, q, call, h=1e-6):
    """Derivatives along velocity coordinates, by central differences: last axis."""
    columns = []
    for e in np.eye(robot.nv):
        columns.append((call(robot.integrate(q, h * e)) - call(robot.integrate(q, -h * e))) / (2 * h))
    return np.stack(columns, axis=-1)


def along(robot, q, v, call, h=1e-6):
    """The rate of something of q along a motion with velocities v."""
    return (call(robot.integrate(q, h * v)) - call(robot.integrate(q, -h * v))) / (2 * h)


def test_differences_lead_from_one_configuration_to_the_other(robot):
    p, q = robot.random(50, seed=1), robot.random(50, seed=2)
    d = robot.difference(p, q)
    there = robot.integrate(p, d)
    # The same configuration: bodies stand in the same places, whatever whole turns and signs of quaternions are.
    assert np.abs(robot.fk(there) - robot.fk(q)).max() < ROUNDING
    assert np.abs(robot.difference(p, there) - d).max() < ROUNDING
    assert np.abs(robot.integrate(p, 0 * d) - p).max() < ROUNDING
    half = robot.interpolate(p, q, np.full(50, 0.5))
    assert np.abs(robot.difference(p, half) - d / 2).max() < 1e-7
    low, high, *_ = robot.limits
    bounded = np.isfinite(low) & np.isfinite(high)
    names = [robot.positions.index(n) for n in np.array(robot.velocities)[bounded]]
    assert np.all(p[:, names] >= low[bounded]) and np.all(p[:, names] <= high[bounded])


@pytest.mark.parametrize("axes", ["aligned", "local", "world"])
def test_jacobians_are_derivatives_of_poses_and_their_rates_those_of_jacobians(robot, axes):
    q, v, a = state(robot)
    for frame in {robot.bodies[-1], robot.bodies[0], robot.frames[-1], *[f for f in robot.frames if f.endswith("tip")]}:
        X, dX = robot.fk(q, frame), along(robot, q, v, lambda q: robot.fk(q, frame))
        turning = dX[:3, :3] @ X[:3, :3].T
        w = np.array([turning[2, 1], turning[0, 2], turning[1, 0]])
        u = dX[:3, 3]
        due = {"aligned": (u, w), "local": (X[:3, :3].T @ u, X[:3, :3].T @ w), "world": (u - np.cross(w, X[:3, 3]), w)}[axes]
        assert np.abs(robot.velocity(q, v, frame, axes) - np.concatenate(due)).max() < DIFFERENCES
        rate = along(robot, q, v, lambda q: robot.jacobian(q, frame, axes))
        assert np.abs(robot.jacobian_rate(q, v, frame, axes) - rate).max() < DIFFERENCES
        assert np.abs(robot.jacobian(q, frame, axes.upper()) - robot.jacobian(q, frame, axes)).max() == 0


def test_the_matrix_of_velocity_products_is_what_it_is_called(robot):
    q, v, _ = state(robot)
    C, rate = robot.coriolis(q, v), along(robot, q, v, robot.crba)
    assert np.abs(C @ v + robot.gravity_forces(q) - robot.bias(q, v)).max() < ROUNDING
    skew = rate - 2 * C
    assert np.abs(skew + skew.T).max() < DIFFERENCES
    assert np.abs(robot.minverse(q) @ robot.crba(q) - np.eye(robot.nv)).max() < 1e-7


def test_derivatives(robot):
    q, v, a = state(robot)
    size = max(1.0, np.abs(robot.rnea(q, v, a)).max())
    dq, dv, da = robot.rnea_derivatives(q, v, a)
    assert np.abs(dq - slopes(robot, q, lambda q: robot.rnea(q, v, a))).max() < 1e-5 * size
    tau = robot.rnea(q, v, a)
    ddq, ddv, dtau = robot.aba_derivatives(q, v, tau)
    assert np.abs(ddq + dtau @ dq).max() < 1e-6 * max(1.0, np.abs(ddq).max())
    assert np.abs(da - robot.crba(q)).max() < ROUNDING and np.abs(dtau - robot.minverse(q)).max() < 1e-7 * np.abs(dtau).max()
    try:
        h_q, f_q, f_v, A = robot.momentum_derivatives(q, v, a)
    except biela.BielaError as error:
        assert "rotors" in str(error) and robot.nv < 10
        return
    assert np.abs(h_q - slopes(robot, q, lambda q: robot.momentum(q, v))).max() < DIFFERENCES * 10
    assert np.abs(f_q - slopes(robot, q, lambda q: robot.momentum_rate(q, v, a))).max() < DIFFERENCES * 100
    assert np.abs(A - robot.momentum_matrix(q)).max() == 0
    h = 1e-5
    by_v = [(robot.momentum_rate(q, v + h * e, a) - robot.momentum_rate(q, v - h * e, a)) / (2 * h) for e in np.eye(robot.nv)]
    assert np.abs(f_v - np.array(by_v).T).max() < DIFFERENCES


def test_momentum(robot):
    q, v, a = state(robot)
    A = robot.momentum_matrix(q)
    assert np.abs(A @ v - robot.momentum(q, v)).max() < ROUNDING
    assert np.abs(robot.momentum_matrix_rate(q, v) - along(robot, q, v, robot.momentum_matrix)).max() < DIFFERENCES * 10
    assert np.abs(A @ a + robot.momentum_matrix_rate(q, v) @ v - robot.momentum_rate(q, v, a)).max() < ROUNDING
    assert np.abs(along(robot, q, v, robot.com) - robot.com_jacobian(q) @ v).max() < DIFFERENCES
    # What the joints do is what energy takes up.
    power = along(robot, q, v, robot.potential_energy)
    assert abs(power - v @ robot.gravity_forces(q)) < 1e-5
    assert abs(robot.kinetic_energy(q, v) - v @ robot.crba(q) @ v / 2) < ROUNDING


def test_forces_are_linear_in_the_inertial_parameters(robot):
    q, v, a = state(robot)
    Y = robot.regressor(q, v, a)
    assert Y.shape == (robot.nv, len(robot.parameters)) and len(robot.parameter_names) == len(robot.parameters)
    assert np.abs(Y @ robot.parameters - robot.rnea(q, v, a)).max() < ROUNDING
    base = robot.base_parameters()
    for seed in range(3):
        Y = robot.regressor(*state(robot, seed + 10))
        found = Y[:, base.independent] @ base.matrix
        assert np.abs(found - Y).max() < 1e-6 * max(1.0, np.abs(Y).max())
    rows = np.concatenate([robot.regressor(*state(robot, seed)) for seed in range(120)])
    assert len(base) == np.linalg.matrix_rank(rows, tol=1e-8 * np.linalg.norm(rows, 2))


def test_the_puma_has_36_base_parameters(puma):
    # Mayeda, Yoshida, Osuka 1990: six turning joints, of which the first is parallel to gravity.
    base = puma.base_parameters()
    assert len(base) == 36 and len(base.expressions()) == 36
    assert np.allclose(base.values, base.matrix @ puma.parameters)


def test_batches_are_single_states(robot):
    q = robot.random(11, seed=3)
    v, a = np.random.default_rng(1).uniform(-1, 1, (2, 11, robot.nv))
    frame = robot.bodies[-1]
    calls = {
        "integrate": lambda q, v, a: robot.integrate(q, v),
        "fk": lambda q, v, a: robot.fk(q, frame),
        "all": lambda q, v, a: robot.fk(q),
        "jacobian": lambda q, v, a: robot.jacobian(q, frame, "local"),
        "rate": lambda q, v, a: robot.jacobian_rate(q, v, frame),
        "acceleration": lambda q, v, a: robot.acceleration(q, v, a, frame),
        "rnea": robot.rnea,
        "aba": robot.aba,
        "crba": lambda q, v, a: robot.crba(q),
        "minverse": lambda q, v, a: robot.minverse(q),
        "coriolis": lambda q, v, a: robot.coriolis(q, v),
        "regressor": robot.regressor,
        "com": lambda q, v, a: robot.com(q),
        "momentum": lambda q, v, a: robot.momentum(q, v),
        "rnea_derivatives": lambda q, v, a: np.stack(robot.rnea_derivatives(q, v, a), axis=-3),
        "aba_derivatives": lambda q, v, a: np.stack(robot.aba_derivatives(q, v, a), axis=-3),
        "energies": lambda q, v, a: np.stack(robot.energies(q, v), axis=-1),
    }
    for name, call in calls.items():
        single = np.stack([call(*x) for x in zip(q, v, a)])
        batch = call(q, v, a)
        assert batch.shape == single.shape, name
        assert np.abs(batch - single).max() < ROUNDING * max(1.0, np.abs(single).max()), name


def test_results_go_where_they_are_wanted(puma):
    q, v, a = state(puma)
    for shape, call in [
        ((6,), lambda out: puma.rnea(q, v, a, out=out)),
        ((6, 6), lambda out: puma.crba(q, out=out)),
        ((4, 4), lambda out: puma.fk(q, "link3", out=out)),
        ((6, 6), lambda out: puma.jacobian(q, "link3", out=out)),
    ]:
        out = np.full(shape, np.nan)
        assert call(out) is out and np.array_equal(out, call(None))
        for wrong in [np.zeros((7, 7)), np.zeros(shape, dtype=np.float32), np.zeros(shape).tolist(), np.zeros((*shape, 2))[..., 0]]:
            with pytest.raises(biela.BielaError, match="'out'"):
                call(wrong)
        fixed = np.zeros(shape)
        fixed.flags.writeable = False
        with pytest.raises(biela.BielaError, match="'out'"):
            call(fixed)
    with pytest.raises(biela.BielaError, match="shares memory"):
        puma.rnea(q, v, a, out=v)
    with pytest.raises(biela.BielaError, match=r"shape \(5\)"):
        puma.rnea(np.zeros(5))
    # Other byte orders, slices and lists are NumPy's to convert.
    due = puma.rnea(q, v, a)
    for other in [q.astype(">f8"), np.stack([q, q], axis=1)[:, 0], q.tolist()]:
        assert np.array_equal(puma.rnea(other, v, a), due)


def test_postures_reach_poses(puma):
    q = puma.random(seed=5)
    X = puma.fk(q, "link6")
    found = puma.ik("link6", X, start=q)
    assert np.abs(puma.fk(found, "link6") - X).max() < 1e-8 and np.abs(puma.difference(q, found)).max() < 1e-6
    everything = puma.ik_all("link6", X, limits=False)
    assert len(everything) == 8
    assert np.abs(puma.fk(everything, "link6") - X).max() < 1e-8
    low, high = puma.limits[:2]
    several = puma.ik_all("link6", np.stack([X, X]), limits=False)
    assert len(several) == 2 and all(np.array_equal(each, everything) for each in several)
    within = puma.ik_all("link6", X)
    assert 1 <= len(within) <= 8 and np.all((within >= low - 1e-9) & (within <= high + 1e-9))
    far = X.copy()
    far[:3, 3] = 100
    with pytest.raises(biela.BielaError, match="reaches the pose"):
        puma.ik("link6", far)
    with pytest.raises(biela.BielaError, match="homogeneous"):
        puma.ik("link6", 2 * X)
    place = puma.ik("link6", X, orientation=False)
    assert np.abs(puma.fk(place, "link6")[:3, 3] - X[:3, 3]).max() < 1e-8


def test_postures_follow_a_path(puma):
    start = np.array([0.2, -0.5, 0.3, 0.4, 0.6, -0.3])
    path = puma.fk(puma.interpolate(np.tile(start, (20, 1)), np.tile(start + 0.4, (20, 1)), np.linspace(0, 1, 20)), "link6")
    q = puma.ik("link6", path, start=start)
    assert q.shape == (20, 6) and np.abs(puma.fk(q, "link6") - path).max() < 1e-8
    assert np.abs(np.diff(q, axis=0)).max() < 0.05
    path[10, :3, 3] = 50
    with pytest.raises(biela.BielaError, match="pose 11 of 20"):
        puma.ik("link6", path, start=start)


def test_a_floating_robot_has_postures_too(models):
    robot = biela.Robot(biela.loads(EVERY_JOINT))
    q = robot.random(seed=4)
    found = robot.ik("d.tip", robot.fk(q, "d.tip"))
    assert np.abs(robot.fk(found, "d.tip") - robot.fk(q, "d.tip")).max() < 1e-7


def test_locked_joints_stay_where_they_are(robot):
    q, v, a = state(robot)
    name = "table" if "table" in robot.joints else "joint3"
    jq, nq, jv, nv = robot.joints[name]
    kept_q = np.delete(np.arange(robot.nq), np.arange(jq, jq + nq))
    kept = np.delete(np.arange(robot.nv), np.arange(jv, jv + nv))
    less = robot.lock(name, q)
    assert less.nv == robot.nv - nv and name not in less.joints
    v[jv : jv + nv] = a[jv : jv + nv] = 0
    assert np.abs(less.rnea(q[kept_q], v[kept], a[kept]) - robot.rnea(q, v, a)[kept]).max() < ROUNDING
    assert np.abs(less.fk(q[kept_q]) - robot.fk(q)).max() < ROUNDING
    with pytest.raises(biela.BielaError, match="no joint 'nothing'"):
        robot.lock("nothing")


def test_robots_are_put_together(puma):
    X = np.eye(4)
    X[:3, :3] = [[0, -1, 0], [1, 0, 0], [0, 0, 1]]
    X[:3, 3] = 0.1, 0.2, 0.3
    both = puma.append(puma, "link6", X, prefix="second_")
    assert both.nv == 12 and "second_link6" in both.bodies
    p, q = puma.random(2, seed=7)
    end = both.fk(np.concatenate([p, q]), "second_link6")
    assert np.abs(end - puma.fk(p, "link6") @ X @ puma.fk(q, "link6")).max() < ROUNDING
    with pytest.raises(biela.BielaError, match="prefix"):
        puma.append(puma, "link6")


def test_robots_can_be_pickled(puma):
    q = puma.random(seed=1)
    for robot in [puma, puma.lock("joint2", q), puma.append(puma, "link6", prefix="b_")]:
        again = pickle.loads(pickle.dumps(robot))
        q = robot.random(seed=2)
        assert again.velocities == robot.velocities and np.array_equal(again.rnea(q), robot.rnea(q))


def test_gravity_is_the_files_own_or_said_or_the_usual_one(models):
    puma = models.parent / "crates/biela/tests/reference/puma560.urdf"
    assert biela.Robot(puma, unphysical=True).gravity == (0, 0, -9.81)
    assert biela.Robot(puma, unphysical=True, gravity=(0, 0, -1.6)).gravity == (0, 0, -1.6)
    assert biela.Robot(biela.loads(EVERY_JOINT)).gravity == (0.3, -0.2, -9.81)
    assert "gravity (0.0, 0.0, -9.81)" in repr(biela.Robot(puma, unphysical=True))


def test_the_page_has_a_slider_for_each_joint(puma, tmp_path):
    page = puma.view(puma.random(seed=1))
    assert "<iframe" in page._repr_html_() and "http://" not in page.html.replace("http://www.w3.org", "")
    page.save(tmp_path / "robot.html")
    assert all(f'"{name}' in page.html for name in puma.joints)


def test_frames_are_bodies_points_and_joints(puma):
    assert {"link1", "joint1"} <= set(puma.frames)
    with pytest.raises(biela.BielaError, match="no frame 'link9'"):
        puma.fk(puma.neutral(), "link9")
    with pytest.raises(biela.BielaError, match="no axes 'sideways'"):
        puma.jacobian(puma.neutral(), "link1", "sideways")


def test_what_is_doubtful_is_an_error_where_asked(tmp_path):
    path = tmp_path / "arm.urdf"
    path.write_text(
        '<robot name="r"><link name="a"/><link name="b"><inertial><mass value="0"/></inertial></link>'
        '<joint name="j" type="continuous"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/></joint></robot>'
    )
    assert biela.Robot(path).nv == 1
    for call in (biela.Robot, biela.load):
        with pytest.raises(biela.BielaError, match="no <inertia>|mass is 0"):
            call(path, strict=True)
