#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# usage: bench/sysstat_hosts.sh LIMPID [BEFORE [RECORDS STEP]]
#
# A diagnosis of a day of 20 hosts' sysstat files: CPU time, that of sadf
# included, and how many sadf processes there were. BEFORE is another version of
# limpid, which takes turns with LIMPID: goal 1/5 of its time.
#
# The files are begun by sadc itself, a host's name and 12 loop devices each, and
# go on to RECORDS (144) every STEP (600) seconds by make_sa.py.
set -eu

limpid=$(realpath "$1")
versions=("$limpid")
if [ -n "${2-}" ]; then versions+=("$(realpath "$2")"); fi
records=${3:-144}
step=${4:-600}
here=$(cd "$(dirname "$0")" && pwd)
sadc=/usr/lib/sysstat/sadc
skip() {
  echo "skipped: $1"
  exit 77
}
[ -x $sadc ] || skip "sysstat is not installed"
[ "$(id -u)" = 0 ] || skip "needs root for loop devices and host names"

work=$(mktemp -d "${TMPDIR:-/tmp}/limpid-bench-sysstat-XXXXXX")
loops=()
free_loops() {
  for loop in "${loops[@]}"; do losetup -d "$loop" || true; done
  loops=()
}
trap 'free_loops; rm -rf "$work"' EXIT
export TZ=UTC LC_ALL=C
for i in $(seq 12); do
  truncate -s 1M "$work/disk$i"
  loops+=("$(losetup -f --show "$work/disk$i")")
  dd if=/dev/zero of="${loops[-1]}" bs=4k count=1 oflag=direct status=none
done
hosts=$(seq -f 'oss%02g' 20)
for host in $hosts; do
  unshare --uts sh -c "hostname $host && $sadc -S DISK 1 4 $work/$host.short" &
done
wait
free_loops
seed=1
for host in $hosts; do
  "$here/make_sa.py" "$work/$host.short" "$records" "$work/$host.sa" "$step" $seed
  seed=$((seed + 1))
done

# A sadf that leaves a mark, for the count alone.
mkdir "$work/bin"
cat >"$work/bin/sadf" <<END
#!/bin/sh
echo >>"$work/marks"
exec $(command -v sadf) "\$@"
END
chmod +x "$work/bin/sadf"

date +%F
uname -sr
sed -n 's/^model name.*: //p' /proc/cpuinfo | sort | uniq -c
sadf -V | head -n 1
du -ch "$work"/*.sa | tail -n 1 | sed "s/total/of 20 files of $records records/"
python3 - "$work" "${versions[@]}" <<'END'
import glob
import os
import resource
import statistics
import subprocess
import sys

work, *versions = sys.argv[1:]
files = sorted(glob.glob(work + "/*.sa"))
names = ["limpid", "before"]
RUNS = 5


def cpu(limpid):
    """CPU seconds of one diagnosis and all that it started."""
    start = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([limpid, "diagnose", *files], capture_output=True)
    end = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        sys.exit(done.stderr.decode())
    return end.ru_utime + end.ru_stime - start.ru_utime - start.ru_stime


def processes(limpid):
    """How often it runs sadf."""
    marks = work + "/marks"
    open(marks, "w").close()
    subprocess.run([limpid, "diagnose", *files], capture_output=True,
                   check=True, env={**os.environ, "PATH": work + "/bin:" +
                                    os.environ["PATH"]})
    return len(open(marks).readlines())


times = [[] for _ in versions]
for _ in range(RUNS):
    for limpid, of in zip(versions, times):
        of.append(cpu(limpid))
for name, limpid, of in zip(names, versions, times):
    print(f"{name}: CPU {statistics.median(of):.3f} s, of {RUNS} runs "
          f"{min(of):.3f} to {max(of):.3f}; {processes(limpid)} sadf processes")
if len(versions) > 1:
    ratio = statistics.median(times[0]) / statistics.median(times[1])
    print(f"limpid / before: {ratio:.2f} (goal 0.20)")
END
