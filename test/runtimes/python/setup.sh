#!/usr/bin/env bash
# Installs google-adk, unmodified, once per version: into .venv/VERSION beside this file, from the package
# index that pip is set up for, with every package pinned by constraints/VERSION.txt. A version that begins
# with `genai-` is one of the SDK alone, google-genai.
#
# Usage: setup.sh [VERSION ...]    every version that has constraints, unless named. What is there, stays.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

python=${PYTHON:-python3}
if ! "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
  echo "setup.sh: Python 3.11 or newer is needed. Install it, or name it: PYTHON=/path/to/python3 setup.sh" >&2
  exit 1
fi
# Debian's python3 comes without what makes environments.
if ! "$python" -c 'import ensurepip, venv' 2>/dev/null; then
  echo "setup.sh: $python cannot make environments. On Debian: apt-get install python3-venv" >&2
  exit 1
fi

if [ $# -eq 0 ]; then
  set -- $(cd constraints && ls -- *.txt | sed 's/\.txt$//')
fi
for version in "$@"; do
  constraints=constraints/$version.txt
  if [ ! -f "$constraints" ]; then
    echo "setup.sh: no $constraints; add one (pip freeze) to pin version $version" >&2
    exit 1
  fi
  # The copy says what the environment was made from; it is written last, so half an environment has none.
  if cmp -s "$constraints" ".venv/$version/made-from.txt"; then
    continue
  fi
  package=google-adk==$version
  case $version in genai-*) package=google-genai==${version#genai-} ;; esac
  echo "setup.sh: installing $package" >&2
  rm -rf ".venv/$version"
  "$python" -m venv ".venv/$version"
  ".venv/$version/bin/pip" install --quiet --disable-pip-version-check --constraint "$constraints" "$package"
  cp "$constraints" ".venv/$version/made-from.txt"
done
