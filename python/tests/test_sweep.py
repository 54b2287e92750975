"""Sweeps: the bytes of the program, on threads and on a cluster that loses a worker."""

import os
import pathlib
import signal
import sys
import threading
import time

import biela
import numpy as np
import pytest

VARY = {"crank": "normal(2, 1 mm)", "coupler": "normal(8, 2 mm)"}
MEASURE = {"swing": "range(B.angle)", "top": "max(rocker.P2.y)"}


def program(cli, models, output, samples, *more):
    arguments = [x for name, text in VARY.items() for x in ("--vary", f"{name}={text}")]
    arguments += [x for name, text in MEASURE.items() for x in ("--measure", f"{name}={text}")]
    cli("sweep", models / "four-bar.toml", *arguments, "--samples", samples, "--seed", 3, "-o", output, *more)


def test_local_bytes_are_the_programs(models, cli, tmp_path):
    program(cli, models, tmp_path / "theirs.parquet", 300)
    m = biela.load(models / "four-bar.toml")
    for threads in [1, 3]:
        ours = tmp_path / f"ours{threads}.parquet"
        done = biela.sweep(m, VARY, MEASURE, samples=300, seed=3, output=ours, threads=threads)
        assert ours.read_bytes() == (tmp_path / "theirs.parquet").read_bytes()
    assert len(done["swing"]) == 300 and done.units["top"] == "m" and not any(done.reasons)
    frame = biela.sweep(m, VARY, MEASURE, samples=300, seed=3).to_pandas()
    assert np.array_equal(frame["swing"], done["swing"])


def test_lists_and_failures(models):
    m = biela.load(models / "four-bar.toml")
    done = biela.sweep(m, {"crank": [1.0, 2.0, 100.0]}, MEASURE)
    assert done.report["failed"] == 1 and done.reasons[:2] == ["", ""] and done.reasons[2]
    assert list(done["crank"]) == [1.0, 2.0, 100.0] and np.isnan(done["swing"][2])
    with pytest.raises(biela.BielaError, match="no parameter"):
        biela.sweep(m, {"crnk": "1:2:3"})


def test_a_cluster_that_loses_a_worker(models, cli, tmp_path):
    distributed = pytest.importorskip("distributed")
    samples = 4000
    program(cli, models, tmp_path / "theirs.parquet", samples)
    m = biela.load(models / "four-bar.toml")
    settings = {"n_workers": 3, "threads_per_worker": 1, "processes": True, "dashboard_address": None}
    output, seen = tmp_path / "ours.parquet", []
    with distributed.LocalCluster(**settings) as cluster, distributed.Client(cluster) as client:
        workers = client.run(os.getpid)

        def kill():
            """Once some parts are there and some are not."""
            folder = tmp_path / "ours.parquet.parts"
            while not seen:
                parts = len(list(folder.glob("part-*"))) if folder.exists() else 0
                if parts >= 3:
                    os.kill(next(iter(workers.values())), signal.SIGKILL)
                    seen.append(parts)
                time.sleep(0.002)

        killer = threading.Thread(target=kill, daemon=True)
        killer.start()
        done = biela.sweep(m, VARY, MEASURE, samples=samples, seed=3, output=output, client=client)
        killer.join(timeout=10)
        assert seen and seen[0] < 30, "the worker was killed too late to matter"
        assert next(iter(workers.values())) not in client.run(os.getpid).values()
    assert output.read_bytes() == (tmp_path / "theirs.parquet").read_bytes()
    assert not (tmp_path / "ours.parquet.parts").exists()
    assert np.array_equal(done.samples, np.arange(samples))


