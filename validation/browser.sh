#!/usr/bin/env bash
# Pages in a real browser: Debian's chromium, headless, driven by Node alone. Installs both by apt where it may.
# Without them it says so and passes, unless CI=1 or REQUIRE_BROWSER=1 is set.
source "$(dirname "$0")/common.sh"
left_out="SKIPPED: checks in a browser" required=REQUIRE_BROWSER
[ "${CI:-0}" = 1 ] || [ "${CI:-}" = true ] && REQUIRE_BROWSER=1

missing=()
command -v chromium >/dev/null || missing+=(chromium)
command -v node >/dev/null || missing+=(nodejs)
if [ ${#missing[@]} -gt 0 ]; then
  [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || skip "no ${missing[*]}, and no right to install"
  apt-get update -qq >/dev/null 2>&1 || true
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null 2>&1 || skip "${missing[*]} cannot be installed"
fi
# Node 20 has the client for WebSockets behind a flag, later versions without one; older ones have none.
flag=()
node -e 'process.exit(globalThis.WebSocket ? 0 : 1)' || flag=(--experimental-websocket)
node "${flag[@]}" -e 'process.exit(globalThis.WebSocket ? 0 : 1)' 2>/dev/null || skip "node $(node --version) is older than 20.10"
cargo build --release --workspace --quiet
for page in view studio learn draw space studies; do
  node "${flag[@]}" --no-warnings "validation/browser/$page.mjs" target/release/biela "$(command -v chromium)" target/browser
done
node "${flag[@]}" --no-warnings validation/browser/alone.mjs target/release/biela "$(command -v chromium)" target/browser
target/release/biela-book
node "${flag[@]}" --no-warnings validation/browser/book.mjs target/book "$(command -v chromium)" target/browser

# The same hands in Firefox, over WebDriver BiDi, which it speaks by itself.
firefox=$(command -v firefox-esr || command -v firefox || true)
if [ -z "$firefox" ] && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends firefox-esr >/dev/null 2>&1 || true
  firefox=$(command -v firefox-esr || true)
fi
if [ -n "$firefox" ]; then
  for page in draw space studies gecko; do
    node "${flag[@]}" --no-warnings "validation/browser/$page.mjs" target/release/biela "$firefox" target/browser-firefox
  done
else
  echo "SKIPPED: the same in Firefox: it cannot be installed"
fi
