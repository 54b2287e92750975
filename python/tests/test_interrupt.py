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


def in_the_foreground():
    """Jobs in the background inherit that Ctrl-C is ignored; what is tested is Ctrl-C in the foreground."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def started(code, *arguments):
    command = [sys.executable, "-c", code, *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, preexec_fn=in_the_foreground)


@pytest.mark.parametrize(
    "work",
    [
        "[m.run(steps=100_000) for _ in range(1000)]",
        "biela.sweep(m, {'crank': 'normal(2, 1 mm)'}, samples=50_000_000)",
        "m.verify() and [m.verify() for _ in range(100_000)]",
        "[m.check() for _ in range(1_000_000)]",
        "[m.assemble() for _ in range(1_000_000)]",
        "m.optimise(vary={'crank': (1, 3)}, minimise={'a': 'max(B.angle)'}, samples=1_000_000)",
    ],
)
def test_interrupt(models, work):
    process = started(RUN.format(work=work), models / "four-bar.toml")
    try:
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.7)
        assert process.poll() is None
        os.kill(process.pid, signal.SIGINT)
        out, _ = process.communicate(timeout=30)
    finally:
        process.kill()
    assert out == "interrupted 11\n" and process.returncode == 0


LONG = """
import biela, sys, time
m = biela.load(sys.argv[1])
print("ready", flush=True)
try:
    m.assemble(all=True)
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


def test_work_in_one_piece_is_left(models):
    """All configurations of a Stewart platform take many seconds in one piece; Ctrl-C does not wait for them."""
    process = started(LONG, models / "stewart-platform.toml")
    try:
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.5)
        if process.poll() is not None:
            pytest.skip("too fast to be left")
        os.kill(process.pid, signal.SIGINT)
        out, _ = process.communicate(timeout=10)
    finally:
        process.kill()
    assert out == "interrupted\n" and process.returncode == 0
