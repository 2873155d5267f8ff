#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A day of eight servers for sadc: sysstat_day.py LIMPID_DISK SADC FAKETIME

In the working directory: a file sa.ossN of each host with 145 records, ten
minutes apart; slow.txt: the host and the device that was slow from 09:00 to
15:00; disturbed.txt: in which share of the steps all were slow, and how far one
healthy disk was above the others for two hours. What is real
and what is not stands in sysstat_day.sh.
"""
import mmap
import os
import random
import signal
import subprocess
import sys
import threading
import time

HOSTS, DISKS = 8, 2
STEP_S, STEPS = 600, 144
START = 1794614400  # 2026-11-14T00:00:00Z
SLOW = (4, 1)  # host, disk, from 0
SLOW_FROM, SLOW_STEPS, SLOW_MS = 54, 36, 18  # 09:00 for six hours
WINDOW = 12  # steps: two hours, the windows of limpid
REQUEST = 4096
DISK_BYTES = 16 << 20
# Long beside what a thread waits for a processor.
SEEK_MS = 5


def slow_down(disk, milliseconds):
    subprocess.run([sys.argv[1], "ctl", disk["control"], "latency",
                    str(milliseconds)], check=True, stdout=subprocess.DEVNULL)


def make_disk(host, number, undo):
    name = "h%dd%d" % (host, number)
    os.mkdir(name)
    server = subprocess.Popen([
        sys.argv[1], "--backing", name + ".img", "--mount", name, "--control",
        name + ".ctl", "--size", str(DISK_BYTES), "--seek",
        str(SEEK_MS), "--set", "jitter 1"], stdout=subprocess.PIPE, text=True)
    undo.append(lambda: (server.terminate(), server.wait()))
    if server.stdout.readline() != "ready\n":
        sys.exit("sysstat_day.py: limpid-disk does not come up")
    loop = subprocess.run(
        ["losetup", "--direct-io=on", "-f", "--show", name + "/disk"],
        check=True, capture_output=True, text=True).stdout.strip()
    undo.append(lambda: subprocess.run(["losetup", "-d", loop]))
    fd = os.open(loop, os.O_RDONLY | os.O_DIRECT)
    undo.append(lambda: os.close(fd))
    return {"name": loop[5:], "fd": fd, "control": name + ".ctl",
            "took": []}


def work(disk, seed, requests):
    """Random reads, past every cache; how long one took, on average."""
    chance = random.Random(seed)
    begun = time.monotonic()
    with mmap.mmap(-1, REQUEST) as buffer:
        for _ in range(requests):
            at = chance.randrange(DISK_BYTES // REQUEST) * REQUEST
            os.preadv(disk["fd"], [buffer], at)
    disk["took"].append((time.monotonic() - begun) / requests)


# Each host lives in namespaces of its own: its name, its view of /proc.
SHELL = """
hostname oss$1 && mount --bind diskstats.$1 /proc/diskstats &&
mount --bind uptime.$1 /proc/uptime || exit 1
while read -r now; do
  LD_PRELOAD=$3 FAKETIME="$now" FAKETIME_NO_CACHE=1 $2 -S DISK 1 1 sa.oss$1
  echo $?
done
"""


def make_host(number, undo):
    for name in ("diskstats", "uptime"):
        open("%s.%d" % (name, number), "w").close()
    shell = subprocess.Popen(
        ["unshare", "-u", "-m", "sh", "-c", SHELL, "sh", str(number),
         sys.argv[2], sys.argv[3]],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    undo.append(lambda: (shell.stdin.close(), shell.wait()))
    return {"shell": shell, "number": number,
            "disks": [make_disk(number, i, undo) for i in range(DISKS)]}


def rewrite(path, text):
    """In place: another file would not be the one that is mounted."""
    with open(path, "r+") as out:
        out.truncate()
        out.write(text)


def sample(host, step):
    number = host["number"]
    names = {disk["name"] for disk in host["disks"]}
    with open("/proc/diskstats") as stats:
        own = [line for line in stats if line.split()[2] in names]
    rewrite("diskstats.%d" % number, "".join(own))
    up = 1000000 + step * STEP_S
    rewrite("uptime.%d" % number, "%d.00 %d.00\n" % (up, up))
    now = time.strftime("%Y-%m-%d %H:%M:%S",
                        time.gmtime(START + step * STEP_S))
    host["shell"].stdin.write(now + "\n")
    host["shell"].stdin.flush()


def collect(host):
    if host["shell"].stdout.readline() != "0\n":
        sys.exit("sysstat_day.py: sadc of oss%d failed" % host["number"])


def work_all(disks, step, requests):
    """The same load for all, but for a request or two."""
    workers = [threading.Thread(target=work, args=(disk, 100 * step + i,
                                                   requests + (step + i) % 3))
               for i, disk in enumerate(disks)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()


def run_day(hosts):
    load = random.Random(1)
    disks = [disk for host in hosts for disk in host["disks"]]
    slow = hosts[SLOW[0]]["disks"][SLOW[1]]
    for step in range(STEPS + 1):
        if step == SLOW_FROM + 1:
            slow_down(slow, SLOW_MS)
        if step == SLOW_FROM + SLOW_STEPS + 1:
            slow_down(slow, 0)
        work_all(disks, step, load.randrange(6, 16))
        for host in hosts:
            sample(host, step)
        for host in hosts:
            collect(host)


def disturbed(hosts):
    """The share of steps in which half of the healthy disks took more than
    twice their usual time: the machine was away, and no disk is to blame."""
    healthy = [disk["took"] for h, host in enumerate(hosts)
               for d, disk in enumerate(host["disks"]) if (h, d) != SLOW]
    levels = [sorted(step)[len(step) // 2] for step in zip(*healthy)]
    usual = sorted(levels)[len(levels) // 2]
    return sum(level > 2 * usual for level in levels) / len(levels)


def uneven(hosts):
    """How far a healthy disk was above the median of all healthy ones, by the
    mean of two hours: then it was slower than its peers, by chance."""
    healthy = [disk["took"] for h, host in enumerate(hosts)
               for d, disk in enumerate(host["disks"]) if (h, d) != SLOW]
    worst = 0
    for first in range(0, STEPS - WINDOW + 1, WINDOW // 2):
        means = sorted(sum(took[first:first + WINDOW]) / WINDOW
                       for took in healthy)
        worst = max(worst, means[-1] / means[len(means) // 2] - 1)
    return worst


def main():
    undo = []
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    try:
        hosts = [make_host(i + 1, undo) for i in range(HOSTS)]
        run_day(hosts)
        with open("disturbed.txt", "w") as out:
            print("%.3f %.3f" % (disturbed(hosts), uneven(hosts)), file=out)
        with open("slow.txt", "w") as out:
            print("oss%d/%s" % (SLOW[0] + 1,
                                hosts[SLOW[0]]["disks"][SLOW[1]]["name"]),
                  file=out)
    finally:
        for step in reversed(undo):
            step()


main()
