#!/usr/bin/env bash
# Exports models as FMUs and has FMPy from PyPI validate and simulate them, against the program's own runs. Makes a Python environment under target/ on
# first use. Where that cannot be had it says so, and passes unless REQUIRE_FMPY=1 is set: there a comparison that cannot be made is a failure.
source "$(dirname "$0")/common.sh"
left_out="NOT TESTED: FMUs in FMPy" required=REQUIRE_FMPY

environment target/fmpy "fmpy" fmpy
cargo build --release --workspace --quiet
"$python" validation/fmu.py target/release/biela
