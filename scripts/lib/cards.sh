# Graphics cards that sit in the machine without an OpenCL driver.
# ANYCL_SYSFS replaces /sys (tests); OCL_ICD_VENDORS the folder of driver files, as it does for the loader.
# shellcheck shell=bash

# shellcheck source=scripts/lib/say.sh
source "$(dirname "${BASH_SOURCE[0]}")/say.sh"

# One line for each card that could compute and does not. Display adapters of virtual machines and servers
# (virtio, QXL, ASPEED, ...) are other vendors' and cannot compute: no word about them.
say_cards_without_driver() {
  local device slot vendor
  for device in "${ANYCL_SYSFS:-/sys}"/bus/pci/devices/*; do
    if [[ $(read_line "$device/class") != 0x03* ]]; then continue; fi  # PCI class 3: display controller
    slot=$(basename "$device")
    vendor=$(read_line "$device/vendor")
    case $vendor in
      0x10de) say_card NVIDIA nvidia 'install Debian package nvidia-opencl-icd (section non-free)' ;;
      0x1002) say_card AMD 'amdocl|rusticl|mesa' 'install Debian package mesa-opencl-icd, then set RUSTICL_ENABLE=radeonsi' ;;
      0x8086) say_card Intel 'igdrcl|beignet' 'install Debian package intel-opencl-icd' ;;
    esac
  done
}

# say_card MAKER PATTERN ADVICE, for the $device of the loop above; PATTERN is what the maker's driver file
# looks like.
say_card() {
  local maker=$1 pattern=$2 advice=$3
  if ! driver_matches "$pattern"; then
    say "$maker card $(card_name "$device") at $slot has no OpenCL driver: $advice; computing on the CPU meanwhile"
  elif [[ $maker == AMD && ${RUSTICL_ENABLE:-} != *radeonsi* ]] && ! driver_matches amdocl; then
    say "AMD card $(card_name "$device") at $slot has a driver that is off unless asked for: set RUSTICL_ENABLE=radeonsi"
  fi
}

driver_matches() {
  local folder=${OCL_ICD_VENDORS:-/etc/OpenCL/vendors}
  grep -qiE "$1" "${folder%/}"/*.icd 2>/dev/null || grep -qiE "$1" "$folder" 2>/dev/null  # or it is a single file
}

# The name in the PCI list where one is installed, else the ids, which any search engine understands.
card_name() {
  local vendor product list name
  vendor=$(read_line "$1/vendor")
  product=$(read_line "$1/device")
  for list in /usr/share/misc/pci.ids /usr/share/hwdata/pci.ids; do
    name=$(awk -v vendor="${vendor#0x}" -v product="${product#0x}" '
      /^[0-9a-f]/ { mine = ($1 == vendor) }
      mine && $1 == product && /^\t[0-9a-f]/ { sub(/^\t[0-9a-f]+ +/, ""); print; exit }' "$list" 2>/dev/null) || true
    if [[ $name ]]; then
      printf '%s' "$name"
      return
    fi
  done
  printf '%s:%s' "${vendor#0x}" "${product#0x}"
}

read_line() {
  local line=
  if [[ -r $1 ]]; then read -r line <"$1" || true; fi
  printf '%s' "$line"
}
