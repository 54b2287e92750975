"""Models and results: the package says what the program says."""

import gc
import json
import pickle
import threading
import time

import biela
import numpy as np
import pytest


def test_values_are_the_programs(models, cli, tmp_path):
    for name in ["four-bar", "slider-crank", "puma-560"]:
        path = models / f"{name}.toml"
        cli("run", path, "-o", tmp_path / "r.npz", "--steps", 20)
        theirs = biela.read(tmp_path / "r.npz")
        ours = biela.load(path).run(steps=20)
        assert ours.names == theirs.names and len(ours) == 21
        for signal in ours.names:
            assert np.array_equal(ours[signal], theirs[signal], equal_nan=True), (name, signal)
        ours.write(tmp_path / "again.csv")
        cli("run", path, "-o", tmp_path / "r.csv", "--steps", 20)
        assert (tmp_path / "again.csv").read_bytes() == (tmp_path / "r.csv").read_bytes()


def test_check_verify_assemble_and_ik(models, cli, tmp_path):
    path = models / "four-bar.toml"
    m = biela.load(path)
    assert m.check() == json.loads(cli("check", path, "--json"))
    assert m.assemble(all=True) == json.loads(cli("assemble", path, "--all", "--json"))
    assert m.verify()["position"]["difference"] < 1e-9
    assert set(m.parameters) >= {"crank", "coupler"} and "rocker" in m.bodies
    arm = models / "two-link-hand.toml"
    text = biela.load(arm)
    tool = text.bodies[-1]
    place = text.run().select([f"{tool}.x", f"{tool}.y"])
    found = text.ik(tool, path={"t": place["t"], "x": place[f"{tool}.x"], "y": place[f"{tool}.y"]})
    # The path was made by the arm itself, so it is reached everywhere.
    assert found["distance"].max() < 1e-9


def test_options_reach_the_model(models):
    m = biela.load(models / "four-bar.toml", set={"crank": "2100 mm"}, gravity=(0, 0, -9.81))
    assert m.parameters["crank"] == 2.1
    again = pickle.loads(pickle.dumps(m))
    assert again.parameters == m.parameters
    assert np.array_equal(again.run()["rocker.x"], m.run()["rocker.x"])


def test_errors_are_exceptions_with_the_programs_words(models, cli, tmp_path):
    broken = tmp_path / "broken.toml"
    broken.write_text((models / "four-bar.toml").read_text().replace('"revolute"', '"revolut"', 1))
    with pytest.raises(biela.BielaError) as told:
        biela.load(broken)
    assert str(told.value) in cli("check", broken, ok=False)
    assert "did you mean 'revolute'" in str(told.value)
    assert isinstance(told.value, ValueError)
    m = biela.load(models / "four-bar.toml")
    r = m.run()
    for wrong, words in [
        (lambda: r["rocker.q"], "no signal 'rocker.q'"),
        (lambda: m.run("kinematic"), "did you mean 'kinematics'"),
        (lambda: m.run(formulation="x"), "no formulation 'x'"),
        (lambda: m.run(steps=0), "steps"),
        (lambda: biela.load("nowhere.toml"), "there is no such file"),
        (lambda: biela.loads("= 1"), "text:1"),
        (lambda: biela.load(models / "four-bar.toml", set={"crnk": 1}), "crnk"),
        (lambda: r.write(tmp_path / "x.docx"), "docx"),
        (lambda: r.plot("nothing.*"), "nothing"),
        (lambda: m.rnea([0.0]), "loop"),
    ]:
        with pytest.raises(biela.BielaError, match=words):
            wrong()
    with pytest.raises(TypeError, match="gravty"):
        biela.load(models / "four-bar.toml", gravty=1)


