# The long tests, in parts that each stand alone. Needs build.sh and packages.sh.
# shellcheck shell=bash

# shellcheck source=scripts/lib/say.sh
source "$(dirname "${BASH_SOURCE[0]}")/say.sh"

# name, and how many minutes it takes at most on two cores: a part that would end after the limit is not begun.
full_parts=(
  "tsan 12"      # threads against the stub driver, under ThreadSanitizer
  "fuzz 8"       # each fuzz target for half a minute
  "asan 27"      # the suite under the address and undefined behaviour sanitizers
  # a million launches, a thousand contexts; failure harness and seeds at the stated numbers
  "soak-stub 5" "soak-pocl 30" "soak-pocl-split 15" "soak-intel 30" "soak-rusticl 60"
  "coverage 25"  # the suite with counters, and the report
)

# run_full MINUTES: all parts that fit; 0 is no limit. Returns 1 if any failed. Every part is named with its result.
run_full() {
  local minutes=$1 part name needs result status=0
  SECONDS=0
  for part in "${full_parts[@]}"; do
    read -r name needs <<<"$part"
    if ((minutes > 0 && SECONDS / 60 + needs > minutes)); then
      printf 'full: %-15s left out: may take %d minutes, %d are left\n' "$name" "$needs" $((minutes - SECONDS / 60))
      continue
    fi
    if full_part "$name"; then result=passed; else result=FAILED status=1; fi
    printf 'full: %-15s %s\n' "$name" "$result"
  done
  return "$status"
}

full_part() {
  case $1 in
    soak-*) soak "${1#soak-}" ;;
    coverage) "$repo/scripts/coverage" ;;
    *) build_and_test "$1" ;;
  esac
}

# soak DRIVER
soak() {
  local log=$repo/build/test-soak-$1.log
  run_logged "$log" "running the soak tests on $1" \
    env ANYCL_TEST_SCALE=full ctest --test-dir "$repo/build/test" -L '^(full|scaled)$' -L "^$1\$" --output-on-failure \
    --no-tests=error || tell_failed "$log"
}

build_and_test() {
  local log=$repo/build/test-$1.log
  build_preset "$1"
  run_logged "$log" "running the tests of preset $1" in_repo ctest --preset "$1" -LE '^(full|tree|scripts|consumer)$' \
    --no-tests=error ||
    tell_failed "$log"
}

# Shows which tests failed, and how each begins to say why. Always returns 1.
tell_failed() {
  say "failed (log: $(short "$1")):"
  awk -v most=25 '
    /^ *[0-9]+\/[0-9]+ Test / { shown = /\*\*\*/ ? most : 0; if (shown) print; next }
    /^ +Start +[0-9]+: |^[-.=~]+$|Catch v[0-9.]+ host|^Run with -\?/ { next }
    /^ *#[0-9]+\t|^ *INFO: / { next }  # how far a fuzzer is, long before its fault
    NF && shown > 0 { print "    " $0; --shown }' "$1" >&2
  sed -n '/The following tests FAILED/,/^Errors/p' "$1" | grep -E '^\s+[0-9]+ - ' >&2 || tail -n 3 "$1" >&2
  return 1
}
