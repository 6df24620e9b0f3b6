#!/usr/bin/env bash
# Installing packages: silent when nothing is missing, one clear line when it cannot be done.
# shellcheck disable=SC2016,SC2317  # shell text for other shells; functions that claim calls
set -euo pipefail
# shellcheck source=tests/scripts/claims.sh
source "$(dirname "${BASH_SOURCE[0]}")/claims.sh"

# What the fake dpkg knows: status, package, what it provides.
cat >"$sandbox/old.status" <<'END'
installed cmake -
installed some-loader libopencl1 (= 3), libopencl-3.0-1
config-files g++ -
END
fake dpkg-query "cat '$sandbox'/*.status"
fake apt-get 'echo apt was called; exit 1'

claim 'what is installed is left alone, without a call of apt' 0 '' in_part packages 'require_packages cmake'
claim 'a package that another one provides counts as installed' 0 '' \
  in_part packages 'require_packages "ocl-icd-libopencl1|libopencl1"'
claim 'a removed package with its configuration left counts as missing' 0 'g\+\+' \
  in_part packages 'missing_packages cmake g++'
claim 'of two that would do, the first is installed' 0 'this' \
  in_part packages 'missing_packages "this|that"'

install='require_packages cmake g++'
as_nobody() { if ((EUID == 0)); then setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; else "$@"; fi; }
install_as_nobody() { as_nobody bash -c "$(declare -f in_part); sandbox='$sandbox' in_part packages '$install'"; }
fake sudo 'exit 1'
claim 'without root the line names what to install and how' 1 \
  'part: not installed, and installing needs root: g\+\+; run as root: apt-get install g\+\+' install_as_nobody

fake sudo 'if [ "$1" = -n ]; then exit 0; fi; exec "$@"'  # from here on anybody is root
failed='part: installing with apt: g\+\+'$'\n''part: apt could not install g\+\+'
claim 'a failure of apt is told with the place of its log' 1 "$failed: apt was called \(log: build/apt.log\)" \
  in_part packages "$install"
fake apt-get 'echo "E: Temporary failure resolving somewhere"; exit 100'
claim 'a missing network is called that' 1 "$failed: no network \(log: build/apt.log\)" \
  in_part packages "$install"
fake apt-get 'echo "E: Unable to locate package g++"; exit 100'
claim 'a package that the sources lack is named' 1 "$failed: its sources have no g\+\+ \(log: build/apt.log\)" \
  in_part packages "$install"
fake apt-get "case \"\$*\" in *' install '*) echo 'installed g++ ' >'$sandbox/new.status' ;; *) exit 1 ;; esac"
claim 'a failed update is no failure when the install succeeds' 0 'part: installing with apt: g\+\+' \
  in_part packages "$install"
claim 'the second time is silent' 0 '' in_part packages "$install"

hide_apt='command() { if [[ $2 == apt-get ]]; then return 1; fi; builtin command "$@"; }'
claim 'a system without apt gets the list' 1 \
  'part: this system has no apt; install by its own means what Debian calls: cmake this' \
  in_part packages "$hide_apt; require_packages cmake 'this|that'"
finish
