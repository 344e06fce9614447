"""Feeds headless Firefox at its own address, by WebDriver BiDi, and compares what a page gets.

    firefox.py <faketrack> <walk.gpx>

Needs Firefox (Debian: firefox-esr). Nothing leaves this machine.
"""

import http.client
import http.server
import json
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse

from report import Report

EXECUTABLE, WALK = (str(pathlib.Path(name).resolve()) for name in sys.argv[1:3])
FIREFOX = shutil.which("firefox-esr") or shutil.which("firefox")
TIMEOUT = 60
# A question that was asked before the feed stays open: the page asks again.
PAGE = b"""<!doctype html><title>walk</title><script>
function tell(text) { fetch("/tell?" + text); }
function ask() {
  navigator.geolocation.getCurrentPosition(
    ({ coords }) => tell(`at=${coords.latitude},${coords.longitude}`), ({ code }) => tell(`error=${code}`));
}
tell("loaded");
setInterval(ask, 200);
</script>"""


class PageHandler(http.server.BaseHTTPRequestHandler):
    told = []

    def do_GET(self):
        address = urllib.parse.urlsplit(self.path)
        if address.path == "/tell":
            self.told.append(urllib.parse.unquote(address.query))
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(PAGE)

    def log_message(self, *arguments):
        pass


def wait(condition, what):
    end = time.monotonic() + TIMEOUT
    while not (value := condition()):
        if time.monotonic() > end:
            raise TimeoutError(f"{what}; the page told {PageHandler.told[-5:]}")
        time.sleep(0.02)
    return value


def order(host, command):
    connection = http.client.HTTPConnection(host, timeout=TIMEOUT)
    connection.request("POST", "/commands", json.dumps({"command": command}))
    answer = connection.getresponse()
    value = json.loads(answer.read())
    connection.close()
    assert answer.status == 200, value
    return value


def main():
    report = Report()
    if not FIREFOX:
        print("SKIPPED: there is no Firefox here")
        return report.finish()
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), PageHandler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home, socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
        free.close()
        browser = subprocess.Popen(
            [FIREFOX, "--headless", "--no-remote", "--profile", home, f"--remote-debugging-port={port}",
             f"http://127.0.0.1:{server.server_port}/"],
            env={**os.environ, "HOME": home, "NO_PROXY": "*"}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        walk = None
        try:
            wait(lambda: PageHandler.told, "Firefox does not load the page")
            walk = subprocess.Popen(
                [EXECUTABLE, "replay", WALK, "--photos", "none", "--step", "--control", "127.0.0.1:0", "--feed",
                 f"webdriver:ws://127.0.0.1:{port}/session"],
                cwd=home, env={**os.environ, "FAKETRACK_HOME": home}, stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE, text=True)
            host = next(found[1] for line in walk.stderr if (found := re.match("control: http://(.*)", line)))
            for place in ["100m", "500m"]:
                state = order(host, f"walk to {place}")
                wait(lambda: PageHandler.told[-1] == f"at={state['latitude']},{state['longitude']}",
                     f"the page is not at {place}")
                report.check(f"the page is at {place}, to the last digit", True)
            order(host, "deny")
            wait(lambda: PageHandler.told[-1] == "error=1", "the page is not denied")
            report.check("the page is denied", True)
            order(host, "allow")
            wait(lambda: PageHandler.told[-1].startswith("at="), "the page is not allowed")
            report.check("the page is allowed again", True)
            target = order(host, "advance 5s")["targets"][0]
            report.check(
                "Firefox confirms each position", target["confirmed"] == target["sent"] > 300, f"{target}")
        except (TimeoutError, AssertionError) as error:
            report.check("Firefox", False, f"{error}")
        finally:
            for process in [walk, browser]:
                if process:
                    process.terminate()
                    process.wait()
    report.finish()


main()
