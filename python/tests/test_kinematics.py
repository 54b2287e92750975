"""Model.kinematics: the figures of runs, for N designs at a time."""

import biela
import numpy as np
import pytest

# Two ways to positions of a few metres, accurate to 1e-14 of them; accelerations are of order ten.
AGREEMENT = 1e-10
PARTS = ["position", "attitude", "velocity", "angular_velocity", "acceleration", "angular_acceleration"]


def of_run(run, body):
    """The same figures from the columns of a run."""
    axes = {
        "position": ["x", "y", "z"],
        "attitude": ["e0", "e1", "e2", "e3"],
        "velocity": ["vx", "vy", "vz"],
        "angular_velocity": ["wx", "wy", "wz"],
        "acceleration": ["ax", "ay", "az"],
        "angular_acceleration": ["alx", "aly", "alz"],
    }
    return {part: np.stack([run[f"{body}.{axis}"] for axis in names], axis=-1) for part, names in axes.items()}


def agrees(found, k, model, bodies):
    run = model.run()
    assert np.array_equal(found["t"], run["t"])
    for b, body in enumerate(bodies):
        for part, due in of_run(run, body).items():
            assert np.abs(found[part][k, :, b] - due).max() < AGREEMENT, (k, body, part)


@pytest.mark.parametrize(
    ("name", "parameter", "values", "bodies"),
    [
        ("four-bar", "coupler", np.linspace(7.9, 8.1, 11), ["crank", "coupler", "rocker"]),
        ("slider-crank", "rod", [3.4, 3.5, 3.6], ["crank", "rod", "piston"]),
        # Loops in space, and one driven at several points.
        ("stewart-platform", "rb", np.linspace(0.595, 0.605, 9), None),
        ("double-wishbone", "travel", [0.058, 0.06, 0.0615], None),
        ("spherical-four-bar", "AB", [2.99, 3.0, 3.01], None),
        # A rod that may spin about its line, which is held from the drawing on.
        ("rssr", "omega", [1.0, 1.5], None),
    ],
)
def test_designs_are_those_of_runs(models, name, parameter, values, bodies):
    m = biela.load(models / f"{name}.toml")
    bodies = bodies or [b for b in m.bodies if b != "ground"]
    found = m.kinematics({parameter: values})
    for part, width in zip(PARTS, [3, 4, 3, 3, 3, 3]):
        assert found[part].shape == (len(values), len(found["t"]), len(bodies), width)
    assert found["failed"] == {}
    for k, value in enumerate(values):
        agrees(found, k, biela.load(models / f"{name}.toml", set={parameter: value}), bodies)


def test_mechanisms_in_space_have_the_same_bits_whatever_stands_beside_them(models):
    m = biela.load(models / "stewart-platform.toml")
    values = [0.6, 0.598, 0.603, 0.7, 0.601, 0.597, 0.599, 0.602, 0.604, 0.6005, 0.5995]
    all_of_them = m.kinematics({"rb": values})
    assert all_of_them["failed"] == {}
    for k, value in enumerate(values):
        alone = m.kinematics({"rb": [value]})
        for part in PARTS:
            assert np.array_equal(alone[part][0], all_of_them[part][k]), (k, part)


def test_a_design_has_the_same_bits_whatever_stands_beside_it(models):
    m = biela.load(models / "four-bar.toml")
    values = [8.0, 8.05, 3.5, 8.1, 12.9, 7.95, 7.9, 8.02, 8.03, 7.99]
    times = np.linspace(0, 6, 61)
    all_of_them = m.kinematics({"coupler": values}, times=times)
    for k, value in enumerate(values):
        alone = m.kinematics({"coupler": [value]}, times=times)
        for part in PARTS:
            assert np.array_equal(alone[part][0], all_of_them[part][k], equal_nan=True)
        assert (k in all_of_them["failed"]) == (0 in alone["failed"])
    # A coupler of 3.5 cannot reach.
    assert np.isnan(all_of_them["position"][2]).all() and "3.5" not in all_of_them["failed"].get(0, "")
    assert 2 in all_of_them["failed"]


def test_laws_of_joints(models):
    m = biela.load(models / "four-bar.toml")
    laws = ["60 deg + t", "50 deg + 0.5*t", "70 deg + t + 0.1*sin(t)"]
    found = m.kinematics({"A": laws})
    for k, law in enumerate(laws):
        agrees(found, k, biela.load(models / "four-bar.toml", drive={"A": law}), ["crank", "coupler", "rocker"])


def test_what_is_wrong_is_said(models):
    m = biela.load(models / "four-bar.toml")
    with pytest.raises(ValueError, match="as many values"):
        m.kinematics({"coupler": [8.0, 8.1], "rocker": [5.0]})
    with pytest.raises(ValueError, match="not both"):
        m.kinematics({"coupler": [8.0], "A": ["t"]})
    found = m.kinematics({"coupler": [8.0, float("nan"), -1.0]})
    assert sorted(found["failed"]) == [1, 2] and "finite" in found["failed"][1]
    assert not np.isnan(found["position"][0]).any()
