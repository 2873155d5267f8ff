# SPDX-License-Identifier: Apache-2.0
"""A limpid serve for tests: started, asked, killed."""

import http.client
import json
import re
import signal
import subprocess
import tempfile
import time


class Service:
    """Runs while the block does."""

    def __init__(self, limpid, arguments):
        # pylint: disable=consider-using-with
        self.log = tempfile.NamedTemporaryFile("r", suffix=".log")
        with open(self.log.name, "w", encoding="utf-8") as out:
            # limpid becomes limpid-serve: the process is the same.
            self.process = subprocess.Popen(
                [limpid, "serve", "--listen", "127.0.0.1:0",
                 *map(str, arguments)], stderr=out)
        self.port = int(self.wait_for(r"event=listening.* port=(\d+)")[1])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop(signal.SIGTERM)
        self.log.close()

    def stop(self, how):
        if self.process.poll() is None:
            self.process.send_signal(how)
        return self.process.wait()

    def said(self):
        with open(self.log.name, encoding="utf-8") as log:
            return log.read()

    def wait_for(self, pattern):
        """Until the log has it."""
        while True:
            over = self.process.poll() is not None
            found = re.search(pattern, self.said())
            if found:
                return found
            if over:
                raise SystemExit(f"no {pattern} in:\n{self.said()}")
            time.sleep(0.1)

    def ask(self, method, path, body=None, headers=None):
        """Status, headers and body of the answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port)
        connection.request(method, path, body, headers or {})
        answer = connection.getresponse()
        result = answer.status, answer.headers, answer.read()
        connection.close()
        return result

    def get(self, path):
        status, _, body = self.ask("GET", path)
        assert status == 200, (path, status, body[:300])
        return json.loads(body)

    def post(self, path, **members):
        status, _, body = self.ask("POST", path, json.dumps(members),
                                   {"X-Limpid": "1"})
        return status, json.loads(body)

    def until(self, path, condition):
        """The first answer for which the condition holds."""
        while True:
            answer = self.get(path)
            if condition(answer):
                return answer
            time.sleep(0.1)

