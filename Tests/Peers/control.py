"""Compares docs/control.json with the answers to commands, and these with what a target has taken by then.

    control.py <faketrack> <walk.gpx>
"""

import contextlib
import http.client
import http.server
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse

import jsonschema
from openapi_spec_validator import validate
from report import Report

EXECUTABLE, WALK = (str(pathlib.Path(name).resolve()) for name in sys.argv[1:3])
ROOT = pathlib.Path(__file__).resolve().parents[2]
API = json.loads((ROOT / "docs/control.json").read_text())
HOME = tempfile.TemporaryDirectory()


class SlowServer(http.server.ThreadingHTTPServer):
    """Records positions as Traccar does, each 20 ms after it came."""

    def __init__(self):
        super().__init__(("127.0.0.1", 0), SlowHandler)
        self.taken = []
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def end(self):
        self.shutdown()
        self.server_close()


class SlowHandler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        time.sleep(0.02)
        length = int(self.headers.get("Content-Length", 0))
        body = self.rfile.read(length).decode()
        values = urllib.parse.parse_qs(urllib.parse.urlsplit(self.path).query + "&" + body)
        # The first request asks whether the server is there.
        if "lat" in values:
            self.server.taken.append(values)
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    do_GET = do_POST

    def log_message(self, *arguments):
        pass


@contextlib.contextmanager
def walk(*options):
    """The host of a walk that waits for commands."""
    process = subprocess.Popen(
        [EXECUTABLE, "replay", WALK, "--photos", "none", "--step", "--control", "127.0.0.1:0", *options],
        cwd=HOME.name, env={"PATH": "/usr/bin:/bin", "FAKETRACK_HOME": HOME.name},
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    try:
        for line in process.stderr:
            if found := re.match("control: http://(.*)", line):
                break
        threading.Thread(target=process.stderr.read, daemon=True).start()
        yield found[1]
    finally:
        process.terminate()
        process.wait()


def ask(host, method, path, body=None, headers={}):
    connection = http.client.HTTPConnection(host, timeout=60)
    with contextlib.closing(connection):
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        return answer.status, answer.headers.get_content_type(), json.loads(answer.read())


def order(host, command):
    return ask(host, "POST", "/commands", json.dumps({"command": command}))


def resolved(value):
    while "$ref" in value:
        found = API
        for name in value["$ref"].removeprefix("#/").split("/"):
            found = found[name]
        value = found
    return value


def main():
    report = Report()
    validate(API)
    report.check("docs/control.json is OpenAPI 3.1", True)
    seen = set()

    def check(name, path, method, answer, status):
        found, media, value = answer
        documented = resolved(API["paths"][path][method]["responses"].get(str(found), {"content": {}}))
        schema = {"$ref": "#/s", "s": documented.get("content", {}).get(media, {}).get("schema"), **API}
        errors = [] if schema["s"] is None else list(jsonschema.Draft202012Validator(schema).iter_errors(value))
        seen.add((path, method, str(found)))
        report.check(
            f"{name}: {status}", found == status and schema["s"] is not None and not errors,
            "" if found == status and not errors else f"{found} {value} {errors[:1]}")
        return value

    server = SlowServer()
    with walk("--feed", f"traccar:http://127.0.0.1:{server.server_port}/walker") as host:
        check("the state", "/state", "get", ask(host, "GET", "/state"), 200)
        for path, method in [("/state", "get"), ("/commands", "post")]:
            other = {"Host": "walk.example:80"}
            page = {"Origin": f"http://{host}"}
            check("another name", path, method, ask(host, method.upper(), path, "{}", other), 421)
            check("a page", path, method, ask(host, method.upper(), path, "{}", page), 403)
        check("no command", "/commands", "post", order(host, "fly"), 400)
        order(host, "advance 1s")
        before = len(server.taken)
        value = check("a step", "/commands", "post", order(host, "advance 30s"), 200)
        taken = server.taken[before:]
        report.check("the target has taken each second by then", len(taken) == 30, f"{len(taken)}")
        place = (float(taken[-1]["lat"][0]), float(taken[-1]["lon"][0]))
        report.check(
            "the answer has the position that the target took last",
            max(abs(place[0] - value["latitude"]), abs(place[1] - value["longitude"])) < 1e-6, f"{place}")
        report.check(
            "and counts what it took",
            value["targets"][0]["sent"] == value["targets"][0]["confirmed"] == len(server.taken),
            f"{value['targets']}, {len(server.taken)} taken")
        check("a way back", "/commands", "post", order(host, "walk to 10m"), 409)
        server.end()
        check("a target that has gone", "/commands", "post", order(host, "advance 2s"), 503)
    answers = {
        (path, method, status) for path, methods in API["paths"].items()
        for method, operation in methods.items() for status in operation["responses"]}
    report.check("each documented answer occurred", seen == answers, f"{answers - seen}" if seen != answers else "")
    report.finish()


main()
