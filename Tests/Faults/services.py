"""Misbehaving services: each run ends, its error describes the response, and memory
stays within bounds.

    services.py <faketrack>
"""

import gzip
import os
import socket
import struct
import subprocess
import tempfile
import threading
import time

from harness import FAKETRACK, Report, Row, environment, track, write

JSON = b'{"photos":{"page":1,"pages":1,"perpage":250,"total":0,"photo":[]},"stat":"ok"}'


def head(status="200 OK", *lines):
    return "\r\n".join([f"HTTP/1.1 {status}", *lines, "", ""]).encode()


def whole(body, *lines, status="200 OK"):
    return head(status, f"Content-Length: {len(body)}", "Connection: close", *lines) + body


def repeated(piece, pause=0.0):
    """Sends a piece again and again."""
    def send(connection):
        while True:
            connection.sendall(piece)
            time.sleep(pause)
    return send


def after(start, then):
    def send(connection):
        connection.sendall(start)
        then(connection)
    return send


def reset(connection):
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


def nothing(connection):
    time.sleep(3_600)


# 256 MB of zeros, packed.
BOMB = whole(gzip.compress(bytes(1 << 28)), "Content-Encoding: gzip")

KINDS = {
    "never answers": nothing,
    "hangs up": lambda connection: None,
    "resets amid the body": after(head("200 OK", "Content-Length: 500") + JSON[:20], reset),
    "drips a byte a second": after(head("200 OK", "Content-Length: 5000"), repeated(b" ", 1)),
    "sends 1xx without end": repeated(b"HTTP/1.1 103 Early Hints\r\nLink: <a>\r\n\r\n", 0.05),
    "sends headers without end": after(b"HTTP/1.1 200 OK\r\n", repeated(b"X-A: " + b"a" * 1000 + b"\r\n")),
    "sends a body without end": after(head("200 OK", "Connection: close"), repeated(b" " * 65_536)),
    "ends before its length": lambda connection: connection.sendall(head("200 OK", "Content-Length: 5000") + JSON),
    "sends a gzip bomb": lambda connection: connection.sendall(BOMB),
    "says gzip and sends text": lambda connection: connection.sendall(whole(JSON, "Content-Encoding: gzip")),
    "redirects in a circle": lambda connection: connection.sendall(whole(b"", "Location: /", status="302 Found")),
    "redirects elsewhere": lambda connection: connection.sendall(
        whole(b"", "Location: http://localhost:9/", status="302 Found")),
    "sends HTML": lambda connection: connection.sendall(whole(b"<!DOCTYPE html><html>Sign in</html>")),
    "sends XML": lambda connection: connection.sendall(whole(b'<?xml version="1.0"?><rsp stat="ok"/>')),
    "sends nothing": lambda connection: connection.sendall(whole(b"")),
    "sends half of it": lambda connection: connection.sendall(whole(JSON[:40])),
    "sends deep JSON": lambda connection: connection.sendall(whole(b"[" * 100_000)),
    "asks for a pause of a year": lambda connection: connection.sendall(
        whole(b"busy", "Retry-After: 31536000", status="429 Too Many Requests")),
    "fails for ever": lambda connection: connection.sendall(whole(b"oops", status="500 Internal Server Error")),
    "speaks no HTTP": lambda connection: connection.sendall(b"220 mail.example ESMTP\r\n"),
}


class RawService:
    """Takes connections on a free port of 127.0.0.1, reads a request and misbehaves as configured."""

    def __init__(self, behavior):
        self.behavior = behavior
        self.socket = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.url = f"http://127.0.0.1:{self.socket.getsockname()[1]}/"

    def __enter__(self):
        threading.Thread(target=self.accept, daemon=True).start()
        return self

    def accept(self):
        while True:
            try:
                connection, _ = self.socket.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(connection,), daemon=True).start()

    def serve(self, connection):
        try:
            with connection:
                while b"\r\n\r\n" not in connection.recv(65_536):
                    pass
                self.behavior(connection)
        except OSError:
            pass

    def __exit__(self, *exception):
        self.socket.close()


def walked(walk, env, photos):
    """Walks; returns the seconds until the first line and in all, the megabytes, the exit code and stderr."""
    begun = time.monotonic()
    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(
            [FAKETRACK, "replay", walk, "--photos", photos], env=env, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=errors)
        killer = threading.Timer(300, process.kill)
        killer.start()
        process.stdout.readline()
        first = time.monotonic() - begun
        process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        killer.cancel()
        errors.seek(0)
        said = errors.read().decode(errors="replace")
    return first, time.monotonic() - begun, usage.ru_maxrss / 1024, os.waitstatus_to_exitcode(status), said


def main():
    report = Report()
    with tempfile.TemporaryDirectory() as folder:
        walk = write(folder, "walk.gpx", track(30, step=0.01))
        for photos, variable in [("flickr", "FAKETRACK_FLICKR_URL"), ("commons", "FAKETRACK_COMMONS_URL"), ("auto", "FAKETRACK_COMMONS_URL")]:
            with Row(report, f"a service that misbehaves, --photos {photos}") as row:
                for number, (kind, behavior) in enumerate(KINDS.items()):
                    with RawService(behavior) as service:
                        env = environment(os.path.join(folder, f"{photos}{number}"), **{variable: service.url})
                        if photos == "flickr":
                            env["FLICKR_API_KEY"] = "secret-key"
                        first, seconds, memory, code, errors = walked(walk, env, photos)
                    said = next((line for line in errors.splitlines() if line.startswith("error:")), "")
                    print(f"{photos}, {kind}: {first:.1f} s to the first line, {seconds:.1f} s, {memory:.0f} MB, exit {code}: {said[:150]}", flush=True)
                    row.case(kind, (
                        "did not end" if seconds > 290 else
                        f"exit {code}" if code != 69 else
                        f"{memory:.0f} MB" if memory > 250 else
                        "says the key" if "secret-key" in errors else None))
    report.finish()


main()