def test_exceptions_say_what_sort_of_fault_it_is(models, tmp_path):
    text = """
        bodies.crank  = { points = { B = [0.1, 0, 0] } }
        bodies.piston = { pose = { at = [0.4, 0, 0] } }
        joints.O     = { type = "revolute",  bodies = ["ground", "crank"],  at = [0, 0, 0], axis = "z" }
        joints.guide = { type = "prismatic", bodies = ["ground", "piston"], at = [[0, %s, 0], [0, 0, 0]], axis = "x" }
        joints.rod   = { type = "distance",  bodies = ["crank", "piston"],  at = ["B", [0, 0, 0]], length = 0.3 }
        %s
    """
    motor = 'drivers.motor = { joint = "O", value = "t" }'
    with pytest.raises(biela.InputError) as told:
        biela.loads("= 1")
    assert told.value.kind == "input" and told.value.time is None
    with pytest.raises(biela.FileError):
        biela.load(tmp_path / "nowhere.toml")
    with pytest.raises(biela.DriveError, match="under-driven"):
        biela.loads(text % (0, "")).run()
    with pytest.raises(biela.AssemblyError) as told:
        biela.loads(text % (5, motor)).run()
    assert told.value.residual > 0.1 and told.value.time == 0 and told.value.reason == "loops-open"
    with pytest.raises(biela.MotionError) as told:
        biela.loads(text % (0.25, motor)).run(end=4)
    assert 0 < told.value.time < 4 and "mechanism" in told.value.element
    with pytest.raises(biela.CapacityError):
        biela.load(models / "four-bar.toml").run(steps=10**7)
    for kind in (biela.SingularError, biela.EquilibriumError):
        assert issubclass(kind, biela.BielaError) and issubclass(kind, ValueError)


def test_columns_share_memory_and_outlive_their_results(models):
    r = biela.load(models / "slider-crank.toml").run()
    a, b = r["piston.x"], r["piston.x"]
    assert np.shares_memory(a, b) and a is not b
    assert not a.flags.writeable and not a.flags.owndata
    with pytest.raises(ValueError):
        a[0] = 1.0
    kept = a.copy()
    del r, b
    gc.collect()
    assert np.array_equal(a, kept)


def test_frames(models):
    r = biela.load(models / "four-bar.toml").run()
    frame = r.to_pandas()
    assert frame.index.name == "t" and list(frame.columns) == r.names[1:]
    assert np.array_equal(frame["rocker.x"].to_numpy(), r["rocker.x"])
    assert frame.attrs["units"]["rocker.x"] == "m"
    table = r.to_arrow()
    assert table.column_names == r.names and table.schema.field("t").metadata[b"unit"] == b"s"
    # Arrow shows the same memory.
    assert table["rocker.x"].chunk(0).buffers()[1].address == r["rocker.x"].ctypes.data


def test_pictures(models, tmp_path):
    m = biela.load(models / "four-bar.toml")
    r = m.run()
    plot = r.plot("rocker.x", "rocker.y", title="a rocker")
    assert plot._repr_svg_().startswith("<svg") and "a rocker" in plot.svg
    plot.save(tmp_path / "p.png")
    assert (tmp_path / "p.png").read_bytes().startswith(b"\x89PNG")
    shown = r.view()._repr_html_()
    assert shown.startswith("<iframe srcdoc=") and "http://" not in shown.replace("http://www.w3.org", "")
    assert m.view()._repr_html_() == shown


def test_a_model_in_code_is_the_one_of_the_file(models):
    m = biela.Model("slider-crank")
    m.parameter("crank", 2.0)
    m.body("crank", points={"A": [0, 0, 0], "B": ["crank", 0, 0]}, pose={"angle": "45 deg", "axis": [0, 0, 1]})
    m.body("rod", points={"B": [0, 0, 0], "C": np.array([3.5, 0, 0])}, pose={"at": [1.4, 1.4, 0], "angle": "-23 deg", "axis": "z"})
    m.body("piston", points={"C": (0, 0, 0)}, pose={"at": [4.6, 0, 0]})
    m.joint("O", "revolute", ["ground", "crank"], at=[[0, 0, 0], "A"], axis=[0, 0, 1])
    m.joint("B", "revolute", ["crank", "rod"], at=["B", "B"], axis=[0, 0, 1])
    m.joint("C", "revolute", ["rod", "piston"], at=["C", "C"], axis=[0, 0, 1])
    m.joint("guide", "prismatic", ["ground", "piston"], at=[[0, 0, 0], "C"], axis=[1, 0, 0])
    m.driver("motor", joint="O", value="pi/4 + 2*pi*t")
    m.settings(end=1.0, steps=100)
    r = m.run()
    angle = np.pi / 4 + 2 * np.pi * r["t"]
    closed = 2 * np.cos(angle) + np.sqrt(3.5**2 - (2 * np.sin(angle)) ** 2)
    # Closed form of the slider-crank; positions are corrected to 1e-12 of its size.
    assert np.abs(r["piston.x"] - closed).max() < 1e-11
    again = biela.Model(m.to_dict())
    assert np.array_equal(again.run()["piston.x"], r["piston.x"])
    with pytest.raises(biela.BielaError, match="no body 'pistn'"):
        m.joint("X", "revolute", ["ground", "pistn"], at=[0, 0, 0], axis="z")
        m.check()


