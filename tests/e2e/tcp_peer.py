#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: tcp_peer.py serve PORT | tcp_peer.py send HOST PORT

Two ends of real connections. `serve` reads and throws away, and keeps its end
open as long as the other does. `send` takes lines from standard input and
answers each with "done":

    keep NAME BYTES    send on the connection NAME, opened when it is new
    brief COUNT BYTES  COUNT connections that send and are closed at once
"""

import socket
import sys
import threading


def drain(connection):
    while connection.recv(65536):
        pass
    connection.close()


def serve(port):
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind(("", port))
    listener.listen(64)
    print("ready", flush=True)
    while True:
        connection, _ = listener.accept()
        threading.Thread(target=drain, args=(connection,), daemon=True).start()


def send(address):
    kept = {}
    for line in sys.stdin:
        word, *rest = line.split()
        if word == "keep":
            name, count = rest[0], int(rest[1])
            if name not in kept:
                kept[name] = socket.create_connection(address)
            kept[name].sendall(bytes(count))
        else:
            for _ in range(int(rest[0])):
                with socket.create_connection(address) as brief:
                    brief.sendall(bytes(int(rest[1])))
                    brief.shutdown(socket.SHUT_WR)
                    # Wait for the other end, so that all has arrived.
                    brief.recv(1)
        print("done", flush=True)


if sys.argv[1] == "serve":
    serve(int(sys.argv[2]))
else:
    send((sys.argv[2], int(sys.argv[3])))
