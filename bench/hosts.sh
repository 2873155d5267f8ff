#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# usage: bench/hosts.sh LIMPID
#
# How the time of a diagnosis grows with the number of hosts: 5,000 and 20,000
# with a disk each, 30 samples. Goal: at most 5 times as long for 4 times as many.
set -eu
limpid=$1
work=$(mktemp -d "${TMPDIR:-/tmp}/limpid-bench-hosts-XXXXXX")
trap 'rm -rf "$work"' EXIT

# hosts N: their recording, as CSV
hosts() {
  awk -v n="$1" 'BEGIN {
    print "time,host,device,tps,rd_sec,wr_sec,await"
    for (t = 0; t < 30; t++)
      for (i = 0; i < n; i++)
        printf "%d,h%05d,sda,%d,%d,%d,%.1f\n", 1794700800 + t * 10, i,
          100 + (i * 7 + t) % 9, 800 + (i + t) % 50, 400 + (i * 3 + t) % 40,
          5 + (i * 11 + t) % 17 / 10
  }'
}

date +%F
uname -sr
sed -n 's/^model name.*: //p' /proc/cpuinfo | sort | uniq -c
for n in 5000 20000; do
  hosts $n >"$work/$n.csv"
  "$limpid" import -o "$work/$n.limpid" "$work/$n.csv" >/dev/null
done
python3 - "$limpid" "$work" <<'END'
import resource
import statistics
import subprocess
import sys

limpid, work = sys.argv[1:]


def cpu(n):
    """CPU seconds of one diagnosis: user and system."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([limpid, "diagnose", f"{work}/{n}.limpid"], check=True,
                   stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime + after.ru_stime - before.ru_utime -
            before.ru_stime)


few, many = (sorted(cpu(n) for _ in range(7)) for n in (5000, 20000))
ratio = statistics.median(many) / statistics.median(few)
for n, times in ((5000, few), (20000, many)):
    print(f"{n} hosts: CPU {statistics.median(times):.3f} s, "
          f"of 7 runs {times[0]:.3f} to {times[-1]:.3f}")
print(f"20000 / 5000 hosts: {ratio:.1f} (goal 5)")
END
