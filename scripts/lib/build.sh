# Configures and builds a CMake preset. CMAKE_BUILD_PARALLEL_LEVEL limits the jobs.
# shellcheck shell=bash

# shellcheck source=scripts/lib/say.sh
source "$(dirname "${BASH_SOURCE[0]}")/say.sh"

# build_preset NAME: leaves the result in build/NAME; speaks only when it takes time or fails.
build_preset() {
  local preset=$1 log
  keep_ccache_working
  local arguments=(--preset "$preset")
  if has_moved "$repo/build/$preset"; then arguments+=(--fresh); fi
  log=$repo/build/configure-$preset.log
  run_logged "$log" "configuring preset $preset" in_repo cmake "${arguments[@]}" ||
    die "cmake could not configure preset $preset: $(first_error "$log") (log: $(short "$log"))"
  log=$repo/build/build-$preset.log
  run_logged "$log" "building preset $preset" in_repo cmake --build --preset "$preset" ||
    die "preset $preset does not build: $(first_error "$log") (log: $(short "$log"))"
}

# A user without a home folder has no place for ccache's files either.
keep_ccache_working() {
  local place=${CCACHE_DIR:-${XDG_CACHE_HOME:-${HOME:-/nonexistent}/.cache}/ccache}
  if ! mkdir -p "$place" 2>/dev/null || [[ ! -w $place ]]; then export CCACHE_DIR=$repo/build/ccache; fi
}

in_repo() { (cd "$repo" && "$@"); }

# CMake refuses a build folder that was copied or moved with its checkout.
has_moved() {
  local cache=$1/CMakeCache.txt
  [[ -f $cache ]] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$repo" "$cache"
}

# CMake puts the message on the lines after "CMake Error at ...", compilers on the line itself.
first_error() {
  local line
  line=$(grep -A 2 -m 1 '^CMake Error' "$1" ||
    grep -m 1 -E '(^|[^-[:alnum:]])error:|undefined reference' "$1" ||
    tail -n 1 "$1")
  tr -s ' \n' ' ' <<<"$line" | sed 's/ $//' | cut -c 1-300 | tr -d '\n'
}
