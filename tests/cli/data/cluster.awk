# SPDX-License-Identifier: Apache-2.0
# Disks of a small cluster as CSV of raw counters.
#
#   awk -v what=slow -f cluster.awk
#
# what: none, slow, hog, zero, absent, hostgone, slowhost, idle, majority, two,
# short, tenmin, onehost. Its own random numbers, so that every awk agrees.

function uniform() {
  seed = (seed * 16807) % 2147483647
  return seed / 2147483647
}

# About normal, mean 0 and deviation 1.
function normal(    i, sum) {
  sum = 0
  for (i = 0; i < 6; i++)
    sum += uniform()
  return (sum - 3) * 1.41
}

function is_ill(host, disk, t) {
  if (what == "tenmin")
    return host == 5 && t >= 48 && t < 84
  if (what == "slowhost")
    return host == 3 && t >= 300 && t < 700
  if (what == "majority")
    return host % 2 == 1
  return host == 3 && disk == 2 && t >= 300 && t < 700
}

function is_missing(host, disk, t) {
  return what == "absent" && host == 2 && disk == 2 && t > 400 ||
         what == "hostgone" && host == 2 && t > 400
}

function sample(host, disk, t, load,    key, ios, extra, latency, reads, writes) {
  key = host "," disk
  ios = (load + sqrt(load) * normal()) * step
  if (ios < 0 || what == "idle" || what == "zero" && is_ill(host, disk, t))
    ios = 0
  latency = 9 + 2 * normal()
  if (latency < 1)
    latency = 1
  extra = 0
  if (is_ill(host, disk, t)) {
    if (what ~ /slow|tenmin|majority/)
      latency *= 8
    if (what == "hog") {
      extra = 400 * step
      latency *= 4
    }
  }
  reads = int(ios * 0.6) + extra
  writes = int(ios * 0.4)
  rd[key] += reads
  rs[key] += int(ios * 0.6) * 256 + extra * 512
  rm[key] += int(reads * latency)
  wr[key] += writes
  wm[key] += int(writes * latency)
  printf "%d,oss%d,sd%s,%d,%d,%d,%d,%d,%d\n", 1794700800 + t * step, host,
    substr("abcdef", disk + 1, 1), rd[key], rs[key], rm[key], wr[key],
    wr[key] * 256, wm[key]
}

BEGIN {
  seed = 42
  step = 1; n = 900; hosts = 4; disks = 3
  if (what == "tenmin") { step = 600; n = 145; hosts = 8; disks = 1 }
  if (what == "two") { hosts = 2; disks = 1 }
  if (what == "short") n = 60
  if (what == "onehost") { hosts = 1; disks = 5 }
  print "time,host,device,rd_ios,rd_sectors,rd_ms,wr_ios,wr_sectors,wr_ms"
  for (t = 0; t < n; t++) {
    load = 60 + 80 * uniform()
    for (host = 1; host <= hosts; host++)
      for (disk = 1; disk <= disks; disk++)
        if (!is_missing(host, disk, t))
          sample(host, disk, t, load)
  }
}
