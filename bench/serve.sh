#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# usage: serve.sh BUILD [HOURS [ARRAYS [METHOD]]]
#
# The live service on simulated servers: processor time for each second of
# their samples, of decoding, comparison and store, and memory. The recordings
# are there before it begins, so this is what it does after a restart; a growing
# block that is decoded again every ten seconds is not in it.
set -eu
build=$1
hours=${2:-0.25}
arrays=${3:-4}
method=${4:-limpid}
dir=$(mktemp -d /tmp/limpid-bench-XXXXXX)
service=
clean() {
  [ -z "$service" ] || kill "$service" 2>/dev/null || true
  rm -rf "$dir"
}
trap clean EXIT

"$build/cmd/limpid" simulate intrepid --scale "$arrays" --hours "$hours" \
  -o "$dir/recordings" >/dev/null
"$build/cmd/limpid-serve" --listen 127.0.0.1:0 --state "$dir/state" --method "$method" \
  --cluster "$dir/recordings/cluster.conf" "$dir/recordings" 2>"$dir/log" &
service=$!
python3 - "$dir/log" "$service" "$hours" <<'PYTHON'
import json
import re
import sys
import time
import urllib.error
import urllib.request

log, service, hours = sys.argv[1:]


def get(path):
    while True:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}") as a:
                return a.read().decode()
        except urllib.error.HTTPError as error:
            if error.code != 503:
                raise


while not (found := re.search(r"event=listening.* port=(\d+)", open(log).read())):
    time.sleep(0.1)
port = found[1]
while not (now := json.loads(get("/api/v1/now")))["revision"]:
    time.sleep(0.5)
cpu = float(re.search(r"^limpid_cpu_seconds_total (.*)", get("/metrics"), re.M)[1])
status = open(f"/proc/{service}/status").read()
rss = int(re.search(r"VmHWM:\s+(\d+)", status)[1])
stat = open(f"/proc/{service}/stat").read().rsplit(")", 1)[1].split()
every = (int(stat[11]) + int(stat[12])) / 100
seconds = float(hours) * 3600
compared = now["compared"]
print(f"{compared['hosts']} hosts, {compared['components']} components, "
      f"{seconds:.0f} s of samples: {every:.2f} s CPU of all threads "
      f"(analysis {cpu:.2f}), {1000 * every / seconds:.2f} ms a second, "
      f"{1e9 * every / seconds / compared['components']:.0f} ns a component "
      f"and second; at most {rss / 1024:.0f} MiB")
PYTHON
