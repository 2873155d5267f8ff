# What happens to recordings, seen through the whole way: CSV, archive, table.
header=time,host,device,rd_ios,rd_ms,wr_ios,wr_ms
csv() { # csv NAME: rows of "time reads ms writes" into an archive
  { echo "$header"
    while read -r time ios ms writes; do
      echo "$time,h,sda,$ios,$ms,$writes,0"
    done; } >"$1.csv"
  limpid import -o "$1.limpid" "$1.csv" >import.log 2>&1 || cat import.log
}
show() { limpid show --raw --metric rd_ios,rd_ms,wr_ios "$@"; }

echo "--- rotation: two files go on"
csv one <<'ROWS'
100 10 1 5
101 20 2 5
ROWS
csv two <<'ROWS'
102 35 3 5
103 40 4 5
ROWS
show two.limpid one.limpid
echo "--- a reset that only the writes show"
csv reset <<'ROWS'
100 10 1 500
101 20 2 500
102 95 3 0
103 99 4 1
ROWS
show reset.limpid
echo "--- wraps at 2^32 (ms) and 2^64"
csv wrap <<'ROWS'
100 18446744073709551606 4294967286 5
101 18446744073709551611 4294967291 5
102 5 5 5
103 15 15 5
ROWS
show wrap.limpid
show -i 3 --since 102 wrap.limpid
echo "--- the clock is set forward"
csv clock <<'ROWS'
100 10 1 5
101 20 2 5
111 30 3 5
112 40 4 5
ROWS
show clock.limpid
