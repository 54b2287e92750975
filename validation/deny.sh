#!/usr/bin/env bash
# Licences, known faults, bans and sources of all dependencies by cargo-deny, as deny.toml says. Runs where cargo-deny is
# installed; with INSTALL=1 it installs it under target/ first, which takes minutes. Where it cannot be had it says so, and passes
# unless REQUIRE_DENY=1 is set. Advisories need their data base, which comes over the network: without it they are left out, and
# that is said.
source "$(dirname "$0")/common.sh"
left_out="NOT CHECKED: licences and advisories of dependencies" required=REQUIRE_DENY

export PATH="$PWD/target/tools/bin:$PATH"
if ! command -v cargo-deny >/dev/null; then
  [ "${INSTALL:-0}" = 1 ] || skip "cargo-deny is not installed (INSTALL=1 installs it)"
  cargo install --quiet --locked --root target/tools cargo-deny || skip "cargo-deny cannot be installed"
fi
cargo deny --log-level error check licenses bans sources
if ! cargo deny --log-level error check advisories; then
  cargo deny --log-level error fetch db >/dev/null 2>&1 && exit 1
  skip "the data base of advisories cannot be fetched; licences, bans and sources are in order"
fi
