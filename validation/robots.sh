#!/usr/bin/env bash
# Opens every URDF of the collection example-robot-data (PyPI) with plain commands, and compares kinematics and dynamics with Pinocchio's
# at random states. Makes a Python environment under target/ on first use. Where that cannot be had it says so, and passes unless
# REQUIRE_PINOCCHIO=1 is set (as in CI): there a comparison that cannot be made is a failure.
source "$(dirname "$0")/common.sh"
left_out="NOT COMPARED with the robots of example-robot-data" required=REQUIRE_PINOCCHIO

environment target/robots "pinocchio, numpy" pin numpy example-robot-data==6.0.0
cargo build --release --workspace --quiet
"$python" validation/compare_robots.py target/release/biela
