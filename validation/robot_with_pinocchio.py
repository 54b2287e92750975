"""Compares biela.Robot with Pinocchio at random states: every quantity of docs/from-pinocchio.md that both have.

    python validation/robot_with_pinocchio.py URDF...

Each file on a fixed and, where its base has mass, on a floating base, and a robot of continuous, prismatic and revolute joints.
"""

import sys
import tempfile
import warnings

import biela
import numpy as np
import pinocchio as pin
from biela.pinocchio import Bridge

#: Sums in another order; the largest entries are some thousands.
TOLERANCE = 1e-9
#: Central differences are worth less: truncation and rounding of some 1e-7.
BY_DIFFERENCES = 1e-3
STATES = 20

EVERY_JOINT = """<robot name="every joint">
  {links}
  <joint name="turn" type="continuous"><parent link="base"/><child link="a"/><origin xyz="0.1 0 0.2" rpy="0.3 0 0.1"/><axis xyz="0 0 1"/></joint>
  <joint name="slide" type="prismatic"><parent link="a"/><child link="b"/><origin xyz="0 0.2 0.1" rpy="0 0.4 0"/><axis xyz="1 0 0"/>
    <limit lower="-1" upper="1" effort="10" velocity="1"/></joint>
  <joint name="bend" type="revolute"><parent link="b"/><child link="c"/><origin xyz="0.3 0 0" rpy="0 0 0.7"/><axis xyz="0 0.6 0.8"/>
    <limit lower="-2" upper="1.5" effort="10" velocity="1"/></joint>
</robot>"""

LINK = """<link name="{name}"><inertial><origin xyz="0.1 {y} 0.05" rpy="0.1 0.2 0.3"/><mass value="{mass}"/>
  <inertia ixx="0.02" ixy="0.001" ixz="-0.002" iyy="0.03" iyz="0.0015" izz="0.025"/></inertial></link>"""


def every_joint():
    links = "".join(LINK.format(name=name, y=0.03 * k, mass=1 + k) for k, name in enumerate(["base", *"abc"]))
    file = tempfile.NamedTemporaryFile("w", suffix=".urdf", delete=False)
    file.write(EVERY_JOINT.format(links=links))
    file.close()
    return file.name


def difference(found, due):
    return np.abs(np.asarray(found) - np.asarray(due)).max() / max(1.0, np.abs(due).max())


