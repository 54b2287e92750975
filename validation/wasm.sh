#!/usr/bin/env bash
# The module that exported studios have inside beside the program: every shipped model is run by both, and the tables are the same bytes.
# Where Rust's library for the module's target is installed, it is made anew too and compared in the same way; MODULE=1 makes it whatever
# that takes (see release/wasm.sh). Needs Node.
source "$(dirname "$0")/common.sh"
left_out="NOT TESTED: the module for pages" required=REQUIRE_BROWSER

command -v node >/dev/null || skip "no node"
cargo build --release --workspace --quiet
node validation/wasm.mjs target/release/biela target/module
if [ "${MODULE:-0}" = 1 ] || [ -d "$(rustc --print target-libdir --target wasm32-unknown-unknown)" ]; then
  release/wasm.sh --plain target/module/anew.wasm
  node validation/wasm.mjs target/release/biela target/module target/module/anew.wasm
else
  echo "not made anew: Rust's library for wasm32-unknown-unknown is not installed (MODULE=1 fetches what it needs)"
fi
