#!/usr/bin/env bash
# Compares tree dynamics with Pinocchio from PyPI at random states of robots with 6, 7 and 30 joints.
# Makes a Python environment under target/ on first use. Where that cannot be had it says so, and passes unless
# REQUIRE_PINOCCHIO=1 is set (as in CI): there a comparison that cannot be made is a failure.
source "$(dirname "$0")/common.sh"
left_out="NOT COMPARED with Pinocchio" required=REQUIRE_PINOCCHIO

environment target/pinocchio "pinocchio, numpy" pin numpy
cargo build --release --workspace --quiet
data=crates/biela/tests
"$python" validation/compare_with_pinocchio.py target/release/biela "$data/reference/puma560.urdf" "$data/data/arm7.urdf" \
  "$data/reference/humanoid30.urdf"
