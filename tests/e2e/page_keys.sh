#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# The pictures of a page read by keys alone, in a real browser: Tab reaches
# each picture, arrow keys move the place, and what stands there is announced.
set -eu
driver=$(command -v chromedriver) || { echo "skipped: no chromedriver"; exit 77; }
browser=$(command -v chromium || command -v chromium-browser ||
  command -v google-chrome) || { echo "skipped: no chromium"; exit 77; }
work=$(mktemp -d "${TMPDIR:-/tmp}/limpid-e2e.XXXXXX")
pid=
trap '[ -z "$pid" ] || kill "$pid" 2>/dev/null; rm -rf "$work"' EXIT
"$LIMPID" simulate -o "$work/small" small >/dev/null
"$LIMPID" diagnose --html "$work/page.html" "$work/small" >/dev/null
"$driver" --port=0 --allowed-ips=127.0.0.1 >"$work/driver.log" 2>&1 &
pid=$!
python3 "$(dirname "$0")/page_keys.py" "$work" "$browser"