def test_threads_run_side_by_side(models):
    """While one thread solves, another one counts: the interpreter's lock is free."""
    m = biela.load(models / "four-bar.toml")
    m.run()
    done = threading.Event()
    worker = threading.Thread(target=lambda: (m.run(steps=60_000), done.set()))
    worker.start()
    ticks = 0
    while not done.is_set():
        time.sleep(0.001)
        ticks += 1
    worker.join()
    # With the lock held there would be one or two.
    assert ticks > 10
    first, results = m.run()["rocker.x"], []
    threads = [threading.Thread(target=lambda: results.append(m.run()["rocker.x"])) for _ in range(4)]
    [t.start() for t in threads]
    [t.join() for t in threads]
    assert len(results) == 4 and all(np.array_equal(first, r) for r in results)


def test_other_values_without_reading_again(models):
    m = biela.load(models / "four-bar.toml")
    bound = m.with_parameters(crank=2.1, rocker=5.5)
    read = biela.load(models / "four-bar.toml", set={"crank": 2.1, "rocker": 5.5})
    assert isinstance(bound, biela.Model) and bound.parameters == read.parameters
    assert np.array_equal(bound.run()["rocker.x"], read.run()["rocker.x"])
    assert m.parameters["crank"] == 2.0
    again = pickle.loads(pickle.dumps(bound))
    assert again.parameters == bound.parameters
    with pytest.raises(biela.BielaError, match="did you mean 'crank'"):
        m.with_parameters(cranck=2.0)
    with pytest.raises(biela.BielaError, match="finite"):
        m.with_parameters(crank=float("nan"))


def test_saved_models_keep_their_comments(models, tmp_path):
    text = "# a pendulum\n[parameters]\nlength = '1 m' # of the rod\n[bodies.rod]\nmass = 1\ninertia = [0, 0, 0]\ncom = ['length', 0, 0]\n"
    m = biela.loads(text)
    assert m.to_toml() == text
    bound = pickle.loads(pickle.dumps(m.with_parameters(length=2.5)))
    bound.save(tmp_path / "m.toml")
    saved = (tmp_path / "m.toml").read_text()
    assert saved == text.replace("'1 m'", '"2.5 m"') and biela.load(tmp_path / "m.toml").parameters == {"length": 2.5}
    m.parameter("length", 3.0)
    assert m.to_toml() == text.replace("'1 m'", "3.0")
    m.body("other")
    assert "#" not in m.to_toml() and biela.loads(m.to_toml()).parameters == {"length": 3.0}


def test_warnings_are_those_of_the_values():
    text = "[parameters]\na = 1\n[bodies.a]\nmass = 1\ninertia = ['a', 1, 1]\nunphysical = true\n"
    m = biela.loads(text)
    assert m.warnings == []
    bound = m.with_parameters(a=3.0)
    assert bound.warnings == biela.loads(text, set={"a": 3.0}).warnings and "no body has this inertia" in bound.warnings[0]
    assert bound.with_parameters(a=1.5).warnings == []


