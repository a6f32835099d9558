#!/usr/bin/env bash
# Installs @google/adk, unmodified, into node_modules beside this file (ignored), from the registry that npm is
# set up for, every package pinned by package-lock.json. What is there, stays.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

# The copy is made last, so half an installation has none.
if cmp -s package-lock.json node_modules/made-from.json; then
  exit 0
fi
echo "setup.sh: installing $(node -p 'const { dependencies } = require("./package.json"); Object.entries(dependencies).map(one => one.join(" ")).join(", ")')" >&2
npm ci --silent --no-audit --no-fund --ignore-scripts
cp package-lock.json node_modules/made-from.json
