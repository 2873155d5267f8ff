#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# From a directory to a report, as a user does it: calibrate, run, report; the
# model is found by itself, and doubted on another machine.
set -u
work=$(mktemp -d "${TMPDIR:-/tmp}/limpid-calibrate.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
export XDG_DATA_HOME=$work/data
mkdir "$work/d"
cd "$work/d" || exit 1
bad=0
fail() {
  echo "FAILED: $*"
  bad=1
}

"$LIMPID" io calibrate --quick --file-size 32M --buffer 32M . >"$work/out" \
  2>"$work/err" || fail "calibrate: $(cat "$work/err")"
[ -z "$(ls)" ] || fail "calibrate left $(ls)"
model=$(find "$work/data/limpid/io" -name '*.model')
[ -f "$model" ] || fail "no model in $(find "$work/data")"
find "$work/data" -name '*.parts' | grep -q . && fail "parts are left"
for factor in discard-off0 discard-rnd cached-off0 cached-rnd uncached; do
  grep -q "$factor" "$work/out" || fail "no $factor in $(cat "$work/out")"
done

head -c 64M /dev/urandom >file
"$LIMPID" io run -o "$work/trace" --html "$work/page.html" -- \
  dd if=file of=/dev/null bs=64k >"$work/out" 2>"$work/err" ||
  fail "run: $(cat "$work/err")"
grep -q 'no model' "$work/err" && fail "run did not find the model"
grep -q 'reads by cause' "$work/err" || fail "no causes in $(cat "$work/err")"
[ -s "$work/out" ] && fail "the program's output has more: $(cat "$work/out")"
grep -q '<svg' "$work/page.html" || fail "no picture on the page"
"$LIMPID" io report -m "$model" "$work/trace" | grep -q 'reads by cause' ||
  fail "no report later"

# As if the model were of another machine.
sed "s/\"$(hostname)\"/\"elsewhere\"/" "$model" >"$work/other.model"
cmp -s "$model" "$work/other.model" && fail "the model does not name its host"
"$LIMPID" io run -m "$work/other.model" -- cat file 2>&1 >/dev/null |
  grep -q . || fail "run said nothing"
"$LIMPID" io report -m "$work/other.model" "$work/trace" 2>&1 |
  grep -q elsewhere || fail "the model of another machine is not doubted"
exit $bad
