"""Kinematics and dynamics of rigid-body mechanisms.

>>> import biela
>>> m = biela.load("four-bar.toml")
>>> r = m.run()
>>> r["rocker.P2.y"]  # doctest: +SKIP

Models come from files (:func:`load`), texts (:func:`loads`) or code (:class:`Model`); :class:`Robot` is what is asked of open chains and trees. Whatever is wrong with a model or
with what is asked of it is a :class:`BielaError` with the message of the command line.
"""

from . import pinocchio
from ._biela import (
    AssemblyError,
    BielaError,
    CapacityError,
    DriveError,
    EquilibriumError,
    FileError,
    InputError,
    MotionError,
    Results,
    SingularError,
    __version__,
    read,
)
from ._model import Model, load, loads
from ._optimise import Optimum, optimise
from ._robot import BaseParameters, Robot
from ._show import Page, Plot
from ._sweep import Sweep, sweep

__all__ = [
    "AssemblyError",
    "BaseParameters",
    "BielaError",
    "CapacityError",
    "DriveError",
    "EquilibriumError",
    "FileError",
    "InputError",
    "Model",
    "MotionError",
    "Optimum",
    "Page",
    "Plot",
    "Results",
    "Robot",
    "SingularError",
    "Sweep",
    "__version__",
    "load",
    "loads",
    "optimise",
    "pinocchio",
    "read",
    "sweep",
]
