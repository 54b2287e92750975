#!/usr/bin/env bash
# Mutation testing of `biela-math`, and of `joints` of `biela-model` and `system/constraint/` of `biela-core`: every eighth mutant of cargo-mutants is built and
# tested for the first (other samples: SHARD=1/8 to SHARD=7/8), by its own tests alone, and every forty-eighth for the others, which take a
# build of all that stands on them, by four test programs. Leaves the lists in target/mutation/ and prints the counts and the survivors.
# Takes twenty minutes on two cores, so it is no part of ./test; needs `cargo install cargo-mutants`. Changes are made
# in place and taken back, so the tree must be clean.
source "$(dirname "$0")/common.sh"

command -v cargo-mutants >/dev/null || { echo "cargo-mutants is not installed: cargo install cargo-mutants" >&2; exit 1; }
git diff --quiet || { echo "the tree has changes: commit them first, mutants are written into the sources" >&2; exit 1; }

out=$PWD/target/mutation

# Builds and tests a sample, with a folder for the lists and the share first; 2 and 3 say that mutants survived or ran out of time: that is
# the finding, not a fault of this program.
mutants() {
  local folder=$out/$1 status=0
  mkdir -p "$folder"
  cargo mutants --in-place --profile mutants --shard "$2" --sharding round-robin --minimum-test-timeout 20 \
    --output "$folder" "${@:3}" || status=$?
  case $status in 0 | 2 | 3) ;; *) exit "$status" ;; esac
}

rm -rf "$out"
# The crate of mathematics stands alone: it builds in seconds, and its own tests are what it is held to.
mutants math "${SHARD:-0/8}" --package biela-math

mutants joints "${JOINTS_SHARD:-0/48}" --package biela-model --package biela-core --cargo-arg=--workspace \
  --file 'crates/biela-model/src/joints/**' --file 'crates/biela-core/src/system/constraint/**' \
  --cargo-arg=--test=joint_laws --cargo-arg=--test=row_derivatives --cargo-arg=--test=constraints \
  --cargo-arg=--test=convert

for part in math joints; do
  count() { grep -c . "$out/$part/mutants.out/$1.txt" || true; }
  caught=$(($(count caught) + $(count timeout)))
  echo "$part: $((caught + $(count missed))) viable mutants (and $(count unviable) that do not build): $caught caught" \
    "($(count timeout) by running out of time), $(count missed) survive:"
  cat "$out/$part/mutants.out/missed.txt"
done
