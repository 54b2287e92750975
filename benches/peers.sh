#!/usr/bin/env bash
# Times tree dynamics beside Pinocchio, in interleaved rounds, with check sums compared.
# BIELA_PEERS: the folder of the peer kit (compare.py, models/); BIELA_PEERS_OUT: its built programs, BIELA_PEERS/out if not given.
# usage: BIELA_PEERS=KIT benches/peers.sh [MODELS] [ROUNDS]     such as puma560,humanoid30 3
set -euo pipefail
cd "$(dirname "$0")/.."
kit=${BIELA_PEERS:?set BIELA_PEERS to the folder of the peer kit}
out=${BIELA_PEERS_OUT:-$kit/out}
models=${1:-puma560,arm7,humanoid30,chain_12,chain_30,chain_100}
[ -x "$out/pin_bench" ] || { echo "no $out/pin_bench: build the kit first (its README says how)" >&2; exit 1; }
cargo build --release --quiet
python3 "$kit/compare.py" --rounds "${2:-3}" --models "$models" --models-dir "$kit/models" \
  "pinocchio=$out/pin_bench {model} --batch 4096" "biela=target/release/biela bench {model} --json --batch 4096"
