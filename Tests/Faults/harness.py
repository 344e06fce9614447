"""Shared code of the fault tests: the command under limits, stubs of services, and rows of cases."""

import http.server
import json
import os
import random
import signal
import subprocess
import sys
import threading
import urllib.parse

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "Peers"))
from report import Report  # noqa: E402

FAKETRACK = os.path.abspath(sys.argv[1])
# The codes that the manual names, besides the codes of Ctrl-C and SIGTERM.
CODES = (0, 1, 64, 65, 69, 77)


def track(count, step=0.0015):
    """A track to the north with a point every 167 m or as far as `step` degrees are."""
    points = "".join(
        f'<trkpt lat="{52.4 + index * step:.6f}" lon="13.06"><ele>35</ele>'
        f"<time>2026-05-01T{8 + index // 60:02}:{index % 60:02}:00Z</time></trkpt>"
        for index in range(count))
    return f'<gpx version="1.1"><trk><trkseg>{points}</trkseg></trk></gpx>'


def write(folder, name, content):
    """Writes a file and returns its path."""
    path = os.path.join(folder, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(content if isinstance(content, bytes) else content.encode())
    return path


def environment(home, **more):
    """An environment independent of the user's settings."""
    return {
        "PATH": os.environ["PATH"], "HOME": os.path.join(home, "nobody"), "NO_COLOR": "1", "NO_PROXY": "*",
        "FAKETRACK_HOME": home, "SWIFT_BACKTRACE": "enable=no", **more}


class Result:
    """The result of a run."""

    def __init__(self, code, stdout, stderr, timed_out=False):
        self.code = code
        self.stdout = stdout.decode(errors="replace")
        self.stderr = stderr.decode(errors="replace")
        self.timed_out = timed_out

    @property
    def fault(self):
        """A description of a forbidden outcome; None without one."""
        if self.timed_out:
            return "did not end"
        if self.code not in CODES:
            return f"ended with {self.code}: {self.stderr[-300:]}"
        return None


def start(arguments, env, **options):
    """Starts the command in a new session."""
    return subprocess.Popen(
        [FAKETRACK, *arguments], env=env, start_new_session=True, stdin=options.pop("stdin", subprocess.DEVNULL),
        stdout=options.pop("stdout", subprocess.PIPE), stderr=options.pop("stderr", subprocess.PIPE), **options)


def run(arguments, env, stdin=b"", seconds=120, prefix=()):
    """Runs the command to its end, or kills it when it takes too long."""
    process = subprocess.Popen(
        [*prefix, FAKETRACK, *arguments], env=env, start_new_session=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        output, errors = process.communicate(stdin, timeout=seconds)
        return Result(process.returncode, output, errors)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        output, errors = process.communicate()
        return Result(-9, output, errors, timed_out=True)


class Row:
    """Many cases of one kind, which are one check of a report."""

    def __init__(self, report, name):
        self.report, self.name = report, name
        self.count, self.problems = 0, []

    def case(self, name, problem):
        """Counts a case; `problem` describes its failure, or is None."""
        self.count += 1
        if problem:
            self.problems.append(f"{name}: {problem}")

    def __enter__(self):
        return self

    def __exit__(self, kind, *exception):
        if kind is None:
            shown = "; ".join(self.problems[:5])
            detail = f"{len(self.problems)} of {self.count} cases: {shown}" if shown else f"{self.count} cases"
            self.report.check(self.name, not self.problems, detail)


class Service:
    """An HTTP server on a free port of 127.0.0.1."""

    def __init__(self, answer):
        """`answer(path, query)` returns status, type and body; or None to hang up."""
        service = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                parts = urllib.parse.urlsplit(self.path)
                reply = answer(parts.path, dict(urllib.parse.parse_qsl(parts.query)))
                with service.lock:
                    service.requests += 1
                if reply is None:
                    self.close_connection = True
                    return
                status, kind, body = reply
                self.send_response(status)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *arguments):
                pass

        class Server(http.server.ThreadingHTTPServer):
            daemon_threads = True
            request_queue_size = 128

            def handle_error(self, request, address):
                pass  # Clients are killed here.

        self.lock = threading.Lock()
        self.requests = 0
        self.server = Server(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}/"

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(self, *exception):
        self.server.shutdown()
        self.server.server_close()


class Commons(Service):
    """Answers as Wikimedia Commons does, with photos around the place; and serves the photos."""

    def __init__(self, failing=None, photos=8):
        """`failing()` says whether the next search fails."""
        super().__init__(self.reply)
        self.failing, self.photos = failing, photos

    @staticmethod
    def image(name):
        """The bytes of a photo, different for each photo."""
        return b"\xff\xd8\xff" + name.encode() * 400

    def reply(self, path, query):
        if path.startswith("/image/"):
            return 200, "image/jpeg", self.image(path.rsplit("/", 1)[1])
        if self.failing and self.failing():
            return 503, "text/html", b"<html>busy</html>"
        latitude, longitude = map(float, query["ggscoord"].split("|"))
        pages = [self.page(latitude, longitude, number) for number in range(self.photos)]
        return 200, "application/json", json.dumps({"batchcomplete": True, "query": {"pages": pages}}).encode()

    def page(self, latitude, longitude, number):
        name = f"{latitude:.4f}x{longitude:.4f}x{number}.jpg"
        return {
            "pageid": abs(hash((latitude, longitude, number))) % 10**9, "ns": 6, "title": f"File:{name}", "index": number,
            "coordinates": [{"lat": latitude + number * 1e-5, "lon": longitude, "primary": True, "globe": "earth"}],
            "imageinfo": [{
                "user": "u", "size": 4000, "width": 640, "height": 480, "mime": "image/jpeg",
                "url": f"{self.url}image/{name}", "thumburl": f"{self.url}image/{name}",
                "descriptionurl": f"{self.url}wiki/File:{name}",
                "extmetadata": {"Artist": {"value": "A"}, "LicenseShortName": {"value": "CC BY 4.0"}}}]}


def generator():
    """Random numbers that are the same in every run."""
    return random.Random(20260501)
