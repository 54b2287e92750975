"""Ctrl-C ends long work with KeyboardInterrupt, and the interpreter lives on."""

import os
import signal
import subprocess
import sys
import time

import pytest

RUN = """
import biela, sys, time
m = biela.load(sys.argv[1])
print("ready", flush=True)
try:
    {work}
except KeyboardInterrupt:
    print("interrupted", len(m.run(steps=10)), flush=True)
"""


@pytest.mark.parametrize(
    "work",
    [
        "m.run(steps=10_000_000)",
        "biela.sweep(m, {'crank': 'normal(2, 1 mm)'}, samples=50_000_000)",
        "m.verify() and [m.verify() for _ in range(100_000)]",
    ],
)
def test_interrupt(models, work):
    code = RUN.format(work=work)
    process = subprocess.Popen([sys.executable, "-c", code, str(models / "four-bar.toml")], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.7)
        assert process.poll() is None
        os.kill(process.pid, signal.SIGINT)
        out, _ = process.communicate(timeout=30)
    finally:
        process.kill()
    assert out == "interrupted 11\n" and process.returncode == 0
