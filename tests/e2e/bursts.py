#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Short bursts of work between sadc's samples: bursts.py DEVICE FILE SECONDS

FILE is what sadc writes; its last record tells when it samples. Each burst
sends packets over the loopback interface and reads, writes and discards (where
DEVICE can) on DEVICE, a third of a second after a sample and well before the next, so that
both collectors see the same counters at their samples.
"""
import fcntl
import mmap
import os
import socket
import struct
import sys
import time

BLKDISCARD = 0x1277
BLOCK = 16384


def next_sample(path):
    """When sadc samples next: its file was last written right after one."""
    return os.stat(path).st_mtime + 1


def can_discard(device):
    """Not every file system can give back a part of a loop device's file."""
    name = os.path.basename(device)
    with open(f"/sys/block/{name}/queue/discard_max_bytes") as limit:
        return int(limit.read()) > 0


def burst(disk, buffer, sender, receiver, discards):
    for i in range(50):
        sender.sendto(b"x" * (100 + i), receiver.getsockname())
        receiver.recv(2048)
    for i in range(24):
        os.preadv(disk, [buffer], BLOCK * i)
        os.pwritev(disk, [buffer], BLOCK * (i + 64))
    for i in range(4 if discards else 0):
        fcntl.ioctl(disk, BLKDISCARD,
                    struct.pack("QQ", BLOCK * (i + 256), BLOCK))


def main():
    device, path, seconds = sys.argv[1], sys.argv[2], float(sys.argv[3])
    disk = os.open(device, os.O_RDWR | os.O_DIRECT)
    buffer = mmap.mmap(-1, BLOCK)
    receiver = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    receiver.bind(("127.0.0.1", 0))
    sender = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    end = time.time() + seconds
    discards = can_discard(device)
    while time.time() < end:
        pause = next_sample(path) + 0.35 - time.time()
        time.sleep(max(pause, 0.05))
        burst(disk, buffer, sender, receiver, discards)


main()