def test_the_program_on_a_cluster_that_loses_a_worker(models, cli, tmp_path, monkeypatch):
    """``biela sweep --engine dask``: the same bytes, though a worker is killed."""
    pytest.importorskip("distributed")
    monkeypatch.setenv("BIELA_PYTHON", sys.executable)
    samples = 4000
    program(cli, models, tmp_path / "theirs.parquet", samples)
    output, killed = tmp_path / "ours.parquet", []

    def kill():
        """A worker process, once some parts are there: the grandchildren of this process."""
        folder = tmp_path / "ours.parquet.parts"
        while not killed:
            if folder.exists() and len(list(folder.glob("part-*"))) >= 3:
                workers = [pid for pid in descendants(os.getpid()) if b"multiprocessing" in command(pid) and b"spawn_main" in command(pid)]
                if workers:
                    os.kill(workers[0], signal.SIGKILL)
                    killed.append(workers[0])
                    return
            time.sleep(0.01)

    killer = threading.Thread(target=kill, daemon=True)
    killer.start()
    program(cli, models, output, samples, "--engine", "dask", "--threads", 3)
    killer.join(timeout=1)
    assert killed, "no worker was killed in time"
    assert output.read_bytes() == (tmp_path / "theirs.parquet").read_bytes()
    assert not (tmp_path / "ours.parquet.parts").exists()


@pytest.mark.parametrize("path", [None, "", ":", ".", "..:."])
def test_the_engine_takes_no_module_from_the_present_folder(models, cli, tmp_path, monkeypatch, path):
    """Whatever lies there under the name of a module that Python, Dask or a worker imports is not run."""
    pytest.importorskip("distributed")
    monkeypatch.setenv("BIELA_PYTHON", sys.executable)
    monkeypatch.setenv("PYTHONPATH", path) if path is not None else monkeypatch.delenv("PYTHONPATH", raising=False)
    planted = ["distributed", "dask", "biela", "sitecustomize", "usercustomize", "json", "multiprocessing", "numpy", "site", "tornado"]
    work = tmp_path / "work" / "inner"
    for folder in [work, work.parent]:
        folder.mkdir(exist_ok=True, parents=True)
        for name in planted:
            (folder / f"{name}.py").write_text(f"open({str(tmp_path / 'met')!r}, 'a').write({name!r} + chr(10))\n")
    monkeypatch.chdir(work)
    arguments = ("sweep", models / "four-bar.toml", "--vary", "crank=1.9:2:20", "--steps", 8, "--measure", "q=max(B.angle)")
    cli(*arguments, "-o", "ours.csv", "--engine", "dask", "--threads", 1)
    assert not (tmp_path / "met").exists(), (tmp_path / "met").read_text()
    cli(*arguments, "-o", "theirs.csv")
    assert (work / "ours.csv").read_bytes() == (work / "theirs.csv").read_bytes()


def test_packages_of_whole_paths_are_found(models, cli, tmp_path, monkeypatch):
    """What PYTHONPATH names by a whole path is the user's own choice."""
    monkeypatch.setenv("BIELA_PYTHON", sys.executable)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    (tmp_path / "distributed.py").write_text("raise ImportError('this one')\n")
    arguments = ("sweep", models / "four-bar.toml", "--vary", "crank=1:2:3", "--engine", "dask")
    assert "this one" in cli(*arguments, "-o", tmp_path / "a.csv", ok=False)


def test_an_engine_that_is_not_there_is_told(models, cli, tmp_path, monkeypatch):
    arguments = ("sweep", models / "four-bar.toml", "--vary", "crank=1:2:3", "--engine", "dask")
    monkeypatch.setenv("BIELA_PYTHON", "/nowhere/python")
    told = cli(*arguments, "-o", tmp_path / "a.csv", ok=False)
    assert "cannot be run" in told and "BIELA_PYTHON" in told
    assert "needs -o FILE" in cli(*arguments, ok=False)


def command(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def descendants(pid):
    """Processes below one, by /proc."""
    parents = {}
    for entry in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            parents[int(entry.name)] = int((entry / "stat").read_text().rsplit(")", 1)[1].split()[1])
        except (OSError, ValueError):
            continue
    found = [pid]
    for known in found:
        found.extend(child for child, parent in parents.items() if parent == known)
    return found[1:]
