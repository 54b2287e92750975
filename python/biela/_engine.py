"""What ``biela sweep --engine dask`` runs: the chunks of a sweep on a cluster, each kept as a part beside the output.

The request comes as JSON on standard input; the program that sent it joins the parts. Without the address of a scheduler a
cluster of worker processes is made on this machine.
"""

from __future__ import annotations

import json
import os
import sys
import time
import warnings

from . import _biela
from ._model import load
from ._sweep import _on_cluster


def _progress(total, quiet):
    """A line on the terminal, now and then, unless nobody wants one."""
    started, state = time.monotonic(), {"done": 0, "shown": 0.0}
    shows = sys.stderr.isatty() and not quiet and os.environ.get("TERM") != "dumb"

    def hear():
        state["done"] += 1
        now = time.monotonic()
        if shows and now - started > 1 and now - state["shown"] > 0.2:
            left = (now - started) / state["done"] * (total - state["done"])
            print(f"\r{state['done']} of {total} parts, {left:.0f} s left \033[K", end="", file=sys.stderr, flush=True)
            state["shown"] = now
        if state["done"] == total and state["shown"]:
            print("\r\033[K", end="", file=sys.stderr, flush=True)

    return hear


def main():
    from distributed import Client, LocalCluster

    request = json.load(sys.stdin)
    with warnings.catch_warnings():
        # The program itself has shown them.
        warnings.simplefilter("ignore")
        options = dict(request["options"])
        options["set"], options["drive"] = dict(options["set"]), dict(options["drive"])
        model = load(request["file"], **options)
    plan = request["plan"]
    plan = (
        [tuple(pair) for pair in plan["vary"]],
        [tuple(pair) for pair in plan["measure"]],
        plan["series"],
        plan["sampling"],
        plan["samples"],
        plan["seed"],
        request["formulation"],
        request["newton"],
    )
    ready = _biela.Sweep(model, *plan)
    if ready.fingerprint != request["fingerprint"]:
        raise _biela.BielaError(
            f"biela for Python (version {_biela.__version__}) reads this model otherwise than the program does: "
            "install the same version of both"
        )
    missing = ready.open(request["output"], True)
    if not missing:
        return
    if request["scheduler"]:
        cluster, client = None, Client(request["scheduler"], timeout=30)
    else:
        cluster = LocalCluster(
            n_workers=request["workers"], threads_per_worker=1, processes=True, dashboard_address=None
        )
        client = Client(cluster)
    try:
        _on_cluster(ready, model, plan, request["output"], missing, client, _progress(len(missing), request["quiet"]))
    finally:
        client.close()
        if cluster is not None:
            cluster.close()


def run():
    """Does it, and ends the process."""
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
    except (_biela.BielaError, OSError) as error:
        print(error, file=sys.stderr)
        sys.exit(1)


if __name__ == "__main__":
    run()
