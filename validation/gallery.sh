#!/usr/bin/env bash
# Draws every shipped model for docs/gallery.md: docs/images/gallery/NAME.png.
source "$(dirname "$0")/common.sh"
cargo build --release --quiet
mkdir -p docs/images/gallery
for model in models/*.toml; do
  name=$(basename "$model" .toml)
  # A moment that shows the mechanism well, a tenth into its run.
  end=$(target/release/biela run "$model" 2>/dev/null | sed -n '1s/.* s to \([0-9.e+-]*\) s,.*/\1/p')
  at=$(awk -v end="${end:-0}" 'BEGIN { print 0.1 * end }')
  target/release/biela view "$model" --still "docs/images/gallery/$name.png" --at "$at" --width 360 >/dev/null 2>&1
done
du -sh docs/images/gallery
