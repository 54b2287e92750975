#!/usr/bin/env bash
# Mutation testing of `math`, `joints` and `system/constraint.rs`: every ninth mutant of cargo-mutants is built and
# tested (about 300; another sample: SHARD=1/9). What survives the tests inside its module is tried with others.
# Leaves the lists in target/mutation/ and prints the counts and the survivors.
# Takes an hour or two, so it is no part of ./test; needs `cargo install cargo-mutants`. Changes are made in place
# and taken back, so the tree must be clean.
source "$(dirname "$0")/common.sh"

command -v cargo-mutants >/dev/null || { echo "cargo-mutants is not installed: cargo install cargo-mutants" >&2; exit 1; }
git diff --quiet || { echo "the tree has changes: commit them first, mutants are written into the sources" >&2; exit 1; }

# Tries the mutants not caught so far: a folder for the lists, the sources, then the test programs.
pass() {
  local folder=$1 status=0 arguments=() file
  for file in $2; do arguments+=("--file=crates/biela/src/$file"); done
  shift 2
  for test in "$@"; do arguments+=("--cargo-arg=--test=$test"); done
  mkdir -p "target/mutation/$folder"
  cargo mutants --in-place --iterate --package biela --profile mutants --shard "${SHARD:-0/9}" --sharding round-robin \
    --minimum-test-timeout 60 --output "target/mutation/$folder" --cargo-arg=--lib "${arguments[@]}" \
    -- -- --skip results:: --skip picture:: --skip text:: --skip plan:: --skip sweep:: || status=$?
  # 2 and 3 say that mutants survived or ran out of time: that is the finding, not a fault of this program.
  [ "$status" -le 3 ] || exit "$status"
}

laws="joint_laws row_derivatives seeds_000 seeds_003"
# Slower ones, for what is left; cargo stops at the first that fails.
more="all_models_run assembly modes seeds_002 seeds_002_forces tree_reference"
rm -rf target/mutation
pass math 'math/**'
# shellcheck disable=SC2086
pass joints 'joints/** system/constraint.rs' $laws
# shellcheck disable=SC2086
pass math 'math/**' $laws $more
# shellcheck disable=SC2086
pass joints 'joints/** system/constraint.rs' $more

count() { cat target/mutation/*/mutants.out/{,previously_}"$1".txt 2>/dev/null | sort -u | grep -c . || true; }
caught=$(($(count caught) + $(count timeout)))
missed=$(cat target/mutation/*/mutants.out/missed.txt | sort -u | grep -c . || true)
echo "$((caught + missed)) viable mutants (and $(count unviable) that do not build): $caught caught ($(count timeout) by running out of time), $missed survive:"
cat target/mutation/*/mutants.out/missed.txt
