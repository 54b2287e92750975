# shellcheck shell=bash
# What the checks beside it share; they begin with `source "$(dirname "$0")/common.sh"`.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# Set by each check: words for what is left out, and the name of the variable that makes leaving it out a failure (as in CI).
left_out="" required=""

# skip WHY: says that the check cannot be made, and ends it.
skip() {
  echo "$left_out: $*" >&2
  [ "${!required:-0}" = 1 ] && exit 1
  exit 0
}

# environment FOLDER MODULES PACKAGE…: a Python environment in which the modules can be imported, made on first use. Its
# interpreter is then $python.
environment() {
  local folder=$1 modules=$2 attempt
  shift 2
  python="$folder/bin/python"
  "$python" -c "import $modules" 2>/dev/null && return
  command -v python3 >/dev/null || skip "no python3"
  rm -rf "$folder"
  python3 -m venv "$folder" >/dev/null 2>&1 || skip "no Python environment can be made"
  for attempt in 1 2 3; do
    "$folder/bin/pip" install --quiet --disable-pip-version-check "$@" >"$folder/pip.log" 2>&1 && return
    [ "$attempt" = 3 ] || continue
    tail -3 "$folder/pip.log" >&2
    skip "$* cannot be installed"
  done
}
