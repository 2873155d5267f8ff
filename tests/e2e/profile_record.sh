#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The profiler on this machine: a program that knows how long it was in which
# function, a file that survives kill -9, and what is said without permission.
set -u
profiler=$LIMPID_BUILD/cmd/limpid-profile
work=$(mktemp -d /tmp/limpid-profile-XXXXXX)
pid=
program=
clean() {
  [ -n "$pid" ] && kill -9 "$pid" 2>/dev/null
  [ -n "$program" ] && kill -9 "$program" 2>/dev/null
  rm -rf "$work"
}
trap clean EXIT
cd "$work" || exit 1
fail() {
  echo "FAILED: $*"
  cat err 2>/dev/null
  exit 1
}
until_true() {
  for _ in $(seq 1200); do
    "$@" && return
    sleep 0.1
  done
  return 1
}

"$profiler" -o probe -n 1 --host probe >/dev/null 2>err || {
  grep -q 'no perf events\|not permitted' err && { cat err; exit 77; }
  fail "it does not run"
}

# Three times as long in one function as in the other, by its own clock.
cat >shares.c <<'C'
#include <signal.h>
#include <stdio.h>
#include <time.h>
static volatile unsigned sum;
static volatile sig_atomic_t over;
static void stop(int s) { (void)s; over = 1; }
__attribute__((noinline)) void long_part(long n) { while (n--) sum += 3; }
__attribute__((noinline)) void short_part(long n) { while (n--) sum ^= 5; }
static double cpu(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}
int main(void)
{
	double a = 0, b = 0, t[3];
	signal(SIGTERM, stop);
	while (!over) {
		t[0] = cpu();
		long_part(3000000);
		t[1] = cpu();
		short_part(1000000);
		t[2] = cpu();
		a += t[1] - t[0];
		b += t[2] - t[1];
	}
	printf("%.6f %.6f\n", a, b);
	return 0;
}
C
cc -O1 -o shares shares.c || fail "no compiler"
./shares >own &
program=$!
"$profiler" -o d -n 3 --host h --no-wait 2>err || fail "status $?"
kill "$program"
wait "$program"
program=
"$LIMPID" profile show --csv --since 2000-01-01 d >table || fail "show"
awk -F'[,"]+' '
  FNR == NR { split($0, t, " "); want = t[1] / (t[1] + t[2]); next }
  $3 == "shares" && $5 == "long_part" { a = $6 * 99 }
  $3 == "shares" && $5 == "short_part" { b = $6 * 99 }
  END {
    n = a + b
    if (n < 100) { print "only " n " samples"; exit 1 }
    got = a / n; sigma = sqrt(want * (1 - want) / n)
    printf "share %.3f, by its own clock %.3f, sigma %.3f\n", got, want, sigma
    exit !(got - want < 3 * sigma && want - got < 3 * sigma)
  }' own table || fail "the shares are not those of the program: $(grep _part table)"

# SIGHUP begins another file; kill -9 leaves one that can be read.
"$profiler" -o k --host h --no-wait 2>err &
pid=$!
begun() { ls k/*.profile.limpid >/dev/null 2>&1; }
sleep 1
kill -HUP "$pid"
until_true begun || fail "SIGHUP made no file"
kill -9 "$pid"
wait "$pid"
pid=
"$LIMPID" archive verify k/*.limpid >/dev/null || fail "not sound after kill -9"

# A second one for the same host is refused; the recorder's lock is another.
"$profiler" -o k --host h -n 30 --no-wait 2>/dev/null &
pid=$!
held() { ! flock -n k/.h.profile.lock true; }
until_true held || fail "it holds no lock"
"$profiler" -o k --host h -n 1 2>err && fail "two of them"
grep -q 'another recorder' err || fail "it does not say why"
kill -TERM "$pid"
wait "$pid"
pid=

# A group that nobody is in is no empty profile without a word.
"$profiler" -o g -n 1 --cgroup 'no-such-group-*' 2>err && fail "an empty profile"
grep -q 'no process that ran' err || fail "it does not say what was missing"

# Without permission.
if [ "$(id -u)" = 0 ] && [ "$(cat /proc/sys/kernel/perf_event_paranoid)" -ge 1 ]; then
  mkdir -m 777 n
  chmod 755 .
  setpriv --reuid=65534 --clear-groups "$profiler" -o n -n 1 2>err && fail "nobody may"
  grep -q CAP_PERFMON err || fail "it does not say which permission"
fi
