#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# limpid io run says how much of a program's I/O it did not time: real programs
# that are seen as a whole, and ways that are not.
set -u
work=$(mktemp -d "${TMPDIR:-/tmp}/limpid-unseen.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
app=$LIMPID_BUILD/tests/e2e/io_app
cd "$work" || exit 1
bad=0
head -c 32000000 /dev/urandom >a
mkdir d

fail() {
  echo "FAILED: $*"
  cat err
  bad=1
}

# run PROGRAM...: its report is in the file err, as JSON in json.
run() {
  "$LIMPID" io run -o trace -- "$@" >out 2>err
  status=$?
  "$LIMPID" io report --json trace >json
}

# value KEY: of the coverage.
value() {
  python3 -c 'import json, sys
print(int(json.load(open("json"))["coverage"][sys.argv[1]]))' "$1"
}

# seen BYTES PROGRAM...: BYTES were timed, both ways added, and nothing is
# missing.
seen() {
  local bytes=$1
  shift
  run "$@"
  [ $status = 0 ] || fail "$*: status $status"
  grep -q 'without a timed call' err && fail "$*: something was not seen"
  [ "$(value timed_bytes)" -ge "$bytes" ] || fail "$*: $(value timed_bytes) of $bytes"
  [ "$(value cannot_tell)" = 0 ] || fail "$*: cannot tell"
}

# unseen WORDS PROGRAM...: the report cannot tell, and says WORDS.
unseen() {
  local words=$1
  shift
  run "$@"
  [ $status = 77 ] && { echo "skipped: $*"; return; }
  [ $status = 0 ] || fail "$*: status $status"
  tr '\n' ' ' <err | tr -s ' ' | grep -qF "$words" || fail "$*: not said: $words"
  grep -q 'No operation was unexpectedly slow' err && fail "$*: none was slow?"
  [ "$(value cannot_tell)" = 1 ] || fail "$*: it can tell?"
}

# cp and cat copy in the kernel, dd and the others do not.
seen 64000000 cp a b
cmp a b || fail "cp"
grep -q '^copy .*' err || fail "cp: no copy"
seen 64000000 dd if=a of=c bs=1M status=none
seen 64000000 sh -c 'cat a >e'
cmp a e || fail "cat"
seen 32000000 md5sum a
seen 32000000 sh -c 'cat a | cat >/dev/null'
seen 128000000 sh -c 'cp a b; cat a'

# Ways that are not timed.
unseen '16.8 MB of 16.8 MB were moved without a timed call' "$app" raw d
unseen 'in files mapped into memory' "$app" map d
unseen 'by aio' "$app" aio d
unseen 'io_uring' "$app" ring d
# The same by a child: the kernel adds up whom the program waits for.
unseen '16.8 MB of 16.8 MB' sh -c "'$app' raw d; true"

# A static program is refused; as a child it is noticed.
cat >static.c <<'C'
#include <unistd.h>
static char buffer[1 << 20];
int main(void)
{
	for (int i = 0; i < 20; i++)
		if (write(1, buffer, sizeof(buffer)) < 0)
			return 1;
	return 0;
}
C
if cc -static -o static static.c 2>/dev/null; then
  "$LIMPID" io run -- ./static >out 2>err && fail "static: run"
  grep -q 'is a static program' err || fail "static"
  unseen '21 MB' sh -c './static >s; true'
else
  echo "skipped: cannot link a static program"
fi
# A program that drops the library: nothing is seen at all.
"$LIMPID" io run -- env -u LD_PRELOAD cp a f >out 2>err || fail "env"
grep -q 'cannot tell: none of the 64 MB' err || fail "env -u LD_PRELOAD"

# Killed: what the kernel counted is there all the same.
"$LIMPID" io run -o trace -- sh -c "'$app' raw d; kill -9 \$\$" >out 2>err
"$LIMPID" io report --json trace >json
[ "$(value cannot_tell)" = 1 ] || fail "killed"

# Who is not root may read the counts of what they run, too.
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
  mkdir n
  chmod 755 .
  chown 65534 n
  (cd n && setpriv --reuid=65534 --regid=65534 --clear-groups \
    "$LIMPID" io run -- "$app" raw . >../out 2>../err) || fail "not root"
  grep -q 'without a timed call' err || fail "not root"
fi

# As before: a page and a summary that say it.
"$LIMPID" io run -o trace --html page.html -- "$app" raw d >out 2>err
grep -q 'without a timed call' page.html || fail "page"
"$LIMPID" io trace trace | grep -q 'counted by the kernel' || fail "summary"
exit $bad
