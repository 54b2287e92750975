#!/usr/bin/env bash
# Builds and installs the Python package as a user does, and runs its tests: values, errors, threads, Ctrl-C, a cluster that
# loses a worker, and the example notebooks. Makes a Python environment under target/ on first use. Where that cannot be had it
# says so, and passes unless REQUIRE_PYTHON=1 is set (as in CI).
set -euo pipefail
cd "$(dirname "$0")/.."

skip() {
  echo "NOT TESTED: the Python package: $*" >&2
  [ "${REQUIRE_PYTHON:-0}" = 1 ] && exit 1
  exit 0
}

environment=target/python
python="$environment/bin/python"
packages="maturin numpy pandas pyarrow pytest distributed nbclient nbformat ipykernel"
if ! "$python" -c 'import maturin, numpy, pandas, pyarrow, pytest, distributed, nbclient, nbformat, ipykernel' 2>/dev/null; then
  command -v python3 >/dev/null || skip "no python3"
  rm -rf "$environment"
  python3 -m venv "$environment" >/dev/null 2>&1 || skip "no Python environment can be made"
  for attempt in 1 2 3; do
    # shellcheck disable=SC2086
    "$environment/bin/pip" install --quiet --disable-pip-version-check $packages >"$environment/pip.log" 2>&1 && break
    [ "$attempt" = 3 ] && { tail -3 "$environment/pip.log" >&2; skip "its packages cannot be installed"; }
  done
fi
cargo build --release --workspace --quiet
# The build backend is in the environment already: no second one is made for it.
PATH="$PWD/$environment/bin:$PATH" "$environment/bin/pip" install --quiet --disable-pip-version-check --no-build-isolation .
"$python" -m pytest --quiet -p no:cacheprovider python/tests
