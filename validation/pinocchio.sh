#!/usr/bin/env bash
# Compares tree dynamics with Pinocchio from PyPI at random states of robots with 6, 7 and 30 joints.
# Makes a Python environment under target/ on first use. Without Python or without a network it says so and passes,
# unless REQUIRE_PINOCCHIO=1 is set (as in CI).
set -euo pipefail
cd "$(dirname "$0")/.."

skip() {
  echo "pinocchio: $*; comparison skipped"
  [ "${REQUIRE_PINOCCHIO:-0}" = 1 ] && exit 1
  exit 0
}

environment=target/pinocchio
python="$environment/bin/python"
if ! "$python" -c 'import pinocchio, numpy' 2>/dev/null; then
  command -v python3 >/dev/null || skip "no python3"
  rm -rf "$environment"
  python3 -m venv "$environment" >/dev/null 2>&1 || skip "no Python environment can be made"
  "$environment/bin/pip" install --quiet --disable-pip-version-check pin numpy >/dev/null 2>&1 || skip "the package pin cannot be installed"
fi
cargo build --release --quiet
data=crates/biela/tests
"$python" validation/compare_with_pinocchio.py target/release/biela "$data/reference/puma560.urdf" "$data/data/arm7.urdf" \
  "$data/reference/humanoid30.urdf"
