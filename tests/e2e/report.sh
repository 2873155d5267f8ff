#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# The findings of all kept runs and of a simulated system, stored: 'limpid
# report' must tell them as 'limpid diagnose' did, as text, JSON and page, and
# write them as they were.
set -eu
work=$(mktemp -d "${TMPDIR:-/tmp}/limpid-e2e.XXXXXX")
trap 'rm -rf "$work"' EXIT
export work LIMPID LIMPID_CLUSTER=

# check RUN: all forms of both commands
check() {
  local run=$1 here
  here=$(mktemp -d "$work/run.XXXXXX")
  cd "$here"
  "$LIMPID" diagnose --findings first.json --html first.html "$run" >first.txt
  "$LIMPID" diagnose --json "$run" >first.v1
  "$LIMPID" report --findings again.json --html again.html first.json >again.txt
  "$LIMPID" report --json first.json >again.v1
  for form in json html txt v1; do
    cmp "first.$form" "again.$form"
  done
  echo "$run" >>"$work/done"
}
export -f check

"$LIMPID" simulate small -o "$work/simulated" >/dev/null
{
  # Not the hours of quiet: they take long, and are nothing new here.
  find "$LIMPID_SOURCE/examples/campaign" -mindepth 2 -maxdepth 2 -type d \
    -name '[0-9]*' -not -path '*/quiet/*'
  echo "$work/simulated"
} >"$work/list"
xargs -P "$(nproc)" -I{} bash -ec 'check {}' <"$work/list"
[ "$(wc -l <"$work/done")" = "$(wc -l <"$work/list")" ]
[ "$(wc -l <"$work/done")" -gt 90 ]
echo "$(wc -l <"$work/done") runs: the same"