def quantities(robot, model, draw):
    """Pairs of the same quantity here and there at one random state."""
    data, bridge = model.createData(), Bridge(robot, model)
    p = pin.randomConfiguration(model, np.full(model.nq, -2.0), np.full(model.nq, 2.0))
    vp, ap, tp = (draw.uniform(-1, 1, model.nv) for _ in range(3))
    q, v, a = bridge.q(p), bridge.v(p, vp), bridge.a(p, vp, ap)
    T, Tr = bridge.T(q), bridge.T_rate(q, v)
    tau = np.linalg.solve(T.T, tp)
    yield "positions there and back", bridge.q_pin(q), _near(model, bridge.q_pin(q), p)
    M = T.T @ robot.crba(q) @ T
    yield "rnea", T.T @ robot.rnea(q, v, a), pin.rnea(model, data, p, vp, ap)
    yield "crba", M, _whole(pin.crba(model, data, p))
    acc = robot.aba(q, v, tau)
    yield "aba", np.linalg.solve(T, acc - Tr @ vp), pin.aba(model, data, p, vp, tp)
    Ti = np.linalg.inv(T)
    yield "minverse", Ti @ robot.minverse(q) @ Ti.T, _whole(pin.computeMinverse(model, data, p))
    yield "coriolis", T.T @ (robot.coriolis(q, v) @ T + robot.crba(q) @ Tr), pin.computeCoriolisMatrix(model, data, p, vp)
    yield "gravity", T.T @ robot.gravity_forces(q), pin.computeGeneralizedGravity(model, data, p)
    yield "bias", T.T @ (robot.bias(q, v) + robot.crba(q) @ Tr @ vp), pin.nonLinearEffects(model, data, p, vp)
    yield "kinetic energy", robot.kinetic_energy(q, v), pin.computeKineticEnergy(model, data, p, vp)
    yield "potential energy", robot.potential_energy(q), pin.computePotentialEnergy(model, data, p)
    yield from _momentum(robot, model, data, (p, vp, ap), (q, v, a), (T, Tr))
    yield from _frames(robot, model, data, (p, vp, ap), (q, v, a), (T, Tr))
    yield from _regressor(robot, model, data, (p, vp, ap), (q, v, a), T)
    if all(joint.nv == 1 for joint in list(model.joints)[1:]):
        # Derivatives by a floating base's coordinates are by other coordinates there.
        pin.computeRNEADerivatives(model, data, p, vp, ap)
        dq, dv, da = (T.T @ x @ T for x in robot.rnea_derivatives(q, v, a))
        yield "rnea by q", dq, data.dtau_dq
        yield "rnea by v", dv, data.dtau_dv
        yield "rnea by a", da, _whole(data.M)
        pin.computeABADerivatives(model, data, p, vp, tp)
        dq, dv, dtau = (Ti @ x @ y for x, y in zip(robot.aba_derivatives(q, v, tau), (T, T, Ti.T)))
        yield "aba by q", dq, data.ddq_dq
        yield "aba by v", dv, data.ddq_dv
        yield "aba by tau", dtau, _whole(data.Minv)
        pin.computeCentroidalDynamicsDerivatives(model, data, p, vp, ap)
        names = "momentum rate by q", "momentum rate by v", "momentum rate by a"
        by_q, *found = robot.momentum_derivatives(q, v, a)
        for name, found, due in zip(names, found, pin.getCentroidalDynamicsDerivatives(model, data)[1:]):
            yield name, found @ T, due
        # What it gives as the derivative of the momentum itself is not that of its own momentum: differences are.
        slopes = [_slope(lambda p: pin.computeCentroidalMomentum(model, data, p, vp).vector, model, p, e) for e in np.eye(model.nv)]
        yield "momentum by q", (by_q @ T - np.array(slopes).T) * BY_DIFFERENCES, 0.0
        step = draw.uniform(-0.5, 0.5, model.nv)
        yield "integrate", robot.integrate(q, T @ step), bridge.q(pin.integrate(model, p, step))
        other = pin.randomConfiguration(model, np.full(model.nq, -2.0), np.full(model.nq, 2.0))
        yield "difference", Ti @ robot.difference(q, bridge.q(other)), pin.difference(model, p, other)


def _slope(call, model, p, e, h=1e-5):
    return (call(pin.integrate(model, p, h * e)).copy() - call(pin.integrate(model, p, -h * e))) / (2 * h)


def _near(model, a, b):
    """b, with quaternions on the side of a."""
    b = b.copy()
    for joint in model.joints:
        if joint.nq in (4, 7) and joint.nv > 2:
            part = slice(joint.idx_q + joint.nq - 4, joint.idx_q + joint.nq)
            if a[part] @ b[part] < 0:
                b[part] = -b[part]
    return b


def _whole(matrix):
    upper = np.triu(matrix)
    return upper + np.triu(upper, 1).T


def _momentum(robot, model, data, there, here, maps):
    (p, vp, ap), (q, v, a), (T, Tr) = there, here, maps
    pin.dccrba(model, data, p, vp)
    yield "momentum matrix", robot.momentum_matrix(q) @ T, data.Ag
    yield "momentum matrix rate", robot.momentum_matrix_rate(q, v) @ T + robot.momentum_matrix(q) @ Tr, data.dAg
    yield "momentum", robot.momentum(q, v), data.hg.vector
    pin.computeCentroidalMomentumTimeVariation(model, data, p, vp, ap)
    yield "momentum rate", robot.momentum_rate(q, v, a), data.dhg.vector
    yield "centre of mass", robot.com(q), pin.centerOfMass(model, data, p)
    yield "its Jacobian", robot.com_jacobian(q) @ T, pin.jacobianCenterOfMass(model, data, p)


