#!/usr/bin/env bash
# Installs runtimes, unmodified, from the registry that npm is set up for, every package pinned by a lock file: those
# that are named, each into its folder in versions/, or else what package.json beside this file says. The packages
# land in node_modules (ignored), and no script of theirs is run. What is there, stays.
#
# Usage: setup.sh [NAME@VERSION …]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

install() (
  cd "$1"
  # The copy is made last, so half an installation has none.
  if cmp -s package-lock.json node_modules/made-from.json; then
    exit 0
  fi
  echo "setup.sh: installing $(node -p 'const { dependencies } = require("./package.json"); Object.entries(dependencies).map(one => one.join(" ")).join(", ")')" >&2
  npm ci --silent --no-audit --no-fund --ignore-scripts
  cp package-lock.json node_modules/made-from.json
)

if [ $# -eq 0 ]; then
  install .
fi
for name in "$@"; do
  install "versions/$name"
done
