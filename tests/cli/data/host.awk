# SPDX-License-Identifier: Apache-2.0
# One host as CSV of raw counters, made from a description on standard input:
#
#   data NAME LOAD MS         a disk with its part of a load that all share
#   own NAME LOAD MS          a disk with a load of its own
#   of NAME SHARE PARENT      what stands on a disk: so much of its work
#   port NAME LOAD            an interface with a load of its own
#   on NAME SHARE PARENT      an interface that shares another's
#
#   awk -v host=h -v t0=1794614400 -v class=disk -v slow=sdc -f host.awk
#
# A file holds one class: -v class=net gives the interfaces.
# LOAD is requests a second of 64 KiB, MS how long one takes; the disk `slow`
# takes eight times as long from minute 5 on until minute 12. 15 minutes, every
# second. Its own random numbers, so that every awk agrees.

function uniform() {
  seed = (seed * 16807) % 2147483647
  return seed / 2147483647
}

# A load that changes every minute, by more than a factor of ten.
function phase(name, t) {
  if (t % 60 == 0)
    level[name] = 0.05 + 1.9 * uniform() * uniform()
  return level[name]
}

function work(name, t,    n) {
  if (kind[name] == "data")
    n = load[name] * shared * (0.9 + 0.2 * uniform())
  else if (kind[name] == "own" || kind[name] == "port")
    n = load[name] * phase(name, t) * (0.8 + 0.4 * uniform())
  else
    n = share[name] * done[parent[name]]
  return int(n)
}

function sample(name, t,    n, each) {
  n = done[name] = work(name, t)
  if (kind[name] == "port" || kind[name] == "on") {
    bytes[name] += n * 65536
    if (class == "net")
      printf "%s,%d,%s,%.0f,%.0f\n", host, t0 + t, name, bytes[name],
        bytes[name] / 2
    return
  }
  each = kind[name] == "of" ? ms[parent[name]] : ms[name]
  each *= 0.9 + 0.2 * uniform()
  if (name == slow && t >= 300 && t < 720)
    each *= 8
  reads[name] += int(n / 2)
  writes[name] += n - int(n / 2)
  took[name] += int(n / 2) * each
  waited[name] += (n - int(n / 2)) * each
  if (class == "disk")
    printf "%s,%d,%s,%d,%d,%d,%d,%d,%d\n", host, t0 + t, name, reads[name],
      reads[name] * 128, took[name], writes[name], writes[name] * 128,
      waited[name]
}

BEGIN {
  seed = 4711
}

NF {
  names[++n] = $2
  kind[$2] = $1
  if ($1 == "of" || $1 == "on") {
    share[$2] = $3
    parent[$2] = $4
    ms[$2] = ms[$4]
  } else {
    load[$2] = $3
    ms[$2] = $4
  }
}

END {
  if (class == "net")
    print "host,time,interface,rx_bytes,tx_bytes"
  else
    print "host,time,device,rd_ios,rd_sectors,rd_ms,wr_ios,wr_sectors,wr_ms"
  for (t = 0; t < 900; t++) {
    shared = 0.7 + 0.6 * uniform()
    for (i = 1; i <= n; i++)
      sample(names[i], t)
  }
}
