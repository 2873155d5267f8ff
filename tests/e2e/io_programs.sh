#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Real programs do the same work with and without the preload library.
# shellcheck disable=SC2317 # functions that bash -c runs
set -u
for program in sqlite3 git tar; do
  command -v $program >/dev/null || { echo "no $program"; exit 77; }
done
work=$(mktemp -d "${TMPDIR:-/tmp}/limpid-programs.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
export HOME=$work GIT_CONFIG_NOSYSTEM=1 TZ=UTC
export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_AUTHOR_DATE=2020-01-01T00:00:00Z
export GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b
export GIT_COMMITTER_DATE=2020-01-01T00:00:00Z

database() {
  sqlite3 db <<'SQL'
pragma journal_mode=wal;
create table t(a integer primary key, b text);
begin;
with recursive n(i) as (select 1 union all select i + 1 from n where i < 20000)
insert into t select i, hex(i * 7919) from n;
commit;
create index x on t(b);
delete from t where a % 3 = 0;
vacuum;
pragma integrity_check;
select count(*), sum(a), min(b), max(b) from t;
SQL
  sqlite3 db .dump | sha256sum
}

archive() {
  tar --sort=name --mtime=@0 --owner=0 --group=0 -cf all.tar -C "$LIMPID_SOURCE" src man
  sha256sum all.tar
  mkdir out
  tar -xf all.tar -C out
  (cd out && find . -type f -print0 | sort -z | xargs -0 sha256sum) | sha256sum
}

repository() {
  git init -q r
  cp -r "$LIMPID_SOURCE/src" r/src
  git -C r add -A
  git -C r commit -q -m one
  echo more >>r/src/meson.build
  git -C r commit -q -a -m two
  git -C r gc -q
  git -C r fsck --full 2>&1
  git -C r log -p --stat | sha256sum
  git -C r rev-parse HEAD
}

export -f database archive repository
bad=0
for what in database archive repository; do
  for how in without with; do
    rm -rf "$work/d"
    mkdir "$work/d"
    cd "$work/d" || exit 1
    if [ $how = with ]; then
      "$LIMPID" io run -o "$work/trace" -- bash -c $what >"$work/$how" 2>"$work/err"
    else
      bash -c $what >"$work/$how" 2>"$work/err"
    fi || { echo "FAILED: $what $how: $(cat "$work/err")"; bad=1; }
  done
  cmp "$work/without" "$work/with" || {
    echo "FAILED: $what differs"
    diff "$work/without" "$work/with" | head
    bad=1
  }
  [ -s "$work/without" ] || { echo "FAILED: $what printed nothing"; bad=1; }
  "$LIMPID" io trace "$work/trace" | grep '^operations:'
  n=$("$LIMPID" io trace --csv "$work/trace" | grep -c "/d/")
  [ "$n" -gt 100 ] || { echo "FAILED: $what: only $n operations"; bad=1; }
done
exit $bad
