#!/usr/bin/env bash
# Compiles the programs on the runtimes of Java, unmodified, in the versions that their poms pin, into .cache beside this file.
#
# Usage: setup.sh [sdk | genai-VERSION | adk-VERSION]...    None is named: sdk. What was compiled last from the same sources, stays.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

for tool in javac mvn; do
  if ! command -v "$tool" >/dev/null; then
    echo "setup.sh: $tool is needed. On Debian: apt-get install default-jdk-headless maven" >&2
    exit 1
  fi
done

# compile FOLDER POM SOURCE...
compile() {
  local folder=.cache/$1 pom=$2 source fresh=yes
  shift 2
  for source in "$pom" "$@"; do
    [ "$folder/done" -nt "$source" ] || fresh=no
  done
  if [ "$fresh" = yes ]; then
    return
  fi
  if [ ! "$folder/jars" -nt "$pom" ]; then
    rm -rf "$folder/jars"
    mvn --quiet --batch-mode --file "$pom" -Dmaven.repo.local="$PWD/.cache/repository" \
      dependency:copy-dependencies -DoutputDirectory="$PWD/$folder/jars" >&2
    touch "$folder/jars"
  fi
  rm -rf "$folder/new"
  javac -encoding UTF-8 -proc:none -cp "$folder/jars/*" -d "$folder/new" "$@"
  # A program that runs meanwhile misses them for no longer than this takes.
  rm -rf "$folder/classes" && mv "$folder/new" "$folder/classes"
  touch "$folder/done"
}

SHARED=(Arrivals.java Scenario.java Toolbox.java Transcript.java)
for name in "${@:-sdk}"; do
  case $name in
    sdk) compile sdk pom.xml Sdk.java ;;
    genai-*) compile "$name" "versions/$name/pom.xml" "${SHARED[@]}" Genai*.java ;;
    adk-*) compile "$name" "versions/$name/pom.xml" "${SHARED[@]}" Adk*.java ;;
    *)
      echo "setup.sh: there is no $name; there are sdk and" versions/* >&2
      exit 2
      ;;
  esac
done
