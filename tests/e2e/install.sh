#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# `make install`: everything is where the prefix says, settings of the
# administrator are left alone, the installed limpid runs and finds the machine's
# own cluster file, and `make uninstall` removes all that was installed.
set -u
fail() {
  echo "FAILED: $*"
  exit 1
}
command -v meson >/dev/null || { echo "skipped: no meson"; exit 77; }
work=$(mktemp -d /tmp/limpid-install-XXXXXX)
log=$LIMPID_BUILD/meson-logs/install-log.txt
# The test of the library installs, too.
exec 9>"$LIMPID_BUILD/meson-logs/install-lock"
flock 9
[ ! -e "$log" ] || cp "$log" "$work/log.before"
clean() {
  # What was really installed from this build can still be removed.
  rm -f "$log"
  [ ! -e "$work/log.before" ] || cp "$work/log.before" "$log"
  rm -rf "$work"
}
trap clean EXIT
cd "$work" || exit 1
# installed DIRECTORY: into it; as make does, but that nothing is built
installed() {
  DESTDIR=$1 meson install -C "$LIMPID_BUILD" --no-rebuild >said 2>&1 ||
    fail "meson install: $(tail -n 3 said)"
}

installed "$work/root"
prefix=$(meson introspect --buildoptions "$LIMPID_BUILD" | python3 -c '
import json, sys
print([o["value"] for o in json.load(sys.stdin) if o["name"] == "prefix"][0])')
at=$work/root$prefix
etc=$work/root/etc
case $prefix in /usr | /usr/local) ;; *) etc=$at/etc ;; esac
for file in bin/limpid libexec/limpid/limpid-record lib/sysusers.d/limpid.conf \
  lib/systemd/system/limpid-record.service share/doc/limpid/LICENSE \
  share/doc/limpid/README.md share/doc/limpid/docs/tutorial.md \
  share/doc/limpid/examples/cluster.conf \
  share/bash-completion/completions/limpid; do
  [ -f "$at/$file" ] || fail "no $file"
done
cmp "$LIMPID_SOURCE/packaging/limpid.default" "$etc/default/limpid" ||
  fail "no settings of the service"
"$at/bin/limpid" --version >said || fail "it does not run"

# The unit runs what was installed, with the options of /etc/default/limpid.
unit=$at/lib/systemd/system/limpid-record.service
grep -qx "ExecStart=$prefix/bin/limpid record -o /var/log/limpid \
\$LIMPID_RECORD_OPTIONS" "$unit" || fail "another ExecStart"
grep -qx "EnvironmentFile=-${etc#"$work/root"}/default/limpid" "$unit" ||
  fail "another EnvironmentFile"
if command -v systemd-sysusers >/dev/null; then
  systemd-sysusers --root="$work/root" "$at/lib/sysusers.d/limpid.conf" ||
    fail "systemd-sysusers"
  grep -q '^limpid:' "$work/root/etc/passwd" || fail "no user limpid"
  grep -q '^limpid:' "$work/root/etc/group" || fail "no group limpid"
fi

# The example is a cluster file.
{
  echo time,host,device,rd_ios
  for host in oss1 oss2 oss3; do
    for t in 0 1 2; do echo "179477551$t,$host,ost0001,$((t * 10))"; done
  done
} >disks.csv
LIMPID_CLUSTER=$at/share/doc/limpid/examples/cluster.conf \
  "$at/bin/limpid" inventory disks.csv >said || fail "a bad example"
grep -q 'cluster.conf is used' said || fail "the example is not used"

# Again: what the administrator wrote stays.
echo 'LIMPID_RECORD_OPTIONS=-i 5' >"$etc/default/limpid"
installed "$work/root"
grep -qx 'LIMPID_RECORD_OPTIONS=-i 5' "$etc/default/limpid" ||
  fail "the administrator's settings are lost"
touch "$at/bin/mine"
make -s -C "$LIMPID_SOURCE" BUILD="$LIMPID_BUILD" uninstall >said ||
  fail "make uninstall: $(cat said)"
left=$(find "$at" -type f -o -type l)
[ "$left" = "$at/bin/mine" ] || fail "left behind: $left"
find "$at" -name 'limpid*' | grep . && fail "directories are left"
[ -e "$etc/default/limpid" ] || fail "the administrator's settings are gone"

# PREFIX= and prefix= are heeded. (That a build directory takes another prefix is
# Meson's; nothing is built here.)
meson setup "$work/build" "$LIMPID_SOURCE" -Dfuse=disabled >said 2>&1 ||
  fail "meson setup: $(tail -n 3 said)"
for word in PREFIX prefix; do
  make -s -C "$LIMPID_SOURCE" BUILD="$work/build" $word="$work/$word" \
    configured >said 2>&1 || fail "make $word=: $(tail -n 3 said)"
  meson introspect --buildoptions "$work/build" |
    grep -q "\"value\": \"$work/$word\"" || fail "$word= is not heeded"
done
echo "installed, and removed"
