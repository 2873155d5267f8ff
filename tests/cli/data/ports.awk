# SPDX-License-Identifier: Apache-2.0
# InfiniBand ports of six servers as CSV of raw counters.
#
#   awk -v what=hog -f ports.awk
#
# what: none; hog: a load of its own on oss3; gone: the port of oss3 vanishes;
# stuck: its counters of data are 32 bits wide and stay at their largest value;
# allstuck: so do all others.

function uniform() {
  seed = (seed * 16807) % 2147483647
  return seed / 2147483647
}

function counter(sum, others) {
  if (host != 3 || sum <= 4294967295)
    return sum
  return what == "allstuck" || what == "stuck" && !others ? 4294967295 : sum
}

BEGIN {
  seed = 7
  print "time,host,port,rcv_data,rcv_packets,xmit_data,xmit_packets,xmit_wait"
  for (t = 0; t < 420; t++) {
    load = 2e7 * (1 + uniform())
    for (host = 1; host <= 6; host++) {
      more = what == "hog" && host == 3 && t >= 150 ? 2.5 : 1
      rx[host] += int(more * load * (0.95 + 0.1 * uniform()))
      tx[host] += int(more * load * (0.95 + 0.1 * uniform()) / 2)
      if (what == "gone" && host == 3 && t >= 150)
        continue
      printf "%d,oss%d,mlx5_0:1,%.0f,%.0f,%.0f,%.0f,%.0f\n", 1794700800 + t, host,
        counter(rx[host]), counter(rx[host] * 2, 1), counter(tx[host]),
        counter(tx[host] * 2, 1), counter(3e7 * t, 1)
    }
  }
}
