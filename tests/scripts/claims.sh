# For the tests of the scripts: claims about one command's exit code and words. Source it, claim, and
# `finish`. Sets $repo, the checkout, and $sandbox, a folder with a copy of scripts/ and a blank in its path;
# both go away at the end.
# shellcheck shell=bash

unset CDPATH  # with it, cd prints where it goes
repo=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)
scratch=$(mktemp -d)
chmod 755 "$scratch"  # other users run things in there too
trap 'rm -rf "$scratch"' EXIT
sandbox="$scratch/a checkout"
mkdir -p "$sandbox/bin"
cp -R "$repo/scripts" "$sandbox/"
mkdir -p "$sandbox/tests"
cp -R "$repo/tests/drivers" "$sandbox/tests/"  # the list of drivers
failures=0

# claim TEXT CODE PATTERN COMMAND...: COMMAND exits with CODE and all it prints (both streams) matches
# PATTERN, an extended regular expression for the whole text; '' is silence.
claim() {
  local text=$1 code=$2 pattern=$3 printed status=0
  shift 3
  printed=$("$@" 2>&1 </dev/null) || status=$?
  if [[ $status == "$code" && $printed =~ ^($pattern)$ ]]; then return; fi
  printf 'FAILED: %s\n  expected exit %s and: %s\n  got exit %s and: %s\n' "$text" "$code" "$pattern" "$status" "$printed"
  failures=$((failures + 1))
}

# in_part PART SHELL-TEXT: runs SHELL-TEXT with scripts/lib/PART.sh of the sandbox, its bin/ first on the
# path.
in_part() {
  PATH="$sandbox/bin:$PATH" bash -euo pipefail -c "source \"\$0/scripts/lib/$1.sh\"; program=part; $2" "$sandbox"
}

# fake NAME SHELL-TEXT: a command that does as told.
fake() {
  printf '#!/bin/sh\n%s\n' "$2" >"$sandbox/bin/$1"
  chmod 755 "$sandbox/bin/$1"
}

finish() { exit $((failures > 0)); }
