#!/usr/bin/env bash
# Installs runtimes, unmodified, once per version: each into .venv/NAME-VERSION beside this file, from the
# package index that pip is set up for, with every package pinned by constraints/NAME-VERSION.txt.
#
# Usage: setup.sh [NAME-VERSION ...]    all that have constraints, unless named. What is there, stays.
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

# The package that a name stands for.
package_of() {
  case $1 in
    adk) echo google-adk ;;
    genai) echo google-genai ;;
    pydantic-ai) echo 'pydantic-ai-slim[google]' ;;
    langchain) echo langchain-google-genai ;;
    *) echo "setup.sh: $1 is none of adk, genai, pydantic-ai and langchain" >&2; return 1 ;;
  esac
}

if [ $# -eq 0 ]; then
  set -- $(cd constraints && ls -- *.txt | sed 's/\.txt$//')
fi
for environment in "$@"; do
  constraints=constraints/$environment.txt
  if [ ! -f "$constraints" ]; then
    echo "setup.sh: no $constraints; add one (pip freeze) to pin $environment" >&2
    exit 1
  fi
  # The copy says what the environment was made from; it is written last, so half an environment has none.
  if cmp -s "$constraints" ".venv/$environment/made-from.txt"; then
    continue
  fi
  package=$(package_of "${environment%-*}")==${environment##*-}
  echo "setup.sh: installing $package" >&2
  rm -rf ".venv/$environment"
  "$python" -m venv ".venv/$environment"
  ".venv/$environment/bin/pip" install --quiet --disable-pip-version-check --constraint "$constraints" "$package"
  cp "$constraints" ".venv/$environment/made-from.txt"
done
