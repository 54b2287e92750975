#!/usr/bin/env bash
# Mutation testing of `math`, `joints` and `system/constraint.rs`: every ninth mutant of cargo-mutants is built and
# tested (about 300; another sample: SHARD=1/9). What survives the quick tests is tried with slower ones.
# Leaves the lists in target/mutants.out and prints the counts.
# Takes an hour or two, so it is no part of ./test; needs `cargo install cargo-mutants`. Changes are made in place
# and taken back, so the tree must be clean.
set -euo pipefail
cd "$(dirname "$0")/.."

command -v cargo-mutants >/dev/null || { echo "cargo-mutants is not installed: cargo install cargo-mutants" >&2; exit 1; }
git diff --quiet || { echo "the tree has changes: commit them first, mutants are written into the sources" >&2; exit 1; }

# Tries the mutants not caught so far with these test programs; cargo stops at the first that fails.
pass() {
  local status=0 arguments=()
  for test in "$@"; do arguments+=("--cargo-arg=--test=$test"); done
  cargo mutants --in-place --iterate --package biela --profile mutants --shard "${SHARD:-0/9}" --sharding round-robin \
    --file 'crates/biela/src/math/**' --file 'crates/biela/src/joints/**' --file crates/biela/src/system/constraint.rs \
    --minimum-test-timeout 120 --output target --cargo-arg=--lib "${arguments[@]}" \
    -- -- --skip results:: --skip picture:: --skip text:: || status=$?
  # 2 and 3 say that mutants survived or ran out of time: that is the finding, not a fault of this program.
  [ "$status" -le 3 ] || exit "$status"
}

rm -rf target/mutants.out
pass joint_laws row_derivatives seeds_000 seeds_003
pass all_models_run seeds_002 seeds_002_forces tree_reference assembly singular variants modes ik

count() { cat "target/mutants.out/$1.txt" "target/mutants.out/previously_$1.txt" 2>/dev/null | sort -u | grep -c . || true; }
caught=$(($(count caught) + $(count timeout)))
missed=$(grep -c . target/mutants.out/missed.txt || true)
echo "$((caught + missed)) viable mutants (and $(count unviable) that do not build): $caught caught ($(count timeout) by running out of time), $missed survive"
