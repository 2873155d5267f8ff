#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# The library as other programs use it: the example is built with what
# `make install` installed and pkg-config says, and finds what limpid finds.
set -u
fail() {
  echo "FAILED: $*"
  exit 1
}
for tool in meson pkg-config nm flock; do
  command -v $tool >/dev/null || { echo "skipped: no $tool"; exit 77; }
done
work=$(mktemp -d /tmp/limpid-library-XXXXXX)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
# The test of `make install` uses the same log.
log=$LIMPID_BUILD/meson-logs/install-log.txt
exec 9>"$LIMPID_BUILD/meson-logs/install-lock"
flock 9
[ ! -e "$log" ] || cp "$log" log.before
DESTDIR=$work/root meson install -C "$LIMPID_BUILD" --no-rebuild >said 2>&1 ||
  fail "meson install: $(tail -n 3 said)"
# What was really installed from this build can still be removed.
rm -f "$log"
[ ! -e log.before ] || cp log.before "$log"
exec 9>&-

# ---- the installed tree ----
pc=$(find root -name limpid.pc)
[ -n "$pc" ] || fail "no limpid.pc"
export PKG_CONFIG_PATH=$work/${pc%/*} PKG_CONFIG_SYSROOT_DIR=$work/root
flags=$(pkg-config --cflags --libs limpid) || fail "pkg-config"
libdir=$work/root$(PKG_CONFIG_SYSROOT_DIR='' pkg-config --variable=libdir limpid)
[ -L "$libdir/liblimpid.so.0" ] || fail "no liblimpid.so.0 in $libdir"
readelf -d "$libdir/liblimpid.so" | grep -q 'SONAME.*\[liblimpid.so.0\]' ||
  fail "another soname"
header=$(find root -name limpid.h)
example=$(find root -name library.c)
[ -n "$example" ] || fail "the example is not installed"

# Every function of the header is exported, and nothing else.
grep -o '\blimpid_[a-z_]*(' "$header" | tr -d '(' | sort -u >declared
nm -D --defined-only "$libdir/liblimpid.so" |
  awk '$2 == "T" { sub(/@.*/, "", $3); print $3 }' | sort -u >exported
[ -s declared ] || fail "the header declares nothing"
diff declared exported || fail "declared (<) is not what is exported (>)"
nm -D --defined-only "$libdir/liblimpid.so" | grep -v ' T \| A LIMPID_0' |
  grep . && fail "more than functions is exported"

# The example uses them all, and limpid(3) lists them; C99 and C++ take the header without a warning.
grep -o '\blimpid_[a-z_]*(' "$example" | tr -d '(' | sort -u >used
diff declared used || fail "declared (<) is not what the example uses (>)"
grep -o '^limpid_[a-z_]*' "$LIMPID_SOURCE/man/limpid.3.scd" | sort -u >listed
diff declared listed || fail "declared (<) is not what limpid(3) lists (>)"
[ -n "${CC-}" ] || CC=cc
strict='-Wall -Wextra -pedantic -Wconversion -Werror'
# shellcheck disable=SC2086 # lists of words
$CC -std=c99 $strict "$example" $flags -o library || fail "C99"
if command -v c++ >/dev/null; then
  # shellcheck disable=SC2086
  c++ -std=c++11 $strict -x c++ "$example" -x none $flags -o library_cxx ||
    fail "C++"
fi
export LD_LIBRARY_PATH=$libdir
# No cluster file of this machine.
export LIMPID_CLUSTER=

# ---- catalogue ----
./library metrics >said || fail "metrics"
grep -q '^disk await \[ms\] latency, accuses: ' said || fail "no await: $(cat said)"
grep -q '^disk-busy: ' said || fail "no causes"

# ---- diagnosis: what limpid says ----
one=$LIMPID_SOURCE/examples/campaign/one

