#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Short bursts of work between sadc's samples: bursts.py DEVICE FILE SECONDS

FILE is what sadc writes; its last record tells when it samples. Each burst
reads, writes and discards on DEVICE and sends packets over the loopback
interface, a third of a second after a sample and well before the next, so that
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


def burst(disk, buffer, sender, receiver, address):
    for i in range(24):
        os.preadv(disk, [buffer], BLOCK * i)
        os.pwritev(disk, [buffer], BLOCK * (i + 64))
    for i in range(4):
        try:
            fcntl.ioctl(disk, BLKDISCARD,
                        struct.pack("QQ", BLOCK * (i + 256), BLOCK))
        except OSError:
            return False
    for i in range(50):
        sender.sendto(b"x" * (100 + i), address)
        receiver.recv(2048)
    return True


def main():
    device, path, seconds = sys.argv[1], sys.argv[2], float(sys.argv[3])
    disk = os.open(device, os.O_RDWR | os.O_DIRECT)
    buffer = mmap.mmap(-1, BLOCK)
    receiver = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    receiver.bind(("127.0.0.1", 0))
    sender = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    end = time.time() + seconds
    discards = True
    while time.time() < end:
        pause = next_sample(path) + 0.35 - time.time()
        time.sleep(max(pause, 0.05))
        discards = burst(disk, buffer, sender, receiver,
                         receiver.getsockname()) and discards
    if not discards:
        print("note: this loop device cannot discard", file=sys.stderr)


main()
