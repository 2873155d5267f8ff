# SPDX-License-Identifier: Apache-2.0
"""Reads the pictures of page.html by keys, through a browser's WebDriver."""
import json
import pathlib
import re
import sys
import time
import urllib.request

work, browser = pathlib.Path(sys.argv[1]), sys.argv[2]
KEYS = {"Tab": "\ue004", "Left": "\ue012", "Right": "\ue014",
        "Down": "\ue015", "End": "\ue010", "Home": "\ue011",
        "Escape": "\ue00c"}


def address():
    """Where the driver listens: it says so once it does."""
    for _ in range(600):
        found = re.search(r"successfully on port (\d+)",
                          (work / "driver.log").read_text())
        if found:
            return f"http://127.0.0.1:{found[1]}"
        time.sleep(0.1)
    raise SystemExit("chromedriver does not start")


def call(path, body=None, method=None):
    request = urllib.request.Request(
        base + path, None if body is None else json.dumps(body).encode(),
        {"Content-Type": "application/json"}, method=method)
    with urllib.request.urlopen(request, timeout=120) as answer:
        return json.load(answer)["value"]


def press(key):
    call("/actions", {"actions": [{
        "type": "key", "id": "keys",
        "actions": [{"type": kind, "value": KEYS[key]}
                    for kind in ("keyDown", "keyUp")]}]})


def ask(script):
    return call("/execute/sync", {"script": "return " + script, "args": []})


def focused():
    """The class of the picture that has the focus, "" if none has."""
    return ask("document.activeElement.getAttribute('class') || ''")


def said():
    return ask("document.activeElement.nextElementSibling.textContent")


def reach(kind):
    """Press Tab until a picture of this kind has the focus."""
    for _ in range(200):
        press("Tab")
        if kind in focused().split():
            return
    raise SystemExit(f"Tab does not reach a picture of kind {kind}")


base = address()
session = call("/session", {"capabilities": {"alwaysMatch": {
    "goog:chromeOptions": {"binary": browser, "args": [
        "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
        "--disable-sync", "--disable-background-networking",
        "--disable-component-update", "--disable-dev-shm-usage",
        "--disable-quic", f"--user-data-dir={work}/profile"]}}}})
base += "/session/" + session["sessionId"]
try:
    call("/url", {"url": f"file://{work}/page.html"})

    reach("map")
    assert said() == "", said()
    press("Right")
    first = said()
    row = ask("document.activeElement.querySelector('.plot g title')"
              ".textContent")
    assert first.startswith(row + " · "), (row, first)
    press("Right")
    assert said() != first, "the right arrow does not move the place"
    press("Left")
    assert said() == first, "the left arrow does not move it back"
    press("Down")
    assert not said().startswith(row + " · "), said()
    assert ask("document.activeElement.nextElementSibling.ariaLive") == \
        "polite"
    press("Escape")
    assert said() == "", said()

    reach("series")
    press("Home")
    start = said()
    press("End")
    end = said()
    assert " UTC" in start and start != end, (start, end)
    # The accused and the median of its peers, each with its value there.
    assert len(start.split(" · ")) == 3, start
    assert start.endswith(" ms"), "a value without its unit: " + start

    reach("cumulative")
    press("Down")
    first = said()
    assert "% at or below" in first, first
    press("Left")
    assert said() != first, "the left arrow does not move the place"
    press("End")
    assert said() == first, (first, said())
    print("map, series and distribution answer to keys")
finally:
    call("", method="DELETE")