# same NAME OPTION_OF_LIMPID [OPTION_OF_THE_LIBRARY]...: of ${files[@]}
same() {
  local name=$1 option=$2
  shift 2
  "$LIMPID" diagnose --json "$option" "${files[@]}" >want.json ||
    fail "limpid diagnose $name"
  ./library json "$@" "${files[@]}" >findings.json || fail "json $name"
  "$LIMPID" report --json findings.json >got.json || fail "limpid report $name"
  cmp want.json got.json || fail "$name: another verdict than limpid's"
  ./library diagnose "$@" "${files[@]}" >told || fail "diagnose $name"
  ./library read findings.json >told_again || fail "read $name"
  cmp told told_again || fail "$name: what was stored is told otherwise"
}
files=("$one/1-09-iozonew-none/recording.limpid")
same healthy --no-cluster
grep -qx none told || fail "a healthy cluster: $(cat told)"
files=("$one/1-16-iozonew-receive-pktloss-s3/recording.limpid")
same lossy --no-cluster
slow=$one/1-22-ddr-disk-busy-s1
files=("$slow/recording.limpid")
same slow --metric=service metric=service
same slow --cluster="$slow/cluster.conf" cluster="$slow/cluster.conf" threads=2
grep -q '^s1/.* disk-busy ' told || fail "no slow disk: $(cat told)"

# Several files, of a host each; and those of another collector.
"$LIMPID" simulate -o simulated small --hours 1 >said || fail "limpid simulate"
files=(simulated/*.limpid)
same simulated --no-cluster
grep -q '^s3/sdb disk-busy ' told || fail "no slow disk: $(cat told)"
same simulated --interval=15s step=15s
cp told coarse
"$LIMPID" export -o csv/ "${files[@]}" >said 2>&1 ||
  fail "limpid export: $(cat said)"
files=(csv/*.csv)
same foreign --no-cluster
grep -q '^s3/sdb disk-busy ' told || fail "no slow disk in CSV: $(cat told)"

# The same samples put one file after the other into a case: the same verdict.
files=(simulated/*.limpid)
./library follow step=1s "${files[@]}" >followed || fail "follow"
grep -q '^s3/sdb disk-busy ' followed || fail "a case finds: $(cat followed)"
# Also of less than a case that goes on would wait for.
./library follow step=15s "${files[@]}" >followed || fail "follow"
[ "$(head -n 1 followed)" = "$(head -n 1 coarse)" ] ||
  fail "a short case finds: $(cat followed)"

# ---- streams and archives ----
./library copy "${files[0]}" copy.limpid || fail "copy"
./library list "${files[0]}" >listed || fail "list"
./library list copy.limpid >listed_copy || fail "list"
grep -q 'rd_ios=' listed || fail "no values"
cmp listed listed_copy || fail "the copy is not the same"
printf 'time,device,rd_ios\n1794775510,sda,1\n1794775511,sda,7\n' >disks.csv
./library list disks.csv >listed || fail "list a CSV file"
grep -q 'disk sda: rd_ios=7' listed || fail "another value: $(cat listed)"

# ---- a recording that was cut off is noted, as limpid does ----
mkdir cut
cp "${files[@]}" cut
first=cut/$(basename "${files[0]}")
truncate -s $(($(stat -c %s "$first") * 2 / 3)) "$first"
"$LIMPID" diagnose --json --no-cluster cut/*.limpid >want.json 2>said || fail cut
./library json cut/*.limpid >findings.json || fail "json of a cut file"
"$LIMPID" report --json findings.json >got.json || fail "limpid report"
cmp want.json got.json || fail "a cut file: another verdict than limpid's"
./library read findings.json | grep -q "^note: read in part: $first: " ||
  fail "the cut file is not noted"

# ---- errors: one line, and a status ----
# refused TEXT WORD...
refused() {
  local text=$1
  shift
  ./library "$@" >said 2>&1 && fail "$*: no error"
  [ "$(wc -l <said)" = 1 ] || fail "$*: $(cat said)"
  grep -qF "$text" said || fail "$*: $(cat said)"
}
refused "there is no option 'stride'" diagnose stride=3 "${files[0]}"
refused "step: 'x' is not a value" diagnose step=x "${files[0]}"
refused "cannot accuse" diagnose metric=tps "${files[0]}"
refused "there are no files" diagnose
refused "needs the option 'step'" follow "${files[0]}"
refused "missing.limpid" list missing.limpid
refused "missing.limpid" diagnose missing.limpid "${files[0]}"
refused "missing.conf" diagnose cluster=missing.conf "${files[0]}"
refused "missing.json" read missing.json
echo hello >no.json
refused "no.json" read no.json
refused "no.json" copy no.json new.limpid
[ ! -e new.limpid ] || fail "an archive of what cannot be read"
if [ -w /dev/full ]; then
  ./library json "${files[@]}" >/dev/full 2>said && fail "a full disk: no error"
  grep -q 'cannot write findings' said || fail "a full disk: $(cat said)"
fi
echo "the library finds what limpid finds"
