# Debian packages: which ones we need, why, and how they get in. The one place that names them.
# shellcheck shell=bash

# shellcheck source=scripts/lib/say.sh
source "$(dirname "${BASH_SOURCE[0]}")/say.sh"

# To build anycl and to run it on the CPU. `a|b`: any one of them will do, `a` is installed if there is none.
build_packages=(
  g++                                    # C++20 compiler, 12 or later
  cmake                                  # 3.25 or later: presets
  ninja-build                            # the presets' generator
  ccache                                 # a rebuild after a change of branch takes seconds
  pkg-config                             # finds libsodium
  "ocl-icd-libopencl1|libopencl1"        # the loader, opened at run time
  opencl-c-headers                       # CL/cl.h
  opencl-clhpp-headers                   # CL/opencl.hpp, used inside lib/
  pocl-opencl-icd                        # the CPU as an OpenCL device
  libspdlog-dev libfmt-dev               # log lines and messages
  libsodium-dev                          # digests of cached kernels
  libcli11-dev                           # the command's options
  nlohmann-json3-dev                     # the command's --json
  libpng-dev libturbojpeg0-dev           # the command's pictures
)

# To build and run the tests, besides.
# shellcheck disable=SC2034  # scripts/demo has no use for it
test_packages=(
  catch2                                 # unit tests
  libbenchmark-dev                       # bench/
  clang                                  # checks the kernels' source
  oclgrind                               # checks what the kernels do to memory
  clinfo                                 # a second opinion on what the drivers offer; start-up time to compare with
  git                                    # tree checks read the list of tracked files
  python3 python3-venv ca-certificates   # tree checks; Intel's driver and SciPy come by pip, over TLS
)

# For what takes longer than scripts/test, besides: presets fuzz and coverage.
# shellcheck disable=SC2034
full_packages=(
  clang libclang-rt-14-dev               # libFuzzer, and counters of what runs
  llvm-14                                # their report
)

# Packages among the arguments that are not installed, one a line. Asks dpkg alone: works without a network.
missing_packages() {
  local installed wanted name
  installed=$(dpkg-query -W -f '${db:Status-Status} ${Package} ${Provides}\n' 2>/dev/null |
    sed -n 's/^installed //p' | sed 's/([^)]*)//g' | tr -s ' ,' '\n')
  for wanted in "$@"; do
    for name in ${wanted//|/ }; do
      if grep -qxF -- "$name" <<<"$installed"; then continue 2; fi
    done
    printf '%s\n' "${wanted%%|*}"
  done
}

# install_packages NAME...: installs what is missing. On failure returns 1 with one line in $reason.
install_packages() {
  local missing log=$repo/build/apt.log
  if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    reason="this system has no apt; install by its own means what Debian calls: ${*%%|*}"
    return 1
  fi
  mapfile -t missing < <(missing_packages "$@")
  if ((${#missing[@]} == 0)); then return 0; fi
  if ! can_become_root; then
    reason="not installed, and installing needs root: ${missing[*]}; run as root: apt-get install ${missing[*]}"
    return 1
  fi
  say "installing with apt: ${missing[*]}"
  if ! run_logged "$log" '' apt_install "${missing[@]}"; then
    reason="apt could not install ${missing[*]}: $(apt_complaint "$log") (log: $(short "$log"))"
    return 1
  fi
}

# require_packages NAME...: as above, but there is no going on without them.
require_packages() { install_packages "$@" || die "$reason"; }

# The lists may be absent (a bare machine) or old (packages gone from the mirror), so they are fetched once a
# run. A failure there is not final: the packages may lie in apt's cache.
apt_install() {
  if [[ ! ${apt_lists_fetched:-} ]]; then
    apt_get update || true
    apt_lists_fetched=yes
  fi
  apt_get install --no-install-recommends "$@"
}

apt_get() {
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -y -q -o DPkg::Lock::Timeout=120 -o Acquire::Retries=2 "$@"
}

# sudo counts if it needs no password, or if somebody sits there to type one.
can_become_root() {
  ((EUID == 0)) || { command -v sudo >/dev/null && { sudo -n true 2>/dev/null || [[ -t 0 && -t 2 ]]; }; }
}

as_root() {
  if ((EUID == 0)); then "$@"; else sudo "$@"; fi
}

# The line of apt's log that tells a person what to do.
apt_complaint() {
  local log=$1 absent
  absent=$(sed -n 's/^E: Unable to locate package //p' "$log" | sort -u | paste -sd ' ')
  if grep -qE 'Temporary failure resolving|Could not resolve|Could not connect|Network is unreachable' "$log"; then
    printf 'no network'
  elif [[ $absent ]]; then
    printf 'its sources have no %s' "$absent"
  else
    { grep -m 1 '^E: ' "$log" || tail -n 1 "$log"; } | tr -d '\n'
  fi
}
