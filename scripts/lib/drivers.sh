# The OpenCL drivers that the tests run on (tests/drivers/list.txt): installs those that are packages and lays out,
# below build/drivers/,
#   NAME/NAME.icd   the absolute path of the driver's library, so that the folder shows a loader this driver alone
#                   (NAME.command for one that is a program), or
#   NAME/missing    one line: why there is none.
# tests/drivers/with_driver runs a program on one of them.
# shellcheck shell=bash

# shellcheck source=scripts/lib/say.sh
source "$(dirname "${BASH_SOURCE[0]}")/say.sh"
# shellcheck source=scripts/lib/packages.sh
source "$(dirname "${BASH_SOURCE[0]}")/packages.sh"

mapfile -t driver_names < <(sed -n 's/^\([a-z][a-z0-9-]*\) .*/\1/p' "$repo/tests/drivers/list.txt")
driver_folder=$repo/build/drivers
venv_folder=$repo/build/venvs

# prepare_driver NAME: installs it if need be, then writes its folder. Never fails: a missing driver is
# written down.
prepare_driver() {
  local name reason=
  name=$(package_of_driver "$1")
  if [[ ! $name ]]; then return 0; fi  # built with the tests
  "install_$name" || true
  if find_driver "$name"; then
    write_driver_file "$name" "$name.$(kind_of_driver "$name")" "$library"
    rm -f "$driver_folder/$name/missing"
  else
    write_driver_file "$name" missing "$reason"
    rm -f "$driver_folder/$name/$name."*
  fi
}

kind_of_driver() { if [[ $1 == oclgrind ]]; then printf 'command'; else printf 'icd'; fi; }

# What has to be installed for a driver of the list: PoCL's devices are split by a library of ours, and the stub driver is
# all ours.
package_of_driver() {
  case $1 in
    pocl-split) printf 'pocl' ;;
    stub) ;;
    *) printf '%s' "$1" ;;
  esac
}

install_pocl() { install_packages pocl-opencl-icd; }
install_rusticl() { install_packages mesa-opencl-icd; }  # Mesa's OpenCL on its CPU renderer, llvmpipe
install_oclgrind() { install_packages oclgrind; }
install_intel() { install_venv intel; }                  # Intel's CPU runtime; runs on other makers' processors too

# find_driver NAME: sets $library, or returns 1 with $reason (kept if the installation left one).
find_driver() {
  case $1 in
    oclgrind) library=$(command -v oclgrind || true) ;;
    intel) library=$(library_of_venv intel libintelocl.so) ;;
    *) library=$(library_of_icd "/etc/OpenCL/vendors/$1.icd") ;;
  esac
  if [[ $library ]]; then return 0; fi
  reason=${reason:-"its library is not on this machine; run ./scripts/test"}
  return 1
}

# The ICD file inside Intel's package names a folder that exists nowhere, so the library itself is looked for.
library_of_venv() {
  local folder=$venv_folder/$1
  if [[ -f $folder/installed ]]; then find "$folder" -name "$2" -print -quit; fi  # no stamp: half installed
}

# An ICD file may name a bare file, even one that the linker's cache lists only under its soname: look beside
# the others.
library_of_icd() {
  local named folder
  if [[ ! -r $1 ]]; then return 0; fi
  read -r named <"$1" || true
  while read -r folder; do
    if [[ $named == /* ]]; then folder=; else folder+=/; fi
    if [[ -e $folder$named ]]; then
      printf '%s' "$folder$named"
      return 0
    fi
  done < <(/sbin/ldconfig -p 2>/dev/null | sed -n 's|.* => \(/.*\)/[^/]*$|\1|p' | sort -u)
}

# Renamed into place, for a test may be reading the folder.
write_driver_file() {
  local folder=$driver_folder/$1
  mkdir -p "$folder"
  printf '%s\n' "$3" >"$folder/.$2.new"
  mv "$folder/.$2.new" "$folder/$2"
}

# The reason, if the driver is missing.
missing_reason() { cat "$driver_folder/$1/missing" 2>/dev/null; }

# install_venv NAME: the Python packages that tests/drivers/NAME.txt pins, into build/venvs/NAME. Sets $reason
# on failure. pip takes proxy, certificates and index from its usual environment (PIP_CERT, https_proxy, ...).
install_venv() {
  local name=$1 folder=$venv_folder/$1 log=$repo/build/pip-$1.log wanted
  wanted=$(sed 's/ *#.*//; /^$/d' "$repo/tests/drivers/$name.txt")
  if [[ $(cat "$folder/installed" 2>/dev/null) == "$(venv_stamp "$wanted")" ]]; then return 0; fi
  say "installing with pip into $(short "$folder"): ${wanted//$'\n'/ }"
  if ! run_logged "$log" '' make_venv "$folder" "$wanted"; then
    rm -rf "$folder"
    reason="pip could not install it: $(pip_complaint "$log") (log: $(short "$log"))"
    return 1
  fi
  venv_stamp "$wanted" >"$folder/installed"
}

# A new Python makes the packages of the old one useless.
venv_stamp() { printf '%s\n%s' "$(/usr/bin/python3 --version 2>&1)" "$1"; }

# The lists name every package, so --no-deps keeps out what our use does not need (225 MB are enough).
make_venv() {
  local folder=$1 wanted=$2
  rm -rf "$folder"
  mkdir -p "$folder"
  printf '%s\n' "$wanted" >"$folder/wanted"
  /usr/bin/python3 -m venv "$folder" &&
    "$folder/bin/python" -m pip install --disable-pip-version-check --retries 2 --no-deps --only-binary \
      :all: -r "$folder/wanted"
}

# The line of pip's log that tells a person what to do.
pip_complaint() {
  if grep -qiE 'CERTIFICATE_VERIFY_FAILED' "$1"; then
    printf 'the TLS certificate is not trusted; set PIP_CERT to your CA bundle'
  elif grep -qE 'NewConnectionError|NameResolutionError|Temporary failure|ConnectTimeout|Network is unreachable' "$1"; then
    printf 'no network'
  else
    { grep -m 1 'ERROR: ' "$1" || tail -n 1 "$1"; } | tr -d '\n'
  fi
}
