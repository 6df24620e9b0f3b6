#!/usr/bin/env bash
# with_driver and the driver folders: a program sees one driver alone, or the test is skipped with a reason.
# shellcheck disable=SC2016,SC2317  # shell text for other shells; functions that claim calls
set -euo pipefail
# shellcheck source=tests/scripts/claims.sh
source "$(dirname "${BASH_SOURCE[0]}")/claims.sh"

with_driver=$repo/tests/drivers/with_driver
export ANYCL_DRIVER_FOLDER=$sandbox/drivers
library=$sandbox/libdriver.so
: >"$library"
mkdir -p "$sandbox"/drivers/{pocl,rusticl,intel,gone}
printf '%s\n' "$library" | tee "$sandbox/drivers/pocl/pocl.icd" >"$sandbox/drivers/rusticl/rusticl.icd"
printf 'no network\n' >"$sandbox/drivers/intel/missing"
printf '/nowhere/libgone.so\n' >"$sandbox/drivers/gone/gone.icd"
show=(-- sh -c 'printf "%s %s %s" "$OCL_ICD_VENDORS" "$ANYCL_TEST_DRIVER" "${RUSTICL_ENABLE:-}"')
unset RUSTICL_ENABLE

claim 'the program gets the folder of its driver' 0 "$sandbox/drivers/pocl/ pocl " "$with_driver" pocl \
  "${show[@]}"
claim 'rusticl is switched on' 0 "$sandbox/drivers/rusticl/ rusticl llvmpipe" "$with_driver" rusticl \
  "${show[@]}"
claim "the program's exit code comes through" 5 '' "$with_driver" pocl -- sh -c 'exit 5'
claim 'a missing driver skips with its reason' 77 'skipped: driver intel: no network' "$with_driver" intel \
  "${show[@]}"
claim 'a driver that went away since skips' 77 'skipped: driver gone: /nowhere/libgone.so is gone.*' \
  "$with_driver" gone "${show[@]}"
claim 'a driver nobody prepared skips and names the remedy' 77 \
  'skipped: driver other: not prepared; run ./scripts/test' "$with_driver" other "${show[@]}"
claim 'a bad call is refused' 2 '.*usage: .*' "$with_driver" pocl true
claim 'no path gets in by the name' 2 '.*usage: .*' "$with_driver" ../pocl -- true
export ANYCL_TEST_BUILD=$sandbox/built
claim 'a stub driver that is not built skips' 77 'skipped: driver stub: not built in .*' "$with_driver" stub "${show[@]}"
mkdir -p "$ANYCL_TEST_BUILD/drivers/stub" "$ANYCL_TEST_BUILD/drivers/all" "$ANYCL_TEST_BUILD/lib"
printf '%s\n' "$library" >"$ANYCL_TEST_BUILD/drivers/stub/stub.icd"
printf '/of/earlier/days.so\n' >"$ANYCL_TEST_BUILD/drivers/all/earlier.icd"
claim 'the stub driver comes from the build folder' 0 "$ANYCL_TEST_BUILD/drivers/stub/ stub " "$with_driver" stub "${show[@]}"
rm "$sandbox/drivers/gone/gone.icd"
claim 'all shows every driver of today' 0 'pocl.icd rusticl.icd stub.icd' "$with_driver" all -- \
  sh -c 'cd "$OCL_ICD_VENDORS" && echo *'
claim 'a split driver wants the test layer' 77 'skipped: driver pocl-split: the test layer is not built.*' \
  "$with_driver" pocl-split "${show[@]}"
: >"$ANYCL_TEST_BUILD/lib/libanycl_test_layer.so"
claim 'a split driver is the driver below the test layer' 0 \
  "$sandbox/drivers/pocl/ $ANYCL_TEST_BUILD/lib/libanycl_test_layer.so split.*" "$with_driver" pocl-split -- \
  sh -c 'printf "%s %s %s" "$OCL_ICD_VENDORS" "$OPENCL_LAYERS" "$ANYCL_TEST_LAYER"'
cd "$sandbox"
ANYCL_DRIVER_FOLDER=drivers claim 'a relative folder becomes absolute' 0 "$sandbox/drivers/pocl/ pocl " \
  "$with_driver" pocl "${show[@]}"

printf '%s\n' "$library" >"$sandbox/absolute.icd"
printf 'libc.so.6\n' >"$sandbox/bare.icd"
printf 'libnowhere.so\n' >"$sandbox/nowhere.icd"
claim 'a driver file with a full path is taken as it is' 0 "$library" in_part drivers \
  "library_of_icd '$sandbox/absolute.icd'"
claim 'a bare name is found where the linker looks' 0 '/.*/libc.so.6' in_part drivers \
  "library_of_icd '$sandbox/bare.icd'"
claim 'a library that is nowhere is not found' 0 '' in_part drivers "library_of_icd '$sandbox/nowhere.icd'"
claim 'no driver file, no library' 0 '' in_part drivers "library_of_icd '$sandbox/none.icd'"

written='cd "$repo/build/drivers" && find . -type f | sort | paste -sd " "'
claim 'a driver found is written down' 0 './pocl/pocl.icd' in_part \
  drivers \
  "install_pocl() { :; }; find_driver() { library=/lib/x.so; }; prepare_driver pocl; $written"
claim 'a driver lost is taken out, with the reason of its installation' 0 $'./pocl/missing\nno root' \
  in_part drivers \
  "install_pocl() { reason='no root'; return 1; }; library_of_icd() { :; }; prepare_driver pocl; $written; missing_reason pocl"
printf 'ERROR: CERTIFICATE_VERIFY_FAILED\n' >"$sandbox/pip.log"
claim 'an untrusted certificate points to PIP_CERT' 0 '.*PIP_CERT.*' in_part drivers \
  "pip_complaint '$sandbox/pip.log'"
finish
