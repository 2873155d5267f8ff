#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# limpid reads from a real Prometheus what it reads from its own archives: a
# simulated system, exported, loaded by promtool, gives the same verdict. And
# from a server that does everything wrong it gets one line each, keeps what was
# fetched, and never hangs.
set -u

skip() {
  echo "$1"
  exit 77
}
fail() {
  echo "FAIL: $*"
  exit 1
}
[ -x "$LIMPID_BUILD/cmd/limpid-prometheus" ] ||
  skip "limpid was built without libcurl"
for program in prometheus promtool python3 openssl; do
  [ -n "$(type -P $program)" ] || skip "no $program"
done

dir=$(mktemp -d) || exit 1
server='' bad='' tls=''
cleanup() {
  for pid in $server $bad $tls; do
    kill "$pid" 2>/dev/null
  done
  wait
  rm -rf "$dir"
}
trap cleanup EXIT
cd "$dir" || exit 1
export TZ=UTC LC_ALL=C LIMPID_LIBEXEC=$LIMPID_BUILD/cmd no_proxy=127.0.0.1
# until_true COMMAND...: for at most two minutes
until_true() {
  local i
  for ((i = 0; i < 1200; i++)); do
    "$@" >/dev/null 2>&1 && return
    sleep 0.1
  done
  fail "never: $*"
}

# ---- a real one ----

"$LIMPID" simulate --interval 15 --hours 1 -o run small >/dev/null ||
  fail "simulate"
"$LIMPID" export --to openmetrics -o run.om run || fail "export"
promtool tsdb create-blocks-from openmetrics run.om data >/dev/null 2>&1 ||
  fail "promtool does not take what export wrote"
