#!/usr/bin/env bash
# Compares tree dynamics with Pinocchio from PyPI at random states of robots with 6, 7 and 30 joints.
# Makes a Python environment under target/ on first use. Where that cannot be had it says so, and passes unless
# REQUIRE_PINOCCHIO=1 is set (as in CI): there a comparison that cannot be made is a failure.
set -euo pipefail
cd "$(dirname "$0")/.."

skip() {
  echo "NOT COMPARED with Pinocchio: $*" >&2
  [ "${REQUIRE_PINOCCHIO:-0}" = 1 ] && exit 1
  exit 0
}

environment=target/pinocchio
python="$environment/bin/python"
if ! "$python" -c 'import pinocchio, numpy' 2>/dev/null; then
  command -v python3 >/dev/null || skip "no python3"
  rm -rf "$environment"
  python3 -m venv "$environment" >/dev/null 2>&1 || skip "no Python environment can be made"
  for attempt in 1 2 3; do
    "$environment/bin/pip" install --quiet --disable-pip-version-check pin numpy >"$environment/pip.log" 2>&1 && break
    [ "$attempt" = 3 ] && { tail -3 "$environment/pip.log" >&2; skip "the package pin cannot be installed"; }
  done
fi
cargo build --release --workspace --quiet
data=crates/biela/tests
"$python" validation/compare_with_pinocchio.py target/release/biela "$data/reference/puma560.urdf" "$data/data/arm7.urdf" \
  "$data/reference/humanoid30.urdf"