def _frames(robot, model, data, there, here, maps):
    (p, vp, ap), (q, v, a), (T, Tr) = there, here, maps
    pin.computeJointJacobiansTimeVariation(model, data, p, vp)
    pin.forwardKinematics(model, data, p, vp, ap)
    pin.updateFramePlacements(model, data)
    axes = {"local": pin.LOCAL, "world": pin.WORLD, "aligned": pin.LOCAL_WORLD_ALIGNED}
    bodies = [b for b in robot.bodies if model.existFrame(b, pin.BODY)]
    for body in bodies[:: max(1, len(bodies) // 4)]:
        frame = model.getFrameId(body, pin.BODY)
        yield "pose", robot.fk(q, body), data.oMf[frame].homogeneous
        for word, there in axes.items():
            J, rate = robot.jacobian(q, body, word), robot.jacobian_rate(q, v, body, word)
            yield f"Jacobian, {word}", J @ T, pin.getFrameJacobian(model, data, frame, there)
            due = pin.getFrameJacobianTimeVariation(model, data, frame, there)
            yield f"Jacobian rate, {word}", rate @ T + J @ Tr, due
            yield f"velocity, {word}", robot.velocity(q, v, body, word), pin.getFrameVelocity(model, data, frame, there).vector
        classical = pin.getFrameClassicalAcceleration(model, data, frame, pin.LOCAL_WORLD_ALIGNED).vector
        yield "acceleration", robot.acceleration(q, v, a, body), classical


def _regressor(robot, model, data, there, here, T):
    """Y times the parameters that the other program has: ten of each joint, of all that is fixed to it."""
    (p, vp, ap), (q, v, a) = there, here
    due = pin.rnea(model, data, p, vp, ap)
    yield "regressor", T.T @ robot.regressor(q, v, a) @ robot.parameters, due
    theirs = pin.computeJointTorqueRegressor(model, data, p, vp, ap)
    # Columns: theirs are m, m c, then xx xy yy xz yz zz; ours xx yy zz xy xz yz.
    order = [0, 1, 2, 3, 4, 6, 9, 5, 7, 8]
    for joint in range(1, model.njoints):
        body = next((f.name for f in model.frames if f.parentJoint == joint and f.type == pin.FrameType.BODY), None)
        if body not in robot.bodies or not model.frames[model.getFrameId(body, pin.BODY)].placement.isIdentity(1e-12):
            continue
        at = 10 * robot.bodies.index(body)
        ours = T.T @ robot.regressor(q, v, a)[:, at : at + 10]
        yield "regressor of a body", ours, theirs[:, 10 * (joint - 1) : 10 * joint][:, order]


def compare(path, floating):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        robot = biela.Robot(path, free_base=floating, unphysical=True)
    model = pin.buildModelFromUrdf(path, pin.JointModelFreeFlyer()) if floating else pin.buildModelFromUrdf(path)
    if np.linalg.cond(robot.crba(robot.random(seed=1))) > 1e12:
        print(f"{robot.name}: not on a floating base, whose link has no mass")
        return True
    draw, worst = np.random.default_rng(1), {}
    pin.seed(1)
    for _ in range(STATES):
        for name, found, due in quantities(robot, model, draw):
            worst[name] = max(worst.get(name, 0.0), difference(found, due))
    print(f"{robot.name}{' on a floating base' if floating else ''}: {len(worst)} quantities, worst {max(worst.values()):.1e}")
    wrong = {name: x for name, x in worst.items() if not x < TOLERANCE}
    for name, x in wrong.items():
        print(f"  {name}: {x:.1e}")
    return not wrong


def main():
    files = [*sys.argv[1:], every_joint()]
    results = [compare(path, floating) for path in files for floating in (False, True)]
    sys.exit(0 if all(results) else 1)


if __name__ == "__main__":
    main()
