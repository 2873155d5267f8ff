#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# usage: bench/pcp.sh BENCH_PCP
#
# The speed of reading PCP archives: one server's 72 disks, 11 counters each,
# half an hour at 1 s, of which 12 busy, 12 now and then, 48 idle.
set -u

# Debian's own Python has Debian's modules, whichever comes first in PATH.
python=/usr/bin/python3
$python -c 'import pcp.pmi' 2>/dev/null || {
  echo "python3-pcp is missing, so there is no archive to read"
  exit 77
}
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
$python - "$dir/day" <<'PYTHON' || exit 1
import random
import sys

import cpmapi as api
from pcp import pmi

COUNTERS = [("read", 60, 4, "count"), ("write", 60, 5, "count"),
            ("blkread", 60, 6, "count"), ("blkwrite", 60, 7, "count"),
            ("avactive", 60, 46, "ms"), ("aveq", 60, 47, "ms"),
            ("read_merge", 60, 49, "count"), ("write_merge", 60, 50, "count"),
            ("read_rawactive", 60, 72, "ms"),
            ("write_rawactive", 60, 73, "ms"), ("flush", 60, 93, "count")]
DISKS, SECONDS, START = 72, 1800, 1794700000

log = pmi.pmiLogImport(sys.argv[1])
log.pmiSetHostname("bench")
domain = log.pmiInDom(60, 1)
for name, d, item, unit in COUNTERS:
    units = log.pmiUnits(0, 1, 0, 0, api.PM_TIME_MSEC, 0) if unit == "ms" \
        else log.pmiUnits(0, 0, 1, 0, 0, 0)
    log.pmiAddMetric("disk.dev." + name, log.pmiID(d, 0, item), api.PM_TYPE_U64,
                     domain, api.PM_SEM_COUNTER, units)
for disk in range(DISKS):
    log.pmiAddInstance(domain, "sd%d" % disk, disk)
handles = [[log.pmiGetHandle("disk.dev." + c[0], "sd%d" % d)
            for d in range(DISKS)] for c in COUNTERS]
random.seed(1)
values = [[random.randrange(10 ** 9) for _ in range(DISKS)] for _ in COUNTERS]
for second in range(SECONDS):
    for c in range(len(COUNTERS)):
        for d in range(DISKS):
            busy = d < 12 or (d < 24 and second % 300 < 30)
            if busy:
                values[c][d] += random.randrange(1000)
            log.pmiPutValueHandle(handles[c][d], str(values[c][d]))
    log.pmiWrite(START + second, 0)
del log
PYTHON
"$1" "$dir/day"
