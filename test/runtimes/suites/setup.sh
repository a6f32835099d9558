#!/usr/bin/env bash
# Installs what the pytest example needs into .venv beside this file, from the package index that pip is set up
# for, with every package pinned by constraints.txt. What is there, stays.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

# The copy says what the environment was made from; it is written last, so half an environment has none.
if cmp -s constraints.txt .venv/made-from.txt; then
  exit 0
fi
echo "setup.sh: installing pytest and google-genai" >&2
rm -rf .venv
"${PYTHON:-python3}" -m venv .venv
.venv/bin/pip install --quiet --disable-pip-version-check --constraint constraints.txt --requirement ../../../examples/pytest/requirements.txt
cp constraints.txt .venv/made-from.txt
