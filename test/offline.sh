#!/usr/bin/env bash
# Runs the tests of `npm test` where no network exists: a namespace of its own with nothing but loopback.
# As root, or as a user who may create user namespaces.
set -euo pipefail
cd "$(dirname "$0")/.."

if [ "${1:-}" != inside ]; then
  npm run --silent build
  namespaces=(--net)
  [ "$(id -u)" = 0 ] || namespaces+=(--user --map-root-user)
  exec unshare "${namespaces[@]}" bash "$0" inside "$@"
fi

shift
ip link set lo up
if [ -n "$(ip route show)" ]; then
  echo 'offline: there is a route out of this namespace' >&2
  exit 1
fi
exec node node_modules/vitest/vitest.mjs run "$@"
