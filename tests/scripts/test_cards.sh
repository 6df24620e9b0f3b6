#!/usr/bin/env bash
# Cards without a driver: named with the package to install; display adapters that cannot compute: no word.
# shellcheck disable=SC2016,SC2317  # shell text for other shells; functions that claim calls
set -euo pipefail
# shellcheck source=tests/scripts/claims.sh
source "$(dirname "${BASH_SOURCE[0]}")/claims.sh"

# card SLOT CLASS VENDOR DEVICE
card() {
  local folder=$sandbox/sys/bus/pci/devices/$1
  mkdir -p "$folder"
  printf '%s\n' "$2" >"$folder/class"
  printf '%s\n' "$3" >"$folder/vendor"
  printf '%s\n' "$4" >"$folder/device"
}
no_card() { rm -rf "$sandbox/sys"; }
driver() { mkdir -p "$sandbox/vendors" && printf '%s\n' "$2" >"$sandbox/vendors/$1.icd"; }
export ANYCL_SYSFS=$sandbox/sys OCL_ICD_VENDORS=$sandbox/vendors/ RUSTICL_ENABLE=
look=(in_part cards say_cards_without_driver)

claim 'a machine without a PCI bus is nothing to talk about' 0 '' "${look[@]}"
card 0000:00:01.0 0x030000 0x1af4 0x1050
card 0000:00:02.0 0x060000 0x8086 0x1237
claim 'virtual adapters and bridges are ignored' 0 '' "${look[@]}"
card 0000:01:00.0 0x030200 0x10de 0xfff1
claim 'an NVIDIA card without a driver is named with its package' 0 \
  'part: NVIDIA card 10de:fff1 at 0000:01:00.0 has no OpenCL driver: install Debian package nvidia-opencl-icd .*' \
  "${look[@]}"
driver pocl libpocl.so.2
claim 'another driver does not serve it' 0 '.*nvidia-opencl-icd.*' "${look[@]}"
driver nvidia libnvidia-opencl.so.1
claim 'with its driver there is nothing to say' 0 '' "${look[@]}"
no_card
card 0000:03:00.0 0x030000 0x8086 0xfff1
driver intel-cpu /somewhere/libintelocl.so
claim "Intel's CPU driver does not serve its graphics" 0 '.*Intel card.*intel-opencl-icd.*' "${look[@]}"
driver intel libigdrcl.so
claim "Intel's graphics driver does" 0 '' "${look[@]}"
no_card
card 0000:04:00.0 0x038000 0x1002 0xfff1
claim 'an AMD card without a driver is named with its package' 0 \
  '.*AMD card.*mesa-opencl-icd.*RUSTICL_ENABLE=radeonsi.*' "${look[@]}"
driver rusticl libRusticlOpenCL.so.1
claim 'an installed driver that is off is called that' 0 \
  'part: AMD card .* off unless asked for: set RUSTICL_ENABLE=radeonsi' "${look[@]}"
RUSTICL_ENABLE=radeonsi claim 'switched on, there is nothing to say' 0 '' "${look[@]}"
finish
