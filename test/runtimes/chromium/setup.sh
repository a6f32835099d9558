#!/usr/bin/env bash
# Installs the SDK that the page runs, in the versions that are named; the browser is Debian's, and must be there.
#
# Usage: setup.sh NAME@VERSION …
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

if [ ! -x /usr/bin/chromium ]; then
  echo "setup.sh: /usr/bin/chromium is needed. On Debian: apt-get install chromium" >&2
  exit 1
fi
exec ../javascript/setup.sh "$@"
