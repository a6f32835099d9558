#!/usr/bin/env bash
# Compiles the program on the SDK of Java, unmodified, in the version that pom.xml pins, into .cache beside this file.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

for tool in javac mvn; do
  if ! command -v "$tool" >/dev/null; then
    echo "setup.sh: $tool is needed. On Debian: apt-get install default-jdk-headless maven" >&2
    exit 1
  fi
done
# What was compiled last from the same sources, stays.
if [ .cache/classes/Sdk.class -nt Sdk.java ] && [ .cache/classes/Sdk.class -nt pom.xml ]; then
  exit 0
fi
rm -rf .cache/jars .cache/classes
mvn --quiet --batch-mode -Dmaven.repo.local="$PWD/.cache/repository" dependency:copy-dependencies -DoutputDirectory="$PWD/.cache/jars" >&2
javac -cp '.cache/jars/*' -d .cache/classes Sdk.java
