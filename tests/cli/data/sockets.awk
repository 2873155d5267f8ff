# SPDX-License-Identifier: Apache-2.0
# Sockets of four servers and three clients as another tool records them: a row
# a socket, both ends with their port, no counts of sockets.
#
#   awk -v what=to -f sockets.awk >sockets.csv
#
# what: none; to, from: packets of server 3 are lost on the way to it, or from
# it; bare: without cwnd.
#
# Servers talk to each other on the same port, with small windows. Server 2 has
# forty connections that are idle, whose windows are small, too.

function row(host, here, there, cwnd, sent, lost) {
  key = here ">" there
  bytes[key] += sent
  again[key] += lost
  printf "%d,%s,%s,%s,", 1794700800 + t, host, here, there
  if (what != "bare")
    printf "%d,", cwnd
  printf "%d,%d\n", again[key], bytes[key]
}

function server(s) { return "10.0.0." s ":2049" }

function between(s, c,    here, there, lossy, window) {
  here = server(s)
  there = "10.0.0.1" c ":70" s
  lossy = s == 3 && t >= 120
  window = 90 + (7 * t + 3 * s + c) % 20
  row("s" s, here, there, lossy && what == "from" ? 4 : window, 1e6,
    lossy && what == "from" ? 9 : t % 10 == 0)
  row("c" c, there, here, lossy && what == "to" ? 4 : window, 1e6,
    lossy && what == "to" ? 9 : t % 10 == 0)
}

BEGIN {
  print "time,host,local,peer," (what == "bare" ? "" : "cwnd,") "retrans,bytes_sent"
  for (t = 0; t < 300; t++) {
    for (s = 1; s <= 4; s++) {
      for (c = 1; c <= 3; c++)
        between(s, c)
      for (other = 1; other <= 4; other++)
        if (other != s)
          row("s" s, server(s), "10.0.0." other ":80" s, s == 1 ? 3 : 60, 1e5, 1)
    }
    for (i = 10; i < 50; i++)
      row("s2", server(2), "10.0.0.13:9" i, 2, 0, 0)
  }
}
