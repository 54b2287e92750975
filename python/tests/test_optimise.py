"""Optimisation: the program's report, an optimum that the closed form confirms, goals given in code."""

import json

import biela
import numpy as np
import pytest

POINTS = np.array([[3, 3], [2.759, 3.363], [2.372, 3.663], [1.890, 3.862], [1.355, 3.943]])
ANGLES = np.pi / 6 + np.pi / 12 * np.arange(5)


def error(p):
    """Sum of squared distances of the coupler point, by the law of cosines."""
    crank, coupler, rocker, ground, px, py = p
    b = crank * np.exp(1j * ANGLES)
    d = ground - b
    inner = np.arccos((coupler**2 + abs(d) ** 2 - rocker**2) / (2 * coupler * abs(d)))
    point = b + (px + 1j * py) * np.exp(1j * (np.angle(d) + inner))
    return np.sum(abs(point - (POINTS[:, 0] + 1j * POINTS[:, 1])) ** 2)


def test_the_report_is_the_programs(models, cli):
    theirs = json.loads(cli("optimise", models / "path-arc.toml", "--starts", 2, "--samples", 20, "--json"))
    found = biela.load(models / "path-arc.toml").optimise(starts=2, samples=20, threads=1)
    assert found.report == theirs and len(found.starts) == 2
    best = [found.parameters[name] for name in ("crank", "coupler", "rocker", "ground", "px", "py")]
    assert found.error == pytest.approx(error(best), rel=1e-9) and found.error < 7.5e-7
    for k in range(6):
        for step in (1e-4, -1e-4):
            moved = np.array(best)
            moved[k] *= 1 + step
            assert error(moved) > error(best) * (1 - 1e-6)
    # The model that comes back has the best parameters and meets the points.
    r = found.model.run(steps=4)
    path = np.column_stack([r["coupler.P.x"], r["coupler.P.y"]])
    assert np.sum((path - POINTS) ** 2) == pytest.approx(found.error, rel=1e-6)
    assert found.plot.svg.startswith("<svg") or "<svg" in found.plot.svg


def test_goals_in_code(models):
    m = biela.load(models / "slider-crank.toml")
    found = biela.optimise(
        m,
        vary={"crank": (1, 3), "rod": "3:6"},
        fit={"piston": {"signals": ["piston.x"], "points": np.array([[5.0], [3.0]]), "t": [0.0, 0.25]}},
        starts=1,
    )
    assert found.error < 1e-20 and found.plot is not None
    r = found.model.run()
    assert r["piston.x"][0] == pytest.approx(5.0, abs=1e-10) and r["piston.x"][25] == pytest.approx(3.0, abs=1e-10)
    small = biela.optimise(
        m, {"crank": (1, 3), "rod": (3, 6)}, minimise={"size": "crank + rod"}, limit={"stroke": "range(piston.x) >= 4.5"}, starts=1
    )
    # The stroke of a centred slider-crank is twice the crank; 100 steps meet the dead centres almost.
    assert small.parameters["crank"] == pytest.approx(2.25, rel=1e-3) and small.parameters["rod"] == pytest.approx(3, rel=1e-6)
    assert small.report["limits_kept"] and small.plot is None


def test_faults_are_told(models):
    m = biela.load(models / "slider-crank.toml")
    with pytest.raises(biela.BielaError, match="does not say what to optimise"):
        m.optimise()
    with pytest.raises(biela.BielaError, match="did you mean 'crank'"):
        m.optimise(vary={"crnk": (1, 2)}, minimise={"a": "rod"})
