"""Calls with what nobody should give: an exception of the usual kind, never a fault of the program, never a hang."""

import itertools
import locale
import random

import biela
import numpy as np
import pytest

pytestmark = pytest.mark.filterwarnings("ignore")

#: Wrong types, wrong shapes, numbers that are none.
AWKWARD = [
    None,
    True,
    0,
    -1,
    2**70,
    1e308,
    float("nan"),
    float("inf"),
    "",
    "x",
    "\0",
    "\ud800",
    b"bytes",
    [],
    [[]],
    [1, 2, 3],
    [float("nan")] * 6,
    [1e308] * 6,
    {},
    {"a": 1},
    {1: "a"},
    object(),
    np.zeros(0),
    np.zeros(6),
    np.full(6, np.nan),
    np.full(6, 1e308),
    np.zeros((0, 6)),
    np.zeros((3, 6)),
    np.zeros((2, 3, 6)),
    np.zeros((3, 12))[:, ::2],
    np.zeros(6, dtype=complex),
    np.zeros(6, dtype=object),
    np.array(["a"] * 6),
    np.zeros((3, 6), order="F", dtype=np.float32),
]


def calls(thing):
    """Public methods of an object, by name."""
    names = [n for n in dir(thing) if not n.startswith("__") and n not in ("save", "view", "_bench")]
    # Asked of the class: properties may raise.
    return [(n, getattr(thing, n)) for n in sorted(names) if callable(getattr(type(thing), n, None))]


def survives(call, *arguments, **options):
    """Whatever comes of it, it is a result or an exception that programs expect; a panic is neither."""
    try:
        call(*arguments, **options)
        return True
    except Exception as error:  # a panic is no Exception
        assert "the program itself failed" not in str(error), (call, arguments, options)
        return False


def test_methods_of_models_take_anything(models):
    arm = models.parent / "crates/biela/tests/reference/puma560.urdf"
    draw = random.Random(1)
    taken = tried = 0
    for make in (lambda: biela.load(arm, gravity=(0, 0, -9.81), unphysical=True), lambda: biela.load(models / "four-bar.toml")):
        for name, _ in calls(make()):
            for arguments in itertools.chain([()], ((a,) for a in AWKWARD)):
                taken += survives(getattr(make(), name), *arguments)
                tried += 1
            m = make()
            for _ in range(60):
                arguments = [draw.choice(AWKWARD) for _ in range(draw.randrange(2, 5))]
                taken += survives(getattr(m, name), *arguments)
                tried += 1
    assert tried > 1500 and taken > 20, (tried, taken)


def test_methods_of_robots_take_anything(models):
    robot = biela.Robot(models.parent / "crates/biela/tests/reference/puma560.urdf", unphysical=True)
    draw = random.Random(3)
    frames = ["link6", "joint1", "link9", np.eye(4), np.stack([np.eye(4)] * 2), np.full((4, 4), np.nan)]
    taken = tried = 0
    for name, call in calls(robot):
        for arguments in itertools.chain([()], ((a,) for a in AWKWARD)):
            taken += survives(call, *arguments)
            tried += 1
        for _ in range(60):
            arguments = [draw.choice(AWKWARD + frames) for _ in range(draw.randrange(2, 5))]
            taken += survives(call, *arguments)
            taken += survives(call, *arguments, out=draw.choice(AWKWARD))
            tried += 2
    assert tried > 1500 and taken > 20, (tried, taken)


@pytest.mark.parametrize("name", ["load", "loads", "sweep", "Model", "Robot"])
def test_doors_take_anything(name, models):
    draw = random.Random(2)
    call = getattr(biela, name)
    words = ["set", "gravity", "unphysical", "steps", "end", "start", "analysis", "formulation", "vary", "measure", "drive"]
    for a in AWKWARD:
        survives(call, a)
    for _ in range(300):
        options = {draw.choice(words): draw.choice(AWKWARD) for _ in range(draw.randrange(3))}
        first = draw.choice([*AWKWARD, models / "four-bar.toml", "[bodies.a]\n", models])
        survives(call, first, **options)


def test_results_take_anything(models):
    results = biela.load(models / "four-bar.toml").run(steps=5)
    for a in AWKWARD:
        survives(lambda: results[a])
        for name, call in calls(results):
            survives(call, a)


def test_states_that_are_no_numbers_are_told(models):
    arm = biela.load(models.parent / "crates/biela/tests/reference/puma560.urdf", gravity=(0, 0, -9.81), unphysical=True)
    q = np.zeros(arm.nv)
    q[2] = np.nan
    found = arm.rnea(q, q, q)
    assert np.isnan(found).any(), "what goes in as no number does not come out as one"
    with pytest.raises(Exception):
        arm.rnea(np.zeros(arm.nv + 1), np.zeros(arm.nv), np.zeros(arm.nv))


def test_a_comma_locale_changes_nothing(models):
    m = biela.load(models / "slider-crank.toml")
    first = {n: np.array(m.run(steps=20)[n]) for n in m.run(steps=20).names}
    for name in ("de_DE.UTF-8", "fr_FR.UTF-8", "de_DE"):
        try:
            locale.setlocale(locale.LC_ALL, name)
        except locale.Error:
            continue
        try:
            again = biela.load(models / "slider-crank.toml").run(steps=20)
            assert all((np.array(again[n]) == first[n]).all() for n in first)
        finally:
            locale.setlocale(locale.LC_ALL, "C")
