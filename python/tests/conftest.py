"""Paths and helpers for the tests of the package."""

import os
import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture
def models():
    return ROOT / "models"


@pytest.fixture
def cli():
    """Runs the command line program and returns what it prints."""
    program = os.environ.get("BIELA_PROGRAM", str(ROOT / "target/release/biela"))

    def run(*arguments, ok=True):
        done = subprocess.run([program, *map(str, arguments)], capture_output=True, text=True)
        assert (done.returncode == 0) == ok, done.stderr
        return done.stdout if ok else done.stderr

    return run
