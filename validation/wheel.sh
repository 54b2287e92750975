#!/usr/bin/env bash
# Builds the wheel of the Python package into target/wheels, installs it into a fresh environment without anything of this
# repository on the path, and runs a model there. With ISOLATED=1 also `pip install .` in another fresh environment, as a user
# does it, with the build backend that pip fetches by itself.
set -euo pipefail
cd "$(dirname "$0")/.."
root="$PWD"

python3 -m venv --help >/dev/null 2>&1 || { echo "NOT TESTED: no Python environment can be made" >&2; exit "${REQUIRE_PYTHON:-0}"; }
builder=target/python/bin/maturin
if [ ! -x "$builder" ]; then
  python3 -m venv target/wheel-builder
  target/wheel-builder/bin/pip install --quiet --disable-pip-version-check 'maturin>=1.9,<2'
  builder=target/wheel-builder/bin/maturin
fi
rm -rf target/wheels
"$builder" build --release --quiet --out target/wheels

fresh=$(mktemp -d)
trap 'rm -rf "$fresh"' EXIT
try() {
  (cd "$fresh" && "$1/bin/python" - "$root/models/four-bar.toml" <<'PYTHON'
import sys
import biela
m = biela.load(sys.argv[1])
r = m.run(steps=10)
assert len(r["B.angle"]) == 11 and m.check()["mobility"] == 1
print("biela", biela.__version__, "from", biela.__file__)
PYTHON
  )
}
python3 -m venv "$fresh/wheel"
"$fresh/wheel/bin/pip" install --quiet --disable-pip-version-check target/wheels/biela-*.whl
try "$fresh/wheel"
if [ "${ISOLATED:-0}" = 1 ]; then
  python3 -m venv "$fresh/isolated"
  "$fresh/isolated/bin/pip" install --quiet --disable-pip-version-check .
  try "$fresh/isolated"
fi
ls -l target/wheels
