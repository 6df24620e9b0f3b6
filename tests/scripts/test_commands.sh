#!/usr/bin/env bash
# The commands people type: bad calls are refused in one line before anything is done, a build failure is told
# in one.
# shellcheck disable=SC2016,SC2317  # shell text for other shells; functions that claim calls
set -euo pipefail
# shellcheck source=tests/scripts/claims.sh
source "$(dirname "${BASH_SOURCE[0]}")/claims.sh"

demo=$sandbox/scripts/demo
test=$sandbox/scripts/test
claim 'demo refuses a photo that is not there' 2 "demo: cannot read photo 'no photo.jpg'" "$demo" \
  'no photo.jpg'
claim 'demo refuses a folder' 2 "demo: cannot read photo '/'" "$demo" /
claim 'demo refuses two photos' 2 'demo: one photo at a time.*' "$demo" a b
claim 'demo refuses unknown options' 2 "demo: unknown option '--fast'.*" "$demo" --fast
claim 'test refuses unknown arguments' 2 "test: unknown argument 'fast'.*" "$test" fast
claim 'test refuses unknown drivers' 2 "test: no driver 'cuda'; there are: pocl pocl-split rusticl intel stub oclgrind" "$test" \
  --driver cuda
claim 'test wants a driver with --driver' 2 "test: no driver ''.*" "$test" --driver
claim '--minutes wants a number' 2 "test: --minutes wants a whole number, not 'ten'" "$test" --full --minutes ten
claim 'both explain themselves' 0 'usage: .*usage: .*' sh -c '"$0" --help; "$1" -h' "$demo" "$test"
claim '--list names every driver' 0 'pocl .*pocl-split .*rusticl .*intel .*stub .*oclgrind .*' "$test" --list
claim 'nothing of this has made a build folder' 0 '' test ! -e "$sandbox/build"

# A checkout whose packages are all there, and whose cmake does as told.
fake dpkg-query '. "$(dirname "$0")/everything"; for name in $everything; do echo "installed $name "; done'
printf 'everything="%s"\n' "$(in_part packages 'echo "${build_packages[*]%%|*}"')" >"$sandbox/bin/everything"
build='PATH="$0/bin:$PATH" "$0/scripts/demo"'
fake cmake 'printf "CMake Error at CMakeLists.txt:7 (message):\n  no catch2\n"; exit 1'
claim 'a failing configuration is told with its reason' 1 \
  'demo: cmake could not configure preset release: CMake Error at CMakeLists.txt:7 \(message\): no catch2 \(log: build/configure-release.log\)' \
  sh -c "$build" "$sandbox"
fake cmake 'case $1 in --build) echo "a.cpp:1: error: bad"; exit 1 ;; esac'
claim 'a failing build is told with its first error' 1 \
  'demo: preset release does not build: a.cpp:1: error: bad \(log: build/build-release.log\)' sh -c "$build" \
  "$sandbox"
mkdir -p "$sandbox/build/release/bin"
printf 'CMAKE_HOME_DIRECTORY:INTERNAL=/elsewhere\n' >"$sandbox/build/release/CMakeCache.txt"
fake cmake 'case "$*" in "--preset release --fresh" | "--build --preset release") ;; *) exit 1 ;; esac'
fake_anycl="$sandbox/build/release/bin/anycl"
printf '#!/bin/sh\necho "$2"; while [ "$1" != -o ]; do shift; done; echo picture >"$2"\n' >"$fake_anycl"
chmod 755 "$fake_anycl"
pictures='(cd "$0/build/demo" && find . -type f | sort | paste -sd " ")'
claim 'a moved checkout is configured afresh; the scene and its result land in one folder' 0 \
  "scene.run.before and after: $sandbox/build/demo.\./after.png \./before.png" sh -c "$build && $pictures" "$sandbox"
printf 'photo\n' >"$sandbox/a photo.JPG"
claim 'a relative photo with a blank is copied beside its result' 0 \
  'run.before and after: .*\./after.png \./before.JPG' \
  sh -c "cd \"\$0\" && $build 'a photo.JPG' && $pictures" "$sandbox"
claim 'the picture of an earlier run can be the photo' 0 \
  'run.before and after: .*\./after.png \./before.JPG' \
  sh -c "cd \"\$0\" && $build build/demo/before.JPG && $pictures" "$sandbox"
finish
