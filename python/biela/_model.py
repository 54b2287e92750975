"""Models: from files, from texts, and built in code."""

from __future__ import annotations

import os
import warnings as _warnings

import numpy as np

from . import _biela


def _pairs(given):
    return [(str(name), value if isinstance(value, str) else repr(float(value))) for name, value in (given or {}).items()]


def _vector(given):
    return None if given is None else [float(x) for x in given]


class Model(_biela.Model):
    """A mechanism, built in code with the words of the model file.

    >>> m = Model("pendulum", gravity=[0, -9.81, 0])
    >>> m.body("rod", mass=1.0, com=[0.5, 0, 0], inertia=[0, 0.1, 0.1])
    >>> m.joint("pivot", "revolute", ["ground", "rod"], at=[0, 0, 0], axis="z")
    >>> m.initial({"pivot.angle": "30 deg"})
    >>> r = m.run("dynamics", end=2.0)

    ``Model({...})`` takes a whole model as nested dicts. Keys and values are those of the TOML file: numbers in SI, or
    texts with expressions and units.
    """

    def __new__(cls, source=None, *, _source=None, **options):
        if _source is not None:
            return super().__new__(cls, **_source)
        tree = source if isinstance(source, dict) else ({} if source is None else {"name": str(source)})
        return super().__new__(cls, tree={**tree, **options}, file="model in code")

    def __init__(self, *arguments, **options):
        """Everything is done where the object is made."""

    def body(self, name, **keys):
        """Adds a body, or puts it in the place of one of that name: ``points``, ``mass``, ``com``, ``inertia``, ``pose`` …"""
        self._edit("bodies", name, keys)

    def joint(self, name, type, bodies, **keys):
        """Adds a joint of a type between two bodies: ``at``, ``axis``, ``zero``, ``limits`` …"""
        self._edit("joints", name, {"type": type, "bodies": list(bodies), **keys})

    def coupling(self, name, type, **keys):
        """Adds a coupling: gear, rack, belt, cam, coupling."""
        self._edit("couplings", name, {"type": type, **keys})

    def driver(self, name, **keys):
        """Adds a driver: ``joint`` and ``value``, or ``point``, ``along`` and ``value``,
        or ``angle`` and ``value``, or ``body`` and ``orientation``; ``effort`` with any of them."""
        self._edit("drivers", name, keys)

    def force(self, name, type, **keys):
        """Adds a load: force, torque, spring, damper, joint-spring, friction …"""
        self._edit("forces", name, {"type": type, **keys})

    def signal(self, name, expression):
        """Names an expression of signals: ``m.signal("power", "motor.effort * O.angle.rate")``."""
        self._edit("signals", None, {name: expression})

    def parameter(self, name, value):
        """Sets a parameter: a number in SI or an expression."""
        self._edit("parameters", None, {name: value})

    def with_parameters(self, **values):
        """The same mechanism with other values of parameters, in SI. Nothing is read again: it takes microseconds.

        >>> m = Model("pendulum", parameters={"length": 1.0})
        >>> m.body("rod", mass=1.0, com=["length/2", 0, 0], inertia=[0, 0.1, 0.1])
        >>> m.joint("pivot", "revolute", ["ground", "rod"], at=[0, 0, 0], axis="z")
        >>> m.with_parameters(length=2.0).parameters
        {'length': 2.0}
        """
        given = [(name, float(value)) for name, value in values.items()]
        return Model(_source={"bound": (self, given)})

    def initial(self, values):
        """Sets the start of a dynamic run by signal names: ``{"O.angle": "30 deg"}``."""
        self._edit("initial", None, dict(values))

    def settings(self, **keys):
        """Sets keys of ``[run]``: ``analysis``, ``end``, ``steps`` …"""
        self._edit("run", None, keys)

    def to_dict(self):
        """The model as nested dicts (Python 3.11 or later)."""
        import tomllib

        return tomllib.loads(self.to_toml())

    def save(self, path):
        """Writes the model as a TOML file, with the values that its parameters have.

        A model that was loaded from a text and changed by nothing but values of parameters keeps everything else of that text, comments
        too; one that was built or edited in code is written anew. Other options of loading are not part of it.
        """
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.to_toml())

    def ik(self, tool, *, path=None, keep=(), redundancy=None, **where):
        """Joint coordinates, rates and accelerations for the path of a tool (``link.point`` or ``link``).

        ``x``, ``y``, ``z``, ``roll``, ``pitch``, ``yaw`` are numbers or expressions of ``t``. Instead of them ``path`` may be
        a dict, DataFrame or :class:`Results` of columns ``t``, ``x``, ``y``, ``z`` and ``e0`` … ``e3`` or ``roll``, ``pitch``,
        ``yaw``, in SI. A pose out of reach gets the nearest one; the column ``distance`` says how far it is.
        """
        unknown = set(where) - {"x", "y", "z", "roll", "pitch", "yaw"}
        if unknown:
            raise TypeError(f"ik() has no argument {', '.join(sorted(unknown))}")
        texts = {name: value if isinstance(value, str) else repr(float(value)) for name, value in where.items()}
        if path is not None:
            if isinstance(path, _biela.Results):
                path = path.to_dict()
            path = [(str(name), np.array(path[name], dtype=float, ndmin=1)) for name in path]
        return self._ik(tool, path=path, keep=list(keep), redundancy=redundancy, **texts)

    def optimise(self, **goal):
        """Finds parameters such that curves are met, measures small and limits kept: :func:`biela.optimise`."""
        from ._optimise import optimise

        return optimise(self, **goal)

    def view(self):
        """Solves the model and shows it in motion: a page for notebooks and files."""
        return self.run().view()

    def __repr__(self):
        try:
            return f"<biela.Model '{self.name}': {len(self.bodies)} bodies, {len(self.joints)} joints>"
        except _biela.BielaError:
            return "<biela.Model, not complete>"

    def __reduce__(self):
        return _rebuilt, (self._source(),)


def _rebuilt(source):
    return Model(_source=source)


def _made(source, options):
    known = {"set", "drive", "gravity", "unphysical", "lenient", "strict", "free_base", "start", "end", "steps", "analysis", "units", "mode"}
    unknown = set(options) - known
    if unknown:
        raise TypeError(f"no option {', '.join(sorted(unknown))}; options are {', '.join(sorted(known))}")
    given = {**options, "set": _pairs(options.get("set")), "drive": _pairs(options.get("drive"))}
    given["gravity"] = _vector(options.get("gravity"))
    model = Model(_source={**source, **given})
    for warning in model.warnings:
        _warnings.warn(warning, stacklevel=3)
    return model


def load(path, **options):
    """Reads a model: TOML, URDF, a DH table, or a folder with the thesis's four text files.

    ``set={"crank": 2.2}`` overrides parameters, ``drive={"elbow": "30 deg*sin(t)"}`` drives joints, ``gravity=(0, 0, -9.81)``
    stands in place of the model's own; ``unphysical``, ``lenient``, ``strict``, ``free_base``, ``start``, ``end``, ``steps``,
    ``analysis``, ``units`` and ``mode`` are as on the command line. Warnings are Python's.
    """
    return _made({"path": os.fspath(path)}, options)


def loads(text, *, file="text", folder="", **options):
    """Reads a model from a text in TOML. Tables and meshes are looked for in ``folder``. Options are those of :func:`load`."""
    return _made({"text": text, "file": file, "folder": os.fspath(folder)}, options)
