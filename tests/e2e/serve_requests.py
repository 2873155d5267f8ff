#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: serve_requests.py LIMPID EXAMPLES WORK

What people may ask of the live service, and what they may not: changes and
their traces, requests of foreign pages, of other names, without end; two
services on one store; kill -9 again and again; alerts.
"""

import http.server
import json
import pathlib
import random
import signal
import socket
import subprocess
import sys
import threading
import time

from serve_client import Service

RUN = "one/1-22-ddr-disk-busy-s1"
DISK = "s1/loop0"


class Receiver(http.server.BaseHTTPRequestHandler):
    """Gets alerts."""

    alerts = []

    def do_POST(self):  # pylint: disable=invalid-name
        size = int(self.headers["Content-Length"])
        self.alerts.append((self.path, json.loads(self.rfile.read(size))))
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_):
        pass


def check_changes(service):
    finding = service.get("/api/v1/findings")["findings"][0]
    assert finding["component"] == DISK, finding
    path = f"/api/v1/findings/{finding['id']}"
    assert service.get(path)["evidence"]["findings"][0]["component"] == DISK
    if finding["state"] == "open":
        status, said = service.post(path + "/ack", who="ann", why="known")
        assert (status, said["state"]) == (200, "acknowledged"), said
        assert said["changes"][-1]["who"] == "ann", said
    status, said = service.post("/api/v1/exclusions", component=DISK,
                                who="ann", why="a test")
    assert status == 200 and said["exclusions"][-1]["component"] == DISK
    assert service.post("/api/v1/exclusions", component=DISK, who="ann",
                        why="again")[0] == 409
    service.until("/api/v1/report", lambda r: not r["findings"])
    service.post(f"/api/v1/exclusions/{said['exclusions'][-1]['id']}/end",
                 who="ann", why="over")
    service.until("/api/v1/report", lambda r: r["findings"])
    status, said = service.post("/api/v1/maintenance", target="s1",
                                to="2100-01-01T00:00:00Z", who="bob",
                                why="never ends")
    assert status == 400 and "year" in said["error"], said
    status, said = service.post("/api/v1/maintenance", target="s1",
                                who="bob", why="disk swap", **{"for": "2h"})
    assert status == 200 and said["maintenance"][-1]["now"], said
    groups = service.get("/api/v1/components")["groups"]
    assert any(c["maintenance"] for g in groups for c in g["components"])


def check_refusals(service):
    own = {"X-Limpid": "1"}
    good = json.dumps({"component": "a", "who": "b", "why": "c"})
    path = "/api/v1/exclusions"
    for status, method, where, body, headers in [
            (403, "POST", path, good, {}),
            (403, "POST", path, good, {**own, "Host": "evil.example"}),
            (403, "GET", "/api/v1/now", None, {"Host": "127.0.0.1.evil"}),
            (400, "POST", path, "{", own),
            (400, "POST", path, '{"who": 1}', own),
            (400, "POST", path, '{"what": "b"}', own),
            (400, "POST", path, '{"component": "a", "who": "b"}', own),
            (413, "POST", path, "x" * 100000, own),
            (404, "GET", "/api/v1/", None, {}),
            (404, "GET", "/../../etc/passwd", None, {}),
            (404, "GET", "/api/v1/findings/99999", None, {}),
            (404, "GET", "/api/v1/findings/99999999999999999999999", None, {}),
            (405, "DELETE", path, None, own),
            (400, "GET", "/api/v1/findings?limit=x", None, {}),
            (400, "GET", "/api/v1/findings?state=x", None, {}),
            (404, "GET", "/api/v1/series?component=x", None, {})]:
        got, _, said = service.ask(method, where, body, headers)
        assert got == status, (method, where, headers, got, said)
        assert json.loads(said)["error"], said
    _, headers, _ = service.ask("GET", "/")
    assert "default-src 'none'" in headers["Content-Security-Policy"]
    assert "unsafe" not in headers["Content-Security-Policy"]


def check_sockets(service):
    """Who announces a gigabyte, or sends headers without end, is answered or
    cut off, and others are served meanwhile."""
    one = socket.create_connection(("127.0.0.1", service.port))
    one.sendall(b"POST /api/v1/exclusions HTTP/1.1\r\nHost: localhost\r\n"
                b"X-Limpid: 1\r\nContent-Length: 1073741824\r\n\r\n")
    assert b" 413 " in one.recv(4096)
    two = socket.create_connection(("127.0.0.1", service.port))
    try:
        two.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nX: "
                    + b"x" * 1000000)
        answer = two.recv(4096)
    except ConnectionError:
        answer = b""
    assert b" 200 " not in answer, answer
    many = [socket.create_connection(("127.0.0.1", service.port))
            for _ in range(40)]
    assert service.get("/healthz")["status"] == "ok"
    for each in [one, two, *many]:
        each.close()


def check_metrics(service):
    _, _, body = service.ask("GET", "/metrics")
    lines = body.decode().splitlines()
    assert lines[-1] == "# EOF", lines[-1]
    assert any(line.startswith("limpid_findings{") for line in lines), lines
    assert len(lines) < 1000


def check_two(limpid, run, state):
    done = subprocess.run([limpid, "serve", "--listen", "127.0.0.1:0",
                           "--state", state, run],
                          capture_output=True, text=True, check=False)
    assert done.returncode == 1, done
    assert "another limpid serve has the store" in done.stderr, done.stderr


def check_listen(limpid, run, state):
    for where in ["0.0.0.0:80", "10.1.2.3:80", "[::]:80", "nonsense"]:
        done = subprocess.run([limpid, "serve", "--listen", where, "--state",
                               state, run],
                              capture_output=True, text=True, check=False)
        assert done.returncode == 2 and done.stderr.count("\n") == 1, done


def check_kills(limpid, run, state, arguments):
    """No finding is lost, doubled or reopened."""
    chance = random.Random(17)
    for _ in range(5):
        with Service(limpid, ["--state", state, *arguments]) as service:
            time.sleep(chance.uniform(0, 4))
            service.stop(signal.SIGKILL)
    with Service(limpid, ["--state", state, *arguments]) as service:
        service.wait_for("event=replayed")
        found = service.get("/api/v1/findings")["findings"]
    assert [(f["component"], f["episodes"]) for f in found] == [(DISK, 1)], (
        run, found)


def check_alerts(limpid, run, state):
    server = http.server.HTTPServer(("127.0.0.1", 0), Receiver)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    port = server.server_address[1]
    told = state / "told"
    with Service(limpid, ["--state", state, "--method", "limpid", "--replay",
                          run, "--speed", "200", "--quiet", "10s",
                          "--alert-after", "1m",
                          "--webhook", f"http://127.0.0.1:{port}/hook",
                          "--alertmanager", f"http://127.0.0.1:{port}",
                          "--command", f"cat >>{told}"]) as service:
        service.wait_for("event=resolved")
        service.until("/healthz", lambda _: told.exists() and any(
            alert.get("status") == "resolved"
            for path, alert in Receiver.alerts if path == "/hook"))
    server.shutdown()
    hooks = [alert for path, alert in Receiver.alerts if path == "/hook"]
    assert [h["status"] for h in hooks] == ["firing", "resolved"], hooks
    assert hooks[0]["finding"]["component"] == DISK
    posts = [alert for path, alert in Receiver.alerts
             if path == "/api/v2/alerts"]
    assert posts[0][0]["labels"]["component"] == DISK, posts
    assert '"firing"' in told.read_text()


def main():
    limpid, examples, work = sys.argv[1:]
    run = pathlib.Path(examples) / RUN
    work = pathlib.Path(work)
    state = work / "state"
    replay = ["--method", "limpid", "--replay", run, "--speed", "100"]
    with Service(limpid, ["--state", state, *replay]) as service:
        service.wait_for("event=replayed")
        check_refusals(service)
        check_sockets(service)
        check_metrics(service)
        check_two(limpid, run, state)
        check_changes(service)
    check_listen(limpid, run, work / "none")
    print("requests, refusals, two services: as they should be")
    check_kills(limpid, run, work / "killed", replay)
    print("killed five times: nothing lost, nothing doubled")
    check_alerts(limpid, run, work / "alerts")
    print("alerts: told once, and their end")


main()
