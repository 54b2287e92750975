#!/usr/bin/env bash
# Mutation testing of `math`, `joints` and `system/constraint.rs`: every ninth mutant of cargo-mutants is built and
# tested (about 300; another sample: SHARD=1/9). Writes the counts and the survivors to target/mutants.out.
# Takes an hour or two, so it is no part of ./test; needs `cargo install cargo-mutants`. Changes are made in place
# and taken back, so the tree must be clean.
set -euo pipefail
cd "$(dirname "$0")/.."

command -v cargo-mutants >/dev/null || { echo "cargo-mutants is not installed: cargo install cargo-mutants" >&2; exit 1; }
git diff --quiet || { echo "the tree has changes: commit them first, mutants are written into the sources" >&2; exit 1; }

# The quick tests first: cargo stops at the first program that fails.
status=0
cargo mutants --in-place --package biela --profile mutants --shard "${SHARD:-0/9}" --sharding round-robin \
  --file 'crates/biela/src/math/**' --file 'crates/biela/src/joints/**' --file crates/biela/src/system/constraint.rs \
  --minimum-test-timeout 120 --output target "$@" \
  -- --lib --test joint_laws --test row_derivatives --test seeds_000 --test seeds_003 --test all_models_run \
  -- --skip results:: --skip picture:: --skip text:: || status=$?
# 2 and 3 say that mutants survived or ran out of time: that is the finding, not a fault of this program.
[ "$status" -le 3 ] || exit "$status"

caught=$(grep -c . target/mutants.out/caught.txt || true)
late=$(grep -c . target/mutants.out/timeout.txt || true)
missed=$(grep -c . target/mutants.out/missed.txt || true)
unviable=$(grep -c . target/mutants.out/unviable.txt || true)
viable=$((caught + late + missed))
echo "$((viable + unviable)) mutants, $viable viable, $((caught + late)) caught ($late by running out of time), $missed survive"
