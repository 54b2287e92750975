#!/usr/bin/env bash
# Compares a loop in motion, read from URDF and from SDF, with Drake from PyPI. Makes a Python environment under target/ on first use. Where that
# cannot be had it says so, and passes unless REQUIRE_DRAKE=1 is set: there a comparison that cannot be made is a failure.
source "$(dirname "$0")/common.sh"
left_out="NOT COMPARED with Drake" required=REQUIRE_DRAKE

environment target/drake "pydrake, numpy" drake numpy
cargo build --release --workspace --quiet
"$python" validation/compare_with_drake.py target/release/biela crates/biela/tests/data/urdf/spatial-loop.urdf
