#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The published logs of failures: class and nodes are right at least as often
# as docs/methods/logs.md says. The rules were written by looking at these logs:
# this holds a floor, it measures nothing.
set -eu
[ -x "$LIMPID_BUILD/cmd/limpid-logs" ] || { echo "no limpid-logs: PCRE2 is missing"; exit 77; }
[ -d "${LIMPID_DATA:-/nonexistent}/failure-logs" ] || { echo "LIMPID_DATA has no failure-logs"; exit 77; }
work=$(mktemp -d /tmp/limpid-failure-logs-XXXXXX)
trap 'rm -rf "$work"' EXIT

"$LIMPID_SOURCE/tools/failure-logs" --json "$LIMPID" >"$work/found"
python3 - "$work/found" <<'EOF'
import json
import sys

found = json.load(open(sys.argv[1], encoding="utf-8"))


def count(name, test):
    return sum(map(test, found[name]))


def least(what, is_so):
    if not is_so:
        sys.exit(f"failure_logs: no longer so: {what}")


assert len(found["Lustre"]) == 13 and len(found["BeeGFS"]) == 10
least("class right in 12 of Lustre",
      count("Lustre", lambda r: r["class_right"]) >= 12)
least("nodes right in 11 of Lustre",
      count("Lustre", lambda r: r["nodes_right"]) >= 11)
least("at most 1 healthy phase of Lustre accused",
      count("Lustre", lambda r: r["healthy"] not in
            (None, "none", "unknown")) <= 1)
least("class right in 6 of BeeGFS",
      count("BeeGFS", lambda r: r["class_right"]) >= 6)
least("no innocent node of BeeGFS named",
      count("BeeGFS", lambda r: bool(r["innocent"])) == 0)
least("what is silent is called silent",
      count("BeeGFS", lambda r: r["class"] == "none") == 4)
EOF
echo "as good as docs/methods/logs.md says"
