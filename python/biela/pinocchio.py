"""Coordinates of a robot here and in Pinocchio, for who comes from there or compares.

>>> bridge = biela.pinocchio.Bridge(robot, pin_model)  # doctest: +SKIP
>>> q, v = bridge.q(pin_q), bridge.v(pin_q, pin_v)  # doctest: +SKIP

Joints are matched by their names. They differ in order; a continuous joint is an angle here, a cosine and a sine there; quaternions begin
with the scalar here and end with it there; a floating or planar base has its linear velocity in the axes of what carries it here, in its own
there. This module needs NumPy alone: a model of Pinocchio is looked at, not imported.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["Bridge", "rotation"]


def rotation(e: ArrayLike) -> NDArray[np.float64]:
    """Rotation matrix of a unit quaternion, scalar first."""
    w, x, y, z = np.asarray(e, dtype=float)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


class Bridge:
    """Coordinates of ``robot``, a :class:`biela.Robot`, and of ``model``, a ``pinocchio.Model`` of the same file."""

    def __init__(self, robot: Any, model: Any) -> None:
        self.robot, self.model = robot, model
        own = dict(robot.joints)
        self._pairs = []
        for index in range(1, model.njoints):
            name, joint = model.names[index], model.joints[index]
            floating = [n for n, (_, nq, _, _) in own.items() if nq == 7]
            if name not in own and joint.nq == 7 and len(floating) == 1:
                name = floating[0]
            if name not in own and joint.nv == 0:
                # It follows another there too.
                continue
            if name not in own:
                raise ValueError(f"joint '{name}' has no coordinates of its own here; it may follow another (mimic=True)")
            self._pairs.append((joint.nq, joint.nv, joint.idx_q, joint.idx_v, *own[name]))

    def q(self, q_pin: NDArray[np.float64]) -> NDArray[np.float64]:
        """Positions here."""
        q = np.zeros(self.robot.nq)
        for nq, nv, iq, _, jq, kq, _, _ in self._pairs:
            p = q_pin[iq : iq + nq]
            if (nq, nv) == (2, 1):
                q[jq] = np.arctan2(p[1], p[0])
            elif (nq, nv) == (4, 3) and kq == 3:
                q[jq : jq + 3] = p[0], p[1], np.arctan2(p[3], p[2])
            elif (nq, nv) == (4, 3):
                q[jq : jq + 4] = p[3], p[0], p[1], p[2]
            elif nq == 7:
                q[jq : jq + 7] = p[6], p[3], p[4], p[5], p[0], p[1], p[2]
            else:
                q[jq : jq + kq] = p
        return q

    def q_pin(self, q: NDArray[np.float64]) -> NDArray[np.float64]:
        """Positions there."""
        p = np.zeros(self.model.nq)
        for nq, nv, iq, _, jq, kq, _, _ in self._pairs:
            x = q[jq : jq + kq]
            if (nq, nv) == (2, 1):
                p[iq : iq + 2] = np.cos(x[0]), np.sin(x[0])
            elif (nq, nv) == (4, 3) and kq == 3:
                p[iq : iq + 4] = x[0], x[1], np.cos(x[2]), np.sin(x[2])
            elif (nq, nv) == (4, 3):
                p[iq : iq + 4] = x[1], x[2], x[3], x[0]
            elif nq == 7:
                p[iq : iq + 7] = x[4], x[5], x[6], x[1], x[2], x[3], x[0]
            else:
                p[iq : iq + nq] = x
        return p

    def T(self, q: NDArray[np.float64]) -> NDArray[np.float64]:
        """The matrix with v here = T v there, at positions q here. Forces there are its transpose times those here."""
        T = np.zeros((self.robot.nv, self.model.nv))
        for nq, nv, _, iv, jq, kq, jv, _ in self._pairs:
            x = q[jq : jq + kq]
            if nq == 7:
                T[jv : jv + 3, iv + 3 : iv + 6] = np.eye(3)
                T[jv + 3 : jv + 6, iv : iv + 3] = rotation(x[:4])
            elif (nq, nv) == (4, 3) and kq == 3:
                c, s = np.cos(x[2]), np.sin(x[2])
                T[jv : jv + 3, iv : iv + 3] = [[c, -s, 0], [s, c, 0], [0, 0, 1]]
            else:
                T[jv : jv + nv, iv : iv + nv] = np.eye(nv)
        return T

    def T_rate(self, q: NDArray[np.float64], v: NDArray[np.float64]) -> NDArray[np.float64]:
        """The rate of ``T`` at velocities v here."""
        rate = np.zeros((self.robot.nv, self.model.nv))
        for nq, nv, _, iv, jq, kq, jv, _ in self._pairs:
            x = q[jq : jq + kq]
            if nq == 7:
                w = v[jv : jv + 3]
                turning = np.array([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]])
                rate[jv + 3 : jv + 6, iv : iv + 3] = rotation(x[:4]) @ turning
            elif (nq, nv) == (4, 3) and kq == 3:
                c, s = v[jv + 2] * np.cos(x[2]), v[jv + 2] * np.sin(x[2])
                rate[jv : jv + 2, iv : iv + 2] = [[-s, -c], [c, -s]]
        return rate

    def v(self, q_pin: NDArray[np.float64], v_pin: NDArray[np.float64]) -> NDArray[np.float64]:
        """Velocities here."""
        return self.T(self.q(q_pin)) @ v_pin

    def a(
        self, q_pin: NDArray[np.float64], v_pin: NDArray[np.float64], a_pin: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Accelerations here."""
        q = self.q(q_pin)
        T = self.T(q)
        return T @ a_pin + self.T_rate(q, T @ v_pin) @ v_pin

    def tau_pin(self, q: NDArray[np.float64], tau: NDArray[np.float64]) -> NDArray[np.float64]:
        """Generalised forces there of those here."""
        return self.T(q).T @ tau
