#!/usr/bin/env bash
# Makes the module that exported studios have inside: the program as WebAssembly, packed, in crates/biela-studio/assets. The same source
# gives the same bytes on the same toolchain. It is made anew when calls of the studio or numbers change, and committed with them.
#
#   release/wasm.sh               makes it in its place
#   release/wasm.sh --plain FILE  makes it as FILE, not packed
#
# Needs Rust's library for wasm32-unknown-unknown (rustup target add wasm32-unknown-unknown). Where it is not there, a Debian has a
# compiler with the library's source, which are unpacked under target/ and not installed. wasm-opt (binaryen) makes the module a tenth
# smaller; the version that made what is committed comes by npm.
source "$(dirname "$0")/../validation/common.sh"
left_out="NOT MADE: the module for pages" required=always always=1
fail() { echo "error: $*" >&2; exit 1; }

place=crates/biela-studio/assets/biela.wasm.lzma plain=""
[ "${1:-}" != --plain ] || plain=${2:?a file}
tools=$PWD/target/wasm-tools target=wasm32-unknown-unknown
command -v cargo >/dev/null || fail "no cargo"
command -v python3 >/dev/null || fail "no python3"
mkdir -p "$tools"

# The module knows no path of this machine, no place of a panic (its words are enough), and has the stack that programs have elsewhere.
flags=(--cfg 'getrandom_backend="custom"' -Zlocation-detail=none -Clink-arg=-zstack-size=8388608
  "--remap-path-prefix=$PWD=/biela" "--remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}=/cargo")
printf -v CARGO_ENCODED_RUSTFLAGS '%s\x1f' "${flags[@]}"
export CARGO_ENCODED_RUSTFLAGS=${CARGO_ENCODED_RUSTFLAGS%$'\x1f'}
# For the option that leaves places out, and for building the library.
export RUSTC_BOOTSTRAP=1
options=()
if [ ! -d "$(rustc --print target-libdir --target $target)" ]; then
  command -v apt-get >/dev/null && command -v dpkg-deb >/dev/null ||
    skip "no library of Rust for $target: rustup target add $target"
  root=$tools/root
  if [ ! -x "$root/usr/bin/rustc" ]; then
    [ "$(id -u)" != 0 ] || apt-get update -qq >/dev/null 2>&1 || true
    version=$(apt-cache policy rustc-web | sed -n 's/ *Candidate: \([0-9]*\.[0-9]*\).*/\1/p')
    [ -n "$version" ] || skip "no library of Rust for $target, and no package rustc-web"
    llvm=$(apt-cache depends "libstd-rust-web-$version" | sed -n 's/ *Depends: \(libllvm.*\)/\1/p')
    (cd "$tools" && rm -f ./*.deb && apt-get download -qq rustc-web rust-web-src "libstd-rust-web-$version" libstd-rust-web-dev "$llvm" 2>/dev/null) ||
      skip "packages of Rust cannot be fetched"
    for package in "$tools"/*.deb; do dpkg-deb -x "$package" "$root"; done
    rm -f "$tools"/*.deb
  fi
  printf '#!/bin/sh\nLD_LIBRARY_PATH=%s exec %s "$@"\n' "$root/usr/lib/$(uname -m)-linux-gnu" "$root/usr/bin/rustc" >"$tools/rustc"
  chmod +x "$tools/rustc"
  linker=$(find "$(rustc --print sysroot)" -name rust-lld -path '*/bin/*' | head -1)
  [ -n "$linker" ] || linker=$(command -v rust-lld lld | head -1)
  [ -n "$linker" ] || skip "no linker: lld"
  export RUSTC=$tools/rustc CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER=$linker
  options=(-Zbuild-std=std,panic_abort -Zbuild-std-features=optimize_for_size)
  echo "by $("$RUSTC" --version), with the library's source"
fi
cargo build --profile wasm --locked --quiet --package biela-wasm --target $target "${options[@]}"
module=target/$target/wasm/biela_wasm.wasm small=$tools/small.wasm

# One version of it, so that the bytes are the same everywhere; another one that is there only where that cannot be had.
optimise=$tools/npm/node_modules/.bin/wasm-opt
if [ ! -x "$optimise" ] && command -v npm >/dev/null; then
  npm install --silent --no-audit --no-fund --prefix "$tools/npm" binaryen@132 >/dev/null 2>&1 || true
fi
[ -x "$optimise" ] || optimise=$(command -v wasm-opt || true)
if [ -n "$optimise" ]; then
  # What every browser of the last years knows.
  "$optimise" -Oz --enable-{bulk-memory,bulk-memory-opt,sign-ext,nontrapping-float-to-int,mutable-globals,multivalue,reference-types} \
    --strip-debug --strip-producers "$module" -o "$small"
else
  echo "not optimised: no wasm-opt (binaryen)"
  cp "$module" "$small"
fi
if [ -n "$plain" ]; then cp "$small" "$plain"; else
  python3 - "$small" "$place" <<'PYTHON'
import lzma, sys
module = open(sys.argv[1], "rb").read()
best = dict(id=lzma.FILTER_LZMA1, preset=9 | lzma.PRESET_EXTREME, lc=4, lp=0, pb=0, nice_len=273, depth=1000)
packed = lzma.compress(module, format=lzma.FORMAT_ALONE, filters=[best])
open(sys.argv[2], "wb").write(packed)
print(f"{sys.argv[2]}: {len(packed)} bytes, {len(module)} unpacked")
PYTHON
fi
