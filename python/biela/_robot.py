"""Robots: open chains and trees with all that is asked of them at coordinates, velocities and accelerations."""

from __future__ import annotations

import dataclasses
import os

import numpy as np

from . import _biela
from ._model import load
from ._show import Page

#: Gravity of a robot whose file states none, as URDF never does.
USUAL_GRAVITY = (0.0, 0.0, -9.81)


@dataclasses.dataclass(frozen=True)
class BaseParameters:
    """Combinations of inertial parameters that motions and forces at the joints can tell.

    ``matrix`` has one row for each combination over all of ``Robot.parameters``; ``independent`` are the places of the parameters that head
    them, so that ``robot.regressor(q, v, a)[:, independent] @ (matrix @ robot.parameters)`` are the forces.
    """

    names: list[str]
    independent: list[int]
    matrix: np.ndarray
    values: np.ndarray

    def __len__(self):
        return len(self.independent)

    def expressions(self):
        """The combinations in words, such as ``link1.zz + link2.yy + 0.16*link2.m``."""
        return [_expression(row, self.names) for row in self.matrix]


def _expression(row, names):
    text = ""
    for factor, name in zip(row, names):
        if factor == 0.0:
            continue
        size = "" if abs(abs(factor) - 1.0) < 1e-9 else f"{abs(factor):.6g}*"
        sign = "-" if factor < 0 else "+"
        text += f" {sign} {size}{name}" if text else f"{'-' if factor < 0 else ''}{size}{name}"
    return text


class Robot(_biela.Robot):
    """A robot from a file in any format, or from a :class:`Model`.

    >>> robot = Robot("ur5.urdf")  # doctest: +SKIP
    >>> robot.rnea(robot.neutral())  # doctest: +SKIP

    Options are those of :func:`load`, ``free_base=True`` among them for a robot that stands on nothing. ``gravity`` stands in place of the
    file's own; where neither says anything it is (0, 0, -9.81).

    Every call takes one state, ``q`` of shape (nq), or a batch of them, (N, nq), and then gives (N, ...). Vectors of space have their linear part
    first. Derivatives by q are along velocity coordinates.
    """

    def __new__(cls, source, **options):
        if isinstance(source, _biela.Robot):
            robot = super().__new__(cls, source)
            robot._recipe = getattr(source, "_recipe", None)
            return robot
        model = source if isinstance(source, _biela.Model) else load(os.fspath(source), **options)
        robot = super().__new__(cls, model, USUAL_GRAVITY)
        robot._recipe = (Robot, (model,))
        return robot

    def __init__(self, *arguments, **options):
        """Everything is done where the object is made."""

    def __reduce__(self):
        return self._recipe

    def __repr__(self):
        return f"<biela.Robot '{self.name}': {len(self.bodies)} bodies, {self.nv} velocities, gravity {self.gravity}>"

    def interpolate(self, q0, q1, t):
        """The configuration a part ``t`` of the shortest way from q0 to q1."""
        return self.integrate(q0, np.asarray(t, dtype=float)[..., None] * self.difference(q0, q1))

    def velocity(self, q, v, frame, axes="aligned"):
        """Velocity of a frame, shape (6): linear, then angular; ``axes`` as for ``jacobian``."""
        return _product(self.jacobian(q, frame, axes), v)

    def acceleration(self, q, v, a, frame, axes="aligned"):
        """Rate of the components of ``velocity``: for "aligned" axes the acceleration of the frame's origin, then the angular one."""
        return _product(self.jacobian(q, frame, axes), a) + _product(self.jacobian_rate(q, v, frame, axes), v)

    def bias(self, q, v=None):
        """Generalised forces at zero accelerations: gravity, Coriolis and centrifugal."""
        return self.rnea(q, v)

    def gravity_forces(self, q):
        """Generalised gravity: the forces that hold the robot at rest."""
        return self.rnea(q)

    def kinetic_energy(self, q, v):
        """Kinetic energy."""
        return self.energies(q, v)[0]

    def potential_energy(self, q):
        """Potential energy, zero where the centre of mass is as high as the ground's origin."""
        return self.energies(q)[1]

    def base_parameters(self, seed=0):
        """Which combinations of inertial parameters can be identified, by elimination at random states."""
        independent, matrix = self._base_parameters(seed=seed)
        return BaseParameters(self.parameter_names, independent, matrix, matrix @ self.parameters)

    def ik(self, frame, pose, start=None, *, orientation=True, limits=True):
        """Coordinates that bring a frame to a pose, a homogeneous 4 x 4 matrix: those nearest to ``start``, within the joint limits.

        Of poses (N, 4, 4) each posture follows from the one before, without a jump. ``orientation=False`` asks for the place alone,
        ``limits=False`` lets joints go beyond theirs. A pose that is not reached is a :class:`BielaError` that says how near the nearest comes.
        """
        return self._ik(frame, pose, start, orientation, limits, False)

    def ik_all(self, frame, pose, start=None, *, orientation=True, limits=True):
        """All postures of a serial chain for a pose, shape (K, nq), those nearest to ``start`` first.

        Of poses (N, 4, 4) a list of N such arrays, since poses differ in how many postures they have.
        """
        if np.ndim(pose) == 3:
            return [self._ik(frame, one, start, orientation, limits, True) for one in np.asarray(pose)]
        return self._ik(frame, pose, start, orientation, limits, True)

    def lock(self, joints, q=None):
        """The robot with joints held as they are at ``q`` (neutral if not given): they have no coordinates any more."""
        joints = [joints] if isinstance(joints, str) else list(joints)
        robot = Robot(self._locked(joints, q))
        robot._recipe = (Robot.lock, (self, joints, q))
        return robot

    def append(self, other, frame, pose=None, prefix=""):
        """This robot with another one on a frame of it, moved by ``pose`` in it; names of the other begin with ``prefix``."""
        robot = Robot(self._appended(other, frame, pose, prefix))
        robot._recipe = (Robot.append, (self, other, frame, pose, prefix))
        return robot

    def view(self, q=None):
        """A page with a slider for each joint: notebooks show it, ``save`` writes it; there is no server."""
        return Page(self._view(q))


def _product(matrix, vector):
    return np.einsum("...ij,...j->...i", matrix, np.asarray(vector, dtype=float))
