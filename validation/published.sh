#!/usr/bin/env bash
# Opens every MJCF model of three published packages (PyPI) with plain commands, and compares kinematics and dynamics with MuJoCo's at random
# states. Makes a Python environment under target/ on first use. Where that cannot be had it says so, and passes unless REQUIRE_MUJOCO=1 is set
# (as in CI): there a comparison that cannot be made is a failure.
source "$(dirname "$0")/common.sh"
left_out="NOT COMPARED with published MJCF models" required=REQUIRE_MUJOCO

environment target/mujoco "mujoco, numpy" mujoco numpy
packages=(gymnasium==1.4.0 gymnasium-robotics==1.4.2 dm_control==1.0.50)
models=target/mujoco/models
[ -d "$models" ] || "$python" -m pip install --quiet --disable-pip-version-check --no-deps --no-compile --target "$models" "${packages[@]}" \
  >target/mujoco/models.log 2>&1 || { rm -rf "$models"; skip "${packages[*]} cannot be installed"; }
cargo build --release --workspace --quiet
# MuJoCo leaves its log where it runs.
root=$PWD
(cd target/mujoco && "$root/$python" "$root/validation/compare_published.py" "$root/target/release/biela" "$root/$models")
