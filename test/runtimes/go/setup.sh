#!/usr/bin/env bash
# Builds the program on the SDK of Go, unmodified, in the version that go.mod pins, into .cache beside this file.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

if ! command -v go >/dev/null; then
  echo 'setup.sh: Go 1.24 or newer is needed' >&2
  exit 1
fi
# What was built last from the same sources, stays.
if [ .cache/sdk -nt main.go ] && [ .cache/sdk -nt go.sum ]; then
  exit 0
fi
mkdir -p .cache
GOMODCACHE=$PWD/.cache/modules GOFLAGS='-mod=readonly -modcacherw' go build -o .cache/sdk .
touch .cache/sdk
