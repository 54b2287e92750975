#!/usr/bin/env bash
# Compares tree dynamics, and every call of biela.Robot that Pinocchio has too, with Pinocchio from PyPI at random states of robots with 6, 7
# and 30 joints, on fixed and floating bases.
# Makes a Python environment under target/ on first use. Where that cannot be had it says so, and passes unless
# REQUIRE_PINOCCHIO=1 is set (as in CI): there a comparison that cannot be made is a failure.
source "$(dirname "$0")/common.sh"
left_out="NOT COMPARED with Pinocchio" required=REQUIRE_PINOCCHIO

environment target/pinocchio "pinocchio, numpy" pin numpy
cargo build --release --workspace --quiet
data=crates/biela/tests
"$python" validation/compare_with_pinocchio.py target/release/biela "$data/reference/puma560.urdf" "$data/data/arm7.urdf" \
  "$data/reference/humanoid30.urdf"
# The Python package as it was built, without installing it.
package=target/pinocchio/package
mkdir -p "$package/biela"
cp python/biela/*.py "$package/biela/"
cp target/release/libbiela_py.so "$package/biela/_biela.abi3.so"
PYTHONPATH="$package" "$python" validation/robot_with_pinocchio.py "$data/reference/puma560.urdf" "$data/data/arm7.urdf" \
  "$data/reference/humanoid30.urdf"
