#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: prometheus_bad.py PORTFILE [CERTIFICATE]

A server of the protocol of Prometheus that does everything wrong, each under a
path of its own: /truncated/api/v1/query. Under /good it does it right; /piece
fails in the second half hour. The port is written to the file, and the most
queries that were answered at once are at /most.
"""

import gzip
import http.server
import json
import re
import ssl
import sys
import threading
import time
import urllib.parse

NAMES = {"status": "success", "data": [
    "node_disk_reads_completed_total", "node_disk_io_now", "node_disk_info",
    "go_threads"]}
lock = threading.Lock()
state = {"now": 0, "most": 0, "tries": 0}


def samples(query, end):
    """Every 15 s two disks, in the range that is asked for."""
    name, span = re.fullmatch(r"(?:last_over_time\()?(\w+)\{.*\}\[(\d+)ms\]\)?",
                              query).groups()
    last, step = int(end), 15
    first = -int((int(span) / 1000 - end) // step) * step
    times = range(max(first, 0), last + 1, step)
    result = []
    for disk in ("sda", 'q"\\\u0007\u00e9'):
        labels = {"__name__": name, "device": disk, "instance": "oss1:9100"}
        if name == "node_disk_info":
            labels["wwn"] = "0x5000c500a1b2c3d4"
            result.append({"metric": labels, "value": [end, "1"]})
        elif times:
            result.append({"metric": labels, "values": [
                [t, str(7 * t % 100000)] for t in times]})
    return {"status": "success", "data": {
        "resultType": "matrix", "result": result}}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, code, body, **headers):
        self.send_response(code)
        for key, value in headers.items():
            self.send_header(key.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def endless(self, piece):
        self.send_response(200)
        self.end_headers()
        self.close_connection = True
        try:
            self.wfile.write(b'{"status":"success","data":{"result":[{"metric":'
                             b'{"device":"sda"},"values":[[0,"0"]')
            while True:
                self.wfile.write(piece)
        except OSError:
            pass

    def good(self, query):
        if "/label/" in self.path:
            return json.dumps(NAMES).encode()
        return json.dumps(samples(query["query"][0],
                                  float(query["time"][0]))).encode()

    def do_GET(self):
        with lock:
            state["now"] += 1
            state["most"] = max(state["most"], state["now"])
        try:
            self.serve()
        finally:
            with lock:
                state["now"] -= 1

    def serve(self):
        url = urllib.parse.urlparse(self.path)
        how = url.path.split("/")[1]
        query = urllib.parse.parse_qs(url.query)
        if how == "most":
            return self.answer(200, str(state["most"]).encode())
        names = "/label/" in url.path
        if how == "piece":
            if not names and float(query["time"][0]) > 1000000 + 1800:
                return self.answer(500, b"")
            how = "good"
        if how == "busy":
            state["tries"] += 1
            if state["tries"] % 3 == 1:
                return self.answer(429, b"", Retry_After="1")
            how = "good"
        if how == "auth":
            token = self.headers.get("Authorization", "")
            org = self.headers.get("X-Scope-OrgID", "")
            if token != "Bearer s3cret" or org != "a":
                return self.answer(401, b"")
            how = "good"
        if how.isdigit():
            error = {"status": "error", "error": "because\u0007 of it"}
            return self.answer(int(how), json.dumps(error).encode(),
                               Location="http://127.0.0.1:1/elsewhere",
                               Retry_After="0")
        body = self.good(query)
        return self.spoilt(how, names, body)

    def spoilt(self, how, names, body):
        if how == "slow":
            time.sleep(0.05)
            return self.answer(200, body)
        if how == "silent":
            time.sleep(4)
            return None
        if how == "gzip":
            return self.answer(200, gzip.compress(body),
                               Content_Encoding="gzip")
        if how == "chunked":
            self.send_response(200)
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            for i in range(0, len(body), 7):
                part = body[i:i + 7]
                self.wfile.write(b"%x\r\n%s\r\n" % (len(part), part))
            self.wfile.write(b"0\r\n\r\n")
            return None
        if names or how == "good":
            return self.answer(200, body)
        return self.wrong(how, body)

    def wrong(self, how, body):
        """What only the answers with samples do."""
        if how == "truncated":
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body[:-20])
            self.close_connection = True
        elif how == "cut":
            self.answer(200, body[:-20])
        elif how == "html":
            self.answer(200, b"<html>Log in</html>")
        elif how == "many":
            self.endless(b',[1000000.001,"1"]' * 4096)
        elif how == "endless":
            self.endless(b" " * 65536)
        elif how == "odd":
            for old, new in (("7000000", "x"), ):
                body = body.replace(old.encode(), new.encode())
            text = json.loads(body)
            for series in text["data"]["result"]:
                for i, pair in enumerate(series.get("values", [])):
                    pair[1] = ("NaN", "+Inf", "-1", pair[1])[min(i, 3)]
            self.answer(200, json.dumps(text).encode())
        elif how == "histograms":
            text = json.loads(body)
            for series in text["data"]["result"]:
                series["histograms"] = [[1000000, {"count": "1"}]]
                series.pop("values", None)
            self.answer(200, json.dumps(text).encode())


def main():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    if len(sys.argv) > 2:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(sys.argv[2])
        server.socket = context.wrap_socket(server.socket, server_side=True)
    with open(sys.argv[1] + ".new", "w") as file:
        file.write(str(server.server_address[1]))
    import os
    os.rename(sys.argv[1] + ".new", sys.argv[1])
    server.serve_forever()


main()
