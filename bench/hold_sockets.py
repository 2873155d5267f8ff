#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# usage: hold_sockets.py COUNT PEERS
#
# COUNT TCP sockets between a listening port and PEERS addresses of this
# machine, each used once, held until it is killed.
import resource
import socket
import sys
import time

count, peers = int(sys.argv[1]), int(sys.argv[2])
resource.setrlimit(resource.RLIMIT_NOFILE, (count + 64, count + 64))
listener = socket.create_server(("127.0.0.1", 0), backlog=128)
held = []
for i in range(count // 2):
    n = i % peers
    near = socket.socket()
    near.bind((f"127.1.{n // 250}.{n % 250 + 1}", 0))
    near.connect(listener.getsockname())
    far, _ = listener.accept()
    near.sendall(b"x" * 1000)
    far.recv(1000)
    held += [near, far]
listener.setblocking(True)
print("ready", flush=True)
time.sleep(100000)
