#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# The page of a diagnosis in a browser: what a reader finds in it, that its
# script runs under its own policy, and that it is whole without the script.
set -eu
browser=$(command -v chromium || command -v chromium-browser ||
  command -v google-chrome) || { echo "skipped: no chromium"; exit 77; }
work=$(mktemp -d "${TMPDIR:-/tmp}/limpid-e2e.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work"

"$LIMPID" simulate -o small small >/dev/null
"$LIMPID" diagnose --html page.html small >text

# dom FILE: the document as the browser sees it, after its script.
dom() {
  timeout 300 "$browser" --headless --no-sandbox --disable-gpu \
    --user-data-dir="$work/profile" --no-first-run --disable-sync \
    --disable-background-networking --disable-component-update \
    --disable-dev-shm-usage \
    --enable-logging=stderr --dump-dom "file://$work/$1" 2>"$1.log"
}
dom page.html >dom.html || {
  echo "skipped: $browser does not run here"
  tail -n 3 page.html.log
  exit 77
}
if grep -E 'CONSOLE|Refused|Content Security' page.html.log; then
  echo "the browser complains" >&2
  exit 1
fi
# A page whose script was changed must not run it.
sed "s/<script>'use strict';/&document.title = 'changed';/" \
  page.html >changed.html
if cmp -s page.html changed.html; then
  echo "the script was not changed" >&2
  exit 1
fi
dom changed.html >changed.dom
python3 - <<'END'
import re

dom = open("dom.html", encoding="utf-8").read()
changed = open("changed.dom", encoding="utf-8").read()
text = open("text", encoding="utf-8").read()
verdict = re.search(r'data-verdict="(\w+)"', dom)[1]
assert verdict == "fault", verdict
component = re.search(r"^(\S+)  SLOW DISK \(disk-busy\)$", text, re.M)[1]
findings = re.findall(
    r'<section class="finding" id="f\d+" data-cause="([\w-]+)">'
    r'<h2>\d+\. <span class="name">([^<]*)</span>', dom)
assert findings == [("disk-busy", component)], findings
charts = len(re.findall(r'<svg class="chart', dom))
assert charts >= 3, charts
# One line to read values from below each chart: the script ran.
assert dom.count('<p class="read" role="status">') == charts, charts
# Reached by keys: the charts, and tables that may be wider than the screen.
wide = dom.count('class="scroll" tabindex="0"')
assert wide == dom.count('class="scroll"') >= 1, wide
assert dom.count('tabindex="0"') == charts + wide, charts
assert changed.count('<p class="read"') == 0
assert "<title>changed" not in changed
assert changed.count('<svg class="chart') == charts
print(f"{component}: {charts} charts")
END
