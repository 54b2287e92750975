"""Sweeps on one machine or on a cluster: the same chunks, the same bytes.

A chunk depends on model, plan and its own number alone. A cluster's workers compute chunks and send each back as the bytes
of its Parquet file; the client keeps it as a part, whole or not at all, under its number. So a worker that is lost costs
the chunks it had in work, a chunk computed twice is kept once, and the joined table does not depend on who made what.
"""

from __future__ import annotations

import json
import os
import tempfile

from . import _biela

#: Chunks that one worker thread has in hand or waiting.
_AHEAD = 3
#: How often a chunk is given to another worker after one was lost with it.
_RETRIES = 10


class Sweep:
    """The outcome of a sweep: ``report`` holds its statistics, ``path`` its table if one was asked for."""

    def __init__(self, report, path, table):
        self.report, self.path = report, path
        self._table = table

    def _read(self):
        if self._table is None:
            if not str(self.path).endswith(".parquet"):
                raise _biela.BielaError(f"'{self.path}' is not Parquet; read it with pandas.read_csv")
            self._table = _biela.read_table(self.path)
        return self._table

    @property
    def samples(self):
        """Number of the sample of each row."""
        return self._read()[0]

    @property
    def columns(self):
        """Parameters and measures: a dict from name to NumPy array."""
        return self._read()[1]

    @property
    def reasons(self):
        """Why a sample has no values; empty where it has."""
        return self._read()[2]

    @property
    def units(self):
        """Unit of each column."""
        return self._read()[3]

    def __getitem__(self, name):
        return self.columns[name]

    def to_pandas(self):
        """A pandas DataFrame with ``sample`` as its index."""
        import pandas

        samples, columns, reasons, units = self._read()
        frame = pandas.DataFrame({**columns, "reason": reasons}, index=pandas.Index(samples, name="sample"))
        frame.attrs["units"] = units
        return frame

    def __repr__(self):
        return f"<biela.Sweep: {self.report['samples']} samples, {self.report['failed']} failed>"


def _texts(given):
    def text(value):
        if isinstance(value, str):
            return value
        try:
            return f"values({', '.join(repr(float(x)) for x in value)})"
        except TypeError:
            return repr(float(value))

    return [(str(name), text(value)) for name, value in (given or {}).items()]


def sweep(
    model,
    vary=None,
    measure=None,
    *,
    series=(),
    sampling=None,
    samples=None,
    seed=None,
    formulation=None,
    newton=None,
    output=None,
    resume=False,
    threads=None,
    client=None,
):
    """Runs a model with many values of its parameters, as ``biela sweep`` does, to the same bytes.

    ``vary`` maps parameters to spreads (``"1:2:1000"``, ``"normal(3.5, 1 mm)"``, a list of values), ``measure`` names to
    expressions (``"max(piston.x)"``); what is not given is the model's ``[sweep]``. ``output`` is the table to write, .parquet
    or .csv; without it the table is kept in memory alone. ``client`` is a ``distributed.Client``: then the chunks are
    computed by its workers. ``resume`` goes on with what an ended sweep has left.
    """
    plan = (
        _texts(vary),
        _texts(measure),
        [series] if isinstance(series, str) else list(series),
        sampling,
        samples,
        seed,
        formulation,
        newton,
    )
    ready = _biela.Sweep(model, *plan)
    if output is None:
        with tempfile.TemporaryDirectory(prefix="biela-") as folder:
            path = os.path.join(folder, "sweep.parquet")
            report = _compute(ready, model, plan, path, False, threads, client)
            return Sweep(report, None, _biela.read_table(path))
    path = os.fspath(output)
    return Sweep(_compute(ready, model, plan, path, resume, threads, client), path, None)


def _compute(ready, model, plan, path, resume, threads, client):
    missing = ready.open(path, resume)
    if client is None:
        ready.run(path, missing, threads)
    else:
        _on_cluster(ready, model, plan, path, missing, client)
    return json.loads(ready.join(path))


def _on_cluster(ready, model, plan, path, missing, client, progress=None):
    """Computes the missing chunks on a cluster and keeps each as a part. ``progress`` hears of every one."""
    from distributed import as_completed

    # A few chunks for every thread of the cluster: enough to keep it busy, and memory does not grow with the sweep.
    hands = max(1, sum(client.nthreads().values()))
    source = client.scatter((model, plan), broadcast=True, hash=False)
    left = iter(missing)

    def submit(chunk):
        key = f"biela-{ready.fingerprint}-{chunk}-{id(ready):x}"
        return client.submit(_chunk, source, ready.fingerprint, chunk, key=key, retries=_RETRIES, pure=False)

    first = [submit(chunk) for _, chunk in zip(range(_AHEAD * hands), left)]
    done = as_completed(first)
    try:
        for future in done:
            chunk, part = future.result()
            ready.put(path, chunk, part)
            future.release()
            if progress is not None:
                progress()
            following = next(left, None)
            if following is not None:
                done.add(submit(following))
    except BaseException:
        client.cancel(list(done.futures))
        raise


#: Sweeps made ready in this process, by fingerprint: a worker makes each ready once.
_ready = {}


def _chunk(source, fingerprint, chunk):
    """What a worker does."""
    ready = _ready.get(fingerprint)
    if ready is None:
        model, plan = source
        ready = _biela.Sweep(model, *plan)
        if ready.fingerprint != fingerprint:
            raise _biela.BielaError(
                "the worker has another version of biela, or other files of the model, than the client"
            )
        _ready.clear()
        _ready[fingerprint] = ready
    return chunk, ready.chunk(chunk)