echo 'global: { scrape_interval: 15s }' >prometheus.yml
# A port that was free just now may be taken: then another.
start_prometheus() {
  port=$(python3 -c 'import socket
s = socket.socket()
s.bind(("127.0.0.1", 0))
print(s.getsockname()[1])')
  prometheus --config.file=prometheus.yml --storage.tsdb.path=data \
    --storage.tsdb.retention.time=100y \
    --web.listen-address="127.0.0.1:$port" >prometheus.log 2>&1 &
  server=$!
  until_true answers
  kill -0 "$server" 2>/dev/null
}
answers() {
  python3 -c "import urllib.request as r
r.urlopen('http://127.0.0.1:$port/-/ready')" || ! kill -0 "$server"
}
start_prometheus || start_prometheus || fail "prometheus: $(tail -n 3 prometheus.log)"
real=prometheus:http://127.0.0.1:$port
period=(--since 2026-06-01T00:00:00Z --until 2026-06-01T01:00:01Z)
# Text for Prometheus has no inventory, and Prometheus no times below 1 ms: the
# fourth digit of a rate may differ.
verdict() {
  "$LIMPID" diagnose --method cdf,cwnd --no-cluster "${period[@]}" \
    --window 8 -k 2 "$@" |
    sed 's/ (4.0 TB, [A-Z0-9]*)//; / Part: /d; s/\([0-9]\{3\}\)[0-9]\b/\1#/g'
}
verdict run >archives.txt
verdict "$real" >prometheus.txt 2>prometheus.err
diff archives.txt prometheus.txt || fail "the verdicts differ"
[ -s prometheus.err ] && fail "$(cat prometheus.err)"
grep -q 's3.*sdb' archives.txt || fail "no verdict at all: $(cat archives.txt)"
"$LIMPID" import "${period[@]}" -o back.limpid "$real" || fail "import"
values() {
  "$LIMPID" export --class "$2" "$1" | tail -n +2 |
    sed 's/\(:[0-9][0-9]\)\.[0-9]*Z/\1Z/' | sort
}
for class in disk net; do
  cmp <(values run $class) <(values back.limpid $class) ||
    fail "other values of class $class"
done
echo "a real Prometheus: the same verdict and values"
"$LIMPID" inventory "${period[@]}" "$real" | grep -q "8 hosts" || fail "inventory"
"$LIMPID" show "${period[@]}" --class disk "$real" | grep -q s8/sdb || fail "show"
"$LIMPID" inventory "$real" 2>&1 | grep -q "say which time" || fail "no time"
kill "$server"
wait "$server" 2>/dev/null
server=''

# ---- a bad one ----

python3 "$LIMPID_SOURCE/tests/e2e/prometheus_bad.py" port 2>bad.log &
bad=$!
until_true test -s port
base=http://127.0.0.1:$(cat port)
# 1970-01-12, an hour
hour=(--since 1970-01-12T13:46:40Z --until 1970-01-12T14:46:40Z)
import() {
  local how=$1
  shift
  "$LIMPID" import "${hour[@]}" --replace -o got.limpid "$@" \
    "prometheus:$base/$how" 2>err
}
good() {
  import "$@" || fail "$1: $(cat err)"
  "$LIMPID" export --class disk got.limpid >got.csv
  [ "$(wc -l <got.csv)" -eq 481 ] || fail "$1: $(wc -l <got.csv) lines"
}
# wrong HOW TEXT SETTING...: it fails with one line that has the text
wrong() {
  local how=$1 text=$2
  shift 2
  rm -f got.limpid
  import "$how" --prometheus timeout=20s "$@" && fail "$how: no error"
  [ -e got.limpid ] && fail "$how: wrote an archive"
  [ "$(grep -vc '^limpid import: the inputs contain' err)" -eq 1 ] ||
    fail "$how: $(cat err)"
  grep -q -- "$text" err || fail "$how: $(cat err)"
}
good good
cp got.csv good.csv
"$LIMPID" inventory "${hour[@]}" "prometheus:$base/good" -v >inventory.txt
grep -q 'wwid:naa.5000c500a1b2c3d4' inventory.txt || fail "no identity"
for how in gzip chunked busy; do
  good $how
  cmp good.csv got.csv || fail "$how: other values"
done
good slow --prometheus max-queries=2
good slow --prometheus max-queries=3
most=$(python3 -c "import urllib.request as r
print(r.urlopen('$base/most').read().decode())")
[ "$most" -le 4 ] || fail "$most queries at once"

echo s3cret >token
echo 'X-Scope-OrgID: a' >headers
good auth --prometheus token-file=token --prometheus header-file=headers
LIMPID_PROMETHEUS_TOKEN=s3cret good auth --prometheus 'header=X-Scope-OrgID: a'
wrong auth "401 Unauthorized: give a token"
wrong good "there is no setting token" --prometheus token=s3cret
wrong good "unknown setting 'hots'" --prometheus hots=x
wrong 403 "403 Forbidden: because. of it"
wrong 404 "404 Not Found"
wrong 422 "422"
wrong 503 "no whole answer\|503" --prometheus timeout=1s
wrong 302 "redirects (302) to http://127.0.0.1:1/elsewhere"
wrong truncated "cut off"
wrong cut "cut off"
wrong html "not as Prometheus writes"
wrong endless "larger than 1048576 bytes" --prometheus max-bytes=1M
wrong many "larger than 16777216 bytes" --prometheus timeout=20min --prometheus max-bytes=16M
wrong silent "no whole answer within 0.3 s" --prometheus timeout=300ms
wrong histograms "no sample"
base=http://127.0.0.1:1 wrong good "connect"
base=ftp://127.0.0.1:1 wrong good "expected http"
base=http://me:pw@127.0.0.1 wrong good "user and password-file"
echo "a bad server: one line each"

import odd
grep -q "values left out, which were negative or infinite" err ||
  fail "odd: $(cat err)"
import piece
grep -q "only fetched up to 1970-01-12T14:.*answers 500" err ||
  fail "piece: $(cat err)"
lines=$("$LIMPID" export --class disk got.limpid | wc -l)
[ "$lines" -gt 100 ] || fail "piece: $lines lines"
[ "$lines" -lt 481 ] || fail "piece: $lines lines"
import piece --strict && fail "piece: --strict"
echo "what was fetched is kept"

openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=x \
  -addext subjectAltName=IP:127.0.0.1 -keyout key -out cert >/dev/null 2>&1 ||
  fail "openssl"
cat key cert >both
python3 "$LIMPID_SOURCE/tests/e2e/prometheus_bad.py" tlsport both 2>tls.log &
tls=$!
until_true test -s tlsport
base=https://127.0.0.1:$(cat tlsport)
wrong good "certificate is not trusted (setting ca)"
good good --prometheus ca=cert
good good --prometheus insecure=yes
echo "TLS: as it should be"
