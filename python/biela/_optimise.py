"""Optimisation: parameters such that curves are met, measures small and limits kept."""

from __future__ import annotations

import json
import os

from . import _biela
from ._model import Model
from ._show import Plot


class _Drawn(Plot):
    """The figure of an optimisation."""

    def __init__(self, svg):
        self.svg = svg

    def save(self, path):
        """Writes the diagram as .svg."""
        if not os.fspath(path).lower().endswith(".svg"):
            raise _biela.BielaError("this diagram is written as .svg; biela optimise --plot writes .png too")
        with open(path, "w", encoding="utf-8", newline="") as file:
            file.write(self.svg)


class Optimum:
    """What was found: ``report`` is that of ``biela optimise --json``, ``model`` the model with the best parameters, ``plot``
    wanted and obtained curves where there are any."""

    def __init__(self, report, model, plot):
        self.report, self.model, self.plot = report, model, plot

    @property
    def parameters(self):
        """The best parameters, in SI."""
        return self.report["parameters"]

    @property
    def error(self):
        """What was made small: the sum of squares of the curves, and the measures against what they were."""
        return self.report["after"]["error"]

    @property
    def starts(self):
        """Where each start led, the best first."""
        return self.report["starts"]

    def __repr__(self):
        return f"<biela.Optimum: error {self.error:.6g} of {len(self.starts)} starts>"


def _plain(value):
    """Lists and numbers as TOML has them, out of arrays too."""
    if isinstance(value, dict):
        return {str(name): _plain(inner) for name, inner in value.items()}
    if hasattr(value, "tolist"):
        return value.tolist()
    if isinstance(value, (list, tuple)):
        return [_plain(inner) for inner in value]
    return value


def optimise(
    model,
    vary=None,
    fit=None,
    *,
    minimise=None,
    limit=None,
    starts=None,
    samples=None,
    seed=None,
    iterations=None,
    formulation=None,
    newton=None,
    threads=None,
):
    """Finds parameters of a model; what is not given is the model's ``[optimise]``.

    ``vary`` maps parameters to bounds (``"0.5:3"`` or ``(0.5, 3)``), ``fit`` names to curves
    (``{"signals": ["coupler.P.x", "coupler.P.y"], "points": [[1, 2], [1, 3]], "t": [0, 0.1]}``, times where they are
    prescribed, or ``"wanted": ["expression of t"]``), ``minimise`` names to measures (``"rms(motor.effort)"``), ``limit`` names
    to limits (``"max(abs(B.fx)) <= 50 N"``). The result is the same for any number of ``threads``.
    """
    goal = {
        "vary": vary,
        "fit": fit,
        "minimise": minimise,
        "limit": limit,
        "starts": starts,
        "samples": samples,
        "seed": seed,
        "iterations": iterations,
    }
    given = {key: _plain(value) for key, value in goal.items() if value is not None}
    source = model._source()
    if given:
        model = Model(_source=source)
        model._edit("optimise", None, given)
    report, text, figure = _biela.optimise(model, formulation, newton, threads)
    best = Model(_source={**source, "text": text, "set": [], "values": []})
    return Optimum(json.loads(report), best, None if figure is None else _Drawn(figure))
