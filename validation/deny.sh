#!/usr/bin/env bash
# Licences, known faults, bans and sources of all dependencies by cargo-deny, as deny.toml says. Installs cargo-deny under target/
# on first use, which takes some minutes. Where it cannot be had it says so, and passes unless REQUIRE_DENY=1 is set. Known faults
# need their data base, which comes over the network: without it they are left out, and that is said.
source "$(dirname "$0")/common.sh"
left_out="NOT CHECKED: licences, sources and known faults of dependencies" required=REQUIRE_DENY

export PATH="$PWD/target/tools/bin:$PATH"
# Built without optimisation: that takes half as long, and it runs for a second.
if ! command -v cargo-deny >/dev/null; then
  cargo install --quiet --locked --debug --root target/tools cargo-deny || skip "cargo-deny cannot be installed"
fi
cargo deny --log-level error check licenses bans sources
if cargo deny --log-level off fetch db >/dev/null 2>&1; then
  cargo deny --log-level error check advisories
else
  echo "NOT CHECKED: known faults of dependencies: their data base cannot be fetched" >&2
fi
