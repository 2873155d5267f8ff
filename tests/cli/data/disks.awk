# SPDX-License-Identifier: Apache-2.0
# One disk of each of n servers under the same load, as CSV of raw counters,
# for ten minutes.
#
#   awk -v what=slower -v n=6 -f disks.awk
#
# what: none, slower (the second becomes 20 % slower after 300 s), strong (three
# times), always (twice, from the start), two (two of them), majority, idle,
# alone (only the second works), gaps (half of the samples of the second are
# missing), reset (counters of the second begin anew every 40 s), clocks
# (servers' clocks are up to 4 s apart), coarse (other servers have a sample
# every 2 s), hog (the second reads more).

function uniform() {
  seed = (seed * 16807) % 2147483647
  return seed / 2147483647
}

function slowness(host, t) {
  if (what == "always")
    return host == 2 ? 2 : 1
  if (t < 300)
    return 1
  if (what == "slower" || what == "gaps" || what == "reset" ||
      what == "clocks" || what == "coarse")
    return host == 2 ? 1.2 : 1
  if (what == "strong")
    return host == 2 ? 3 : 1
  if (what == "two")
    return host == 2 || host == 4 ? 3 : 1
  if (what == "majority")
    return host % 2 == 0 ? 3 : 1
  return 1
}

function is_missing(host, t) {
  return what == "gaps" && host == 2 && uniform() < 0.5 ||
         what == "coarse" && host != 2 && t % 2
}

BEGIN {
  seed = 7
  n = n ? n : 6
  print "time,host,device,rd_ios,rd_sectors,rd_ms,wr_ios,wr_sectors,wr_ms,io_ms"
  for (t = 0; t < 600; t++)
    for (host = 1; host <= n; host++) {
      ios = 40 + int(8 * uniform())
      if (what == "idle" || what == "alone" && host != 2)
        ios = 0
      more = what == "hog" && host == 2 && t >= 300 ? 60 : 0
      ms = (6 + 0.4 * uniform()) * slowness(host, t)
      rd[host] += ios + more
      rs[host] += 128 * (ios + more)
      rm[host] += int(1.5 * ms * (ios + more))
      io[host] += int(ms * (ios + more))
      if (what == "reset" && host == 2 && t % 40 == 39)
        rd[host] = rs[host] = rm[host] = io[host] = 0
      at = t + (what == "clocks" ? (host * 7) % 5 : 0)
      if (!is_missing(host, t))
        printf "%d,oss%d,sdb,%d,%d,%d,0,0,0,%d\n", 1794700000 + at, host,
               rd[host], rs[host], rm[host], io[host]
    }
}