def test_models_in_code_need_no_text():
    m = biela.Model("pendulum", gravity=(0, -9.81, 0), parameters={"length": 1.0})
    m.body("rod", mass=np.float64(1.0), com=["length/2", 0, 0], inertia=np.array([0.01, 0.1, 0.1]))
    m.joint("pivot", "revolute", ["ground", "rod"], at=[0, 0, 0], axis=(0, 0, 1))
    assert m.with_parameters(length=2.0).parameters == {"length": 2.0}
    with pytest.raises(biela.BielaError, match="did you mean 'mass'") as told:
        m.body("bob", mas=2)
        m.check()
    assert told.value.element == "body 'bob'"
    with pytest.raises(TypeError, match="not object"):
        m.body("bob", mass=object())
    endless = []
    endless.append(endless)
    with pytest.raises(TypeError, match="nested"):
        m.body("bob", mass=endless)
    # Each call costs what it adds, not what is there.
    chain = biela.Model("chain")
    for k in range(3000):
        chain.body(f"b{k}", points={"A": [1.0, 0, 0]}, pose={"at": [float(k), 0, 0]})
        chain.joint(f"j{k}", "revolute", ["ground" if k == 0 else f"b{k - 1}", f"b{k}"], at=[float(k), 0, 0], axis="z")
    assert len(chain.bodies) == 3000


def test_what_a_run_tells_is_data(models, cli):
    path = models / "four-bar.toml"
    told = biela.load(path).run(steps=20).report
    assert told["samples"] == 21 and told["work"]["corrections"] > 20 and told["residual"] < 1e-12
    ours = json.loads(cli("run", path, "--steps", 20, "--json"))
    assert ours == told
    m = biela.Model("ball", gravity=[0, 0, -9.81])
    m.body("ball", mass=2.0)
    m.joint("fall", "prismatic", ["ground", "ball"], at=[0, 0, 0], axis="z")
    told = m.run("dynamics", end=0.1).report
    assert told["work"]["steps"] > 0 and told["energy_drift"] < 1e-6
    assert any("point mass" in text for text in told["warnings"])


def test_a_run_that_ends_early_raises_with_what_it_had_found(models, cli, tmp_path):
    path = models / "parallelogram.toml"
    drive = {"A": "2*pi*t"}
    with pytest.raises(biela.SingularError) as told:
        biela.load(path, drive=drive).run(end=1, steps=50)
    error, part = told.value, told.value.results
    # The cranks lie in line after a quarter of a turn.
    assert part.ended["reason"] == "singular" and error.driver == part.ended["driver"]
    assert abs(error.time - 0.25) < 1e-6 and abs(error.value - np.pi / 2) < 1e-5
    assert not part.complete and part.ended["t"] == error.time and part["t"][-1] == 0.24
    assert part.report["complete"] is False and part.report["ended"] == part.ended
    cli("run", path, "--drive", "A=2*pi*t", "--end", 1, "--steps", 50, "-o", tmp_path / "r.npz", ok=False)
    theirs = biela.read(tmp_path / "r.npz")
    assert theirs.ended == part.ended
    assert all(np.array_equal(part[s], theirs[s], equal_nan=True) for s in part.names)
    whole = biela.load(path, drive=drive).run(end=0.2, steps=10)
    assert whole.complete and whole.ended is None
    with pytest.raises(biela.BielaError) as told:
        biela.load(models / "four-bar.toml", set={"crank": "20"}).run()
    assert told.value.results is None


def test_a_linkage_is_read(models, cli):
    m = biela.load(models / "four-bar.toml")
    assert m.linkage(at=1.0) == json.loads(cli("linkage", models / "four-bar.toml", "--at", "1", "--json"))
    found = m.run(signals=["P2.transmission", "B.angle.ratio"])
    assert abs(found["P2.transmission"][0] - m.linkage()["transmission"][0]["angle"]) < 1e-12
    with pytest.raises(biela.BielaError, match="no planar linkage"):
        biela.load(models / "rssr.toml").linkage()


def test_the_range_of_a_driver(models, cli):
    m = biela.load(models / "four-bar.toml")
    assert m.range() == json.loads(cli("range", models / "four-bar.toml", "--json"))
    slide = biela.load(models / "slider-crank.toml")
    crank, rod = slide.parameters["crank"], slide.parameters["rod"]
    found = slide.range("guide.slide")
    assert set(found) == {"driver", "lower", "upper", "lower_reason", "upper_reason", "full_turn", "class"}
    assert abs(found["lower"] - (rod - crank)) < 1e-9 and abs(found["upper"] - (rod + crank)) < 1e-9
    assert found["lower_reason"] == found["upper_reason"] == "singular" and not found["full_turn"]
    assert slide.range()["full_turn"] and slide.range()["lower"] is None
    with pytest.raises(biela.InputError, match="no driver and no joint coordinate"):
        slide.range("guid.slide")


