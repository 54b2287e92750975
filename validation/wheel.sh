#!/usr/bin/env bash
# Builds the wheel of the Python package into target/wheels, installs it into a fresh environment without anything of this
# repository on the path, and runs a model there; then `pip install .` in another fresh environment, as a user does it, with the
# build backend that pip fetches by itself.
source "$(dirname "$0")/common.sh"
left_out="NOT TESTED: the wheel" required=REQUIRE_PYTHON
root="$PWD"

# The environment of python.sh where it is there, else one of its own.
folder=target/python
[ -x "$folder/bin/maturin" ] || folder=target/wheel-builder
environment "$folder" maturin 'maturin>=1.9,<2'
rm -rf target/wheels
"$folder/bin/maturin" build --release --quiet --out target/wheels

fresh=$(mktemp -d)
trap 'rm -rf "$fresh"' EXIT
# try NAME WHAT: installs that into a fresh environment and runs a model there.
try() {
  environment "$fresh/$1" numpy numpy
  "$fresh/$1/bin/pip" install --quiet --disable-pip-version-check "$2"
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
wheels=(target/wheels/biela-*.whl)
try wheel "${wheels[0]}"
try isolated .
ls -l target/wheels
