#!/usr/bin/env bash
# Compares models in MJCF with MuJoCo from PyPI: mass matrix, kinematics and inverse dynamics of trees at random states, a loop in motion; and random
# mechanisms written as decks of Adams with the same as MJCF.
# Makes a Python environment under target/ on first use. Where that cannot be had it says so, and passes unless REQUIRE_MUJOCO=1 is set (as in CI): there a
# comparison that cannot be made is a failure.
source "$(dirname "$0")/common.sh"
left_out="NOT COMPARED with MuJoCo" required=REQUIRE_MUJOCO

environment target/mujoco "mujoco, numpy" mujoco numpy
cargo build --release --workspace --quiet
# MuJoCo leaves its log where it runs.
root=$PWD
(cd target/mujoco && "$root/$python" "$root/validation/compare_with_mujoco.py" "$root/target/release/biela" \
  "$root/crates/biela/tests/data/mjcf/creature.xml" "$root/crates/biela/tests/data/mjcf/four-bar.xml")
(cd target/mujoco && "$root/$python" "$root/validation/compare_decks_with_mujoco.py" "$root/target/release/biela")
