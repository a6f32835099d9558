#!/usr/bin/env bash
# Builds the programs on the runtimes of Go, unmodified, in the versions that their go.mod pin, into .cache beside this file.
#
# Usage: setup.sh [sdk | genai-VERSION | adk-VERSION]...    None is named: sdk. What was built last from the same sources, stays.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

if ! command -v go >/dev/null; then
  echo 'setup.sh: Go is needed: 1.24 or newer for sdk and genai, 1.26 for adk' >&2
  exit 1
fi
mkdir -p .cache
export GOMODCACHE=$PWD/.cache/modules GOFLAGS='-mod=readonly -modcacherw -buildvcs=false'

# build NAME FOLDER    which may use the folder matrix
build() {
  local built=$PWD/.cache/$1
  if [ -x "$built" ] && [ -z "$(find "$2" matrix -maxdepth 1 \( -name '*.go' -o -name 'go.*' \) -newer "$built")" ]; then
    return
  fi
  (cd "$2" && go build -o "$built.new" .)
  touch "$built.new"
  mv "$built.new" "$built"
}

# The sources of a module, but those that versions/ has others of. The import path of a first major version has no number in it.
rewrite() {
  local name=$1 module=${1%%-*} source file
  mkdir -p ".cache/$name.src"
  for source in "$module"/* "versions/$name"/*; do
    file=${source##*/}
    if [ "${source%/*}" = "$module" ] && [ -e "versions/$name/$file" ]; then
      continue
    fi
    sed "s#google.golang.org/$module/v2/#google.golang.org/$module/#" "$source" >.cache/new
    cmp -s .cache/new ".cache/$name.src/$file" || cp .cache/new ".cache/$name.src/$file"
  done
}

for name in "${@:-sdk}"; do
  if [ "$name" = sdk ]; then
    build sdk .
  elif grep -q "google.golang.org/${name%%-*}\S* v${name#*-}\$" "${name%%-*}/go.mod" 2>/dev/null; then
    build "$name" "${name%%-*}"
  elif [ -d "versions/$name" ]; then
    rewrite "$name"
    build "$name" ".cache/$name.src"
  else
    echo "setup.sh: there is no $name; there are sdk, those of */go.mod, and" versions/* >&2
    exit 2
  fi
done
