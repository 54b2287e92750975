#!/usr/bin/env bash
# Every figure of docs/performance.md that is measured beside a peer or a kernel by hand, in one go; for a machine with nothing else running.
#   PYTHON=VENV/bin/python PEERS=OUT benches/quiet.sh [FOLDER]
# PYTHON has biela, pylinkage, numba and exudyn; PEERS has the peer kit's pin_bench and pin_nfourbar, KIT is the kit itself. What is not there is left out, and said.
set -uo pipefail
cd "$(dirname "$0")/.."
into=${1:-target/quiet}
mkdir -p "$into"
ahead=()
chrt -f 10 true 2>/dev/null && ahead=(chrt -f 10)

step() { # NAME COMMAND…
  local name=$1 start=$SECONDS
  shift
  if "${ahead[@]}" "$@" >"$into/$name.txt" 2>"$into/$name.err"; then
    echo "$name: $((SECONDS - start)) s"
  else
    echo "$name: failed, see $into/$name.err"
  fi
}

{ date; uname -srm; grep -m1 'model name' /proc/cpuinfo; nproc; uptime; git rev-parse HEAD; } >"$into/machine.txt"
at=target/release
step kinematics $at/kinematics
step command python3 benches/command.py
step growth $at/growth --most 10000
step planar $at/planar
step formulations $at/formulations
step slider_crank $at/slider_crank
step binding $at/binding
step linear $at/linear
if [ -n "${PYTHON:-}" ]; then
  step pylinkage "$PYTHON" benches/pylinkage_beside.py
  step python_calls "$PYTHON" benches/python_calls.py
else
  echo "left out: pylinkage, calls from Python (PYTHON is not set)"
fi
if [ -n "${PEERS:-}" ]; then
  step loops python3 benches/loops.py --pin "$PEERS/pin_nfourbar" ${PYTHON:+--python "$PYTHON"}
  if [ -n "${KIT:-}" ]; then step trees env BIELA_PEERS="$KIT" BIELA_PEERS_OUT="$PEERS" benches/peers.sh; fi
else
  echo "left out: Pinocchio and Exudyn (PEERS is not set)"
fi
uptime >>"$into/machine.txt"