def test_signals_of_ones_own_and_measures(models):
    m = biela.load(models / "four-bar.toml")
    m.signal("tip", "norm(coupler.P2.v)")
    r = m.run("inverse-dynamics", steps=12, measure={"peak": "max(abs(motor.power))", "tip": "max(tip)"})
    assert r.names[-1] == "tip" and "motor.power" not in r.names
    power = m.run("inverse-dynamics", steps=12, signals=["motor.power", "ground.fx"])
    assert list(power) == ["t", "motor.power", "ground.fx"]
    assert r.measures == {"peak": np.abs(power["motor.power"]).max(), "tip": r["tip"].max()}
    assert r.report["measures"]["peak"] == r.measures["peak"]
    speed = np.hypot(r["coupler.P2.vx"], r["coupler.P2.vy"])
    assert np.allclose(r["tip"], speed, atol=1e-12)
    assert "<svg" in r.plot("tip - norm(coupler.P1.v)", x="A.angle*180/pi")._repr_svg_()
    with pytest.raises(biela.BielaError, match="did you mean 'motor.power'"):
        m.run("inverse-dynamics", measure={"peak": "max(motor.powr)"})


def test_planar_models_in_code():
    m = biela.Model("four-bar", planar=True)
    for name in ["crank", "coupler", "rocker"]:
        m.body(name)
    m.joint("A", "revolute", ["ground", "crank"], at=[0, 0])
    m.joint("B", "revolute", ["crank", "coupler"], at=[0.15, 0.26])
    m.joint("C", "revolute", ["coupler", "rocker"], at=[0.94, 0.7])
    m.joint("D", "revolute", ["ground", "rocker"], at=[1, 0])
    m.driver("motor", joint="A", value="60 rpm*t")
    m.settings(end=1, steps=20)
    report = m.check()
    assert [report[key] for key in ["coordinates", "equations", "rank", "grubler"]] == [9, 8, 8, 1]
    assert report["redundant"] == []
    r = m.run()
    assert "crank.angle" in r.names and "crank.z" not in r.names and "crank.e0" not in r.names
    assert np.allclose(r["crank.angle"], r["A.angle"], rtol=0, atol=1e-11)
    assert biela.loads(m.to_toml()).check() == report
    m.joint("C", "spherical", ["coupler", "rocker"], at=[0.94, 0.7])
    with pytest.raises(biela.BielaError, match="leaves the plane"):
        m.check()


def test_units_to_read():
    text = """
    units = "mm, deg, N, rpm"
    bodies.crank = { points = { T = ["100 mm", 0, 0] } }
    joints.O = { type = "revolute", bodies = ["ground", "crank"], at = [0, 0, 0], axis = "z" }
    drivers.motor = { joint = "O", value = "120 rpm * t" }
    run = { end = 0.25, steps = 10 }
    """
    m = biela.loads(text)
    assert m.units == "mm, deg, N, rpm"
    r = m.run()
    # Arrays are SI; what people read is not.
    assert r.units["crank.T.x"] == "m" and abs(r["O.angle"][-1] - np.pi) < 1e-12
    assert "rpm" in r.summary() and "[mm]" in r.plot("crank.T.x").svg
    own, inches = r.in_units(), r.in_units("in")
    assert own.units["O.angle.rate"] == "rpm" and abs(own["O.angle.rate"][3] - 120) < 1e-9
    assert abs(inches["crank.T.x"][0] - 0.1 / 0.0254) < 1e-12 and inches.units["crank.T.vx"] == "in/s"
    assert "[in]" in inches.plot("crank.T.x").svg
    assert '"unit":"mm"' in inches.view().html
    assert biela.loads(text, units="m, rad").units == "m, rad"
    with pytest.raises(biela.InputError, match="did you mean 'deg'"):
        r.in_units("dge")
    with pytest.raises(biela.InputError, match="no unit 'mmm'"):
        biela.loads('units = "mmm"\n[bodies.a]').units
