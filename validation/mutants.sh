#!/usr/bin/env bash
# Mutation testing of `math`, `joints` and `system/constraint.rs`: every ninth mutant of cargo-mutants is built and
# tested (326 of them; other samples: SHARD=1/9 to SHARD=8/9). What survives the tests nearest to it is tried with more.
# Leaves the lists in target/mutation/ and prints the counts and the survivors.
# Takes an hour on two cores, so it is no part of ./test; needs `cargo install cargo-mutants`. Changes are made in place
# and taken back, so the tree must be clean.
set -euo pipefail
cd "$(dirname "$0")/.."

command -v cargo-mutants >/dev/null || { echo "cargo-mutants is not installed: cargo install cargo-mutants" >&2; exit 1; }
git diff --quiet || { echo "the tree has changes: commit them first, mutants are written into the sources" >&2; exit 1; }

here=$PWD
out=$PWD/target/mutation
sample=(--shard "${SHARD:-0/9}" --sharding round-robin)
# Unit tests of other things are left out.
others=(--skip results:: --skip picture:: --skip text:: --skip plan:: --skip sweep:: --skip report:: --skip optimise::)

# Builds and tests mutants, with a folder for the lists first; 2 and 3 say that some survived or ran out of time: that is the
# finding, not a fault of this program.
mutants() {
  local folder=$out/$1 status=0
  shift
  mkdir -p "$folder"
  cargo mutants --in-place --profile mutants --minimum-test-timeout 10 --output "$folder" "$@" || status=$?
  case $status in 0 | 2 | 3) ;; *) exit "$status" ;; esac
}

# Tries the survivors of one folder again, with the lists in FOLDER-again, and leaves the rest in FOLDER-again/survivors.txt.
again() {
  local first=$out/$1/mutants.out/missed.txt which=() line
  while read -r line; do
    which+=(--file "${line%%:*}" --re "^$(sed 's/[][(){}.*+?^$|\\]/\\&/g' <<<"$line")\$")
  done <"$first"
  mkdir -p "$out/$1-again"
  : >"$out/$1-again/survivors.txt"
  [ ${#which[@]} -gt 0 ] || return 0
  mutants "$1-again" --package biela "${which[@]}" "${@:2}" -- -- "${others[@]}"
  # Deleted fields of structures get past --re, so others than the survivors may have been tried too.
  grep -Fxf "$first" "$out/$1-again/mutants.out/missed.txt" >"$out/$1-again/survivors.txt" || true
}

tests() { for test in "$@"; do echo "--cargo-arg=--test=$test"; done; }

rm -rf "$out"
# `math` uses nothing of the library but itself: alone it builds in a second. Names of mutants stay those of the library.
mkdir -p "$out/alone/crates/biela/src"
cp -r crates/biela/src/math "$out/alone/crates/biela/src/"
cp Cargo.lock "$out/alone/"
echo 'pub mod math;' >"$out/alone/crates/biela/src/lib.rs"
{
  printf '[package]\nname = "math"\nversion = "0.0.0"\nedition = "2021"\n[lib]\npath = "crates/biela/src/lib.rs"\n'
  printf '[workspace]\n[dependencies]\n%s\n' "$(grep '^libm ' crates/biela/Cargo.toml)"
  sed -n '/^\[profile.mutants/,/^$/p' Cargo.toml
} >"$out/alone/Cargo.toml"
(cd "$out/alone" && mutants math "${sample[@]}" --cargo-arg=--lib)
cd "$here"

# Laws of joints and of rows, then everything quick that moves.
# shellcheck disable=SC2046
mutants joints --package biela "${sample[@]}" --file 'crates/biela/src/joints/**' --file crates/biela/src/system/constraint.rs \
  $(tests joint_laws row_derivatives constraints)
more=(constraints joint_laws row_derivatives seeds_000 seeds_003 all_models_run assembly modes seeds_002 seeds_002_forces tree_reference)
# shellcheck disable=SC2046
again math --cargo-arg=--lib $(tests "${more[@]}")
# shellcheck disable=SC2046
again joints --cargo-arg=--lib $(tests "${more[@]}")

count() { cat "$out"/{math,joints}/mutants.out/"$1.txt" | grep -c . || true; }
survive=$(cat "$out"/{math,joints}-again/survivors.txt | grep -c . || true)
viable=$(($(count caught) + $(count timeout) + $(count missed)))
echo "$viable viable mutants (and $(count unviable) that do not build): $((viable - survive)) caught" \
  "($(count timeout) by running out of time), $survive survive:"
cat "$out"/{math,joints}-again/survivors.txt
