#!/usr/bin/env bash
# Builds and installs the Python package as a user does, and runs its tests: values, errors, threads, Ctrl-C, a cluster that
# loses a worker, and the example notebooks. Makes a Python environment under target/ on first use. Where that cannot be had it
# says so, and passes unless REQUIRE_PYTHON=1 is set (as in CI).
source "$(dirname "$0")/common.sh"
left_out="NOT TESTED: the Python package" required=REQUIRE_PYTHON

environment target/python "maturin, numpy, pandas, pyarrow, pytest, distributed, nbclient, nbformat, ipykernel" \
  maturin numpy pandas pyarrow pytest distributed nbclient nbformat ipykernel
cargo build --release --workspace --quiet
# The build backend is in the environment already: no second one is made for it.
PATH="$PWD/target/python/bin:$PATH" "$python" -m pip install --quiet --disable-pip-version-check --no-build-isolation .
"$python" -m pytest --quiet -p no:cacheprovider python/tests
