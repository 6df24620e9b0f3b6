# How the scripts speak: one line a message, on stderr, so that stdout holds results alone. Every other part
# of scripts/lib sources this one. Sets $program, the running script's name, and $repo, the checkout.
# shellcheck shell=bash

unset CDPATH  # with it, cd prints where it goes
program=$(basename "$0")
repo=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)

say() { printf '%s: %s\n' "$program" "$*" >&2; }

# Something outside our power failed: exit 1.
die() {
  say "$*"
  exit 1
}

# The caller asked for something that does not exist: exit 2, nothing done.
refuse() {
  say "$*"
  exit 2
}

# A path below the checkout, as a person standing in it would type it.
short() { printf '%s' "${1#"$repo"/}"; }

# run_logged LOG NOTICE COMMAND...: all output goes to LOG. Quiet while the command is quick; once it is slow,
# says NOTICE (unless empty) and, on a terminal, shows the log's last line. The command stays in the
# foreground, so Ctrl-C reaches it.
run_logged() {
  local log=$1 notice=$2 watcher status=0
  shift 2
  if ! { mkdir -p "$(dirname "$log")" && : >"$log"; } 2>/dev/null; then
    die "cannot write $log: the checkout must be writable for $(id -un)"
  fi
  watch_log "$log" "$notice" &
  watcher=$!
  "$@" >"$log" 2>&1 </dev/null || status=$?
  kill "$watcher" 2>/dev/null || true
  wait "$watcher" 2>/dev/null || true
  if [[ -t 2 ]]; then printf '\r\033[K' >&2; fi
  return "$status"
}

watch_log() {
  local log=$1 notice=$2 main=$$
  sleep 2 &>/dev/null  # detached from our stdout and stderr: killed late, it keeps no pipe open
  if [[ $notice ]]; then say "$notice (log: $(short "$log"))"; fi
  [[ -t 2 ]] || return 0
  while kill -0 "$main" 2>/dev/null; do
    printf '\r\033[K%s' "$(tail -n 1 "$log" | tr -d '\r\033' | cut -c "1-$((${COLUMNS:-80} - 1))")" >&2
    sleep 1 &>/dev/null
  done
}
