"""Feeds a walk at ten times its pace, and measures how late and how whole it arrives.

    feeds.py <faketrack> <seconds of each walk>
"""

import json
import re
import socket
import subprocess
import sys
import threading
import time
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from support import WALK, Browser

FAKETRACK, SECONDS = sys.argv[1], int(sys.argv[2])
SPEED = 10
AWAY_EVERY, AWAY_FOR = 30, 3
PAGE = b"""<!doctype html><script>
const seen = [], errors = [];
navigator.geolocation.watchPosition(({ coords }) => seen.push({
  latitude: coords.latitude, longitude: coords.longitude, accuracy: coords.accuracy,
  altitude: coords.altitude, altitudeAccuracy: coords.altitudeAccuracy, heading: coords.heading,
  speed: coords.speed, time: Date.now() / 1000,
}), () => errors.push(Date.now() / 1000));
</script>"""


class Server:
    """Calls a function with each request, and can go away and come back at its port."""

    def __init__(self, take):
        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def answer(self):
                body = self.rfile.read(int(self.headers["Content-Length"] or 0))
                reply = take(self.path, body)
                self.send_response(200)
                self.send_header("Content-Length", str(len(reply)))
                self.end_headers()
                self.wfile.write(reply)

            do_GET = do_POST = answer

            def log_message(self, *_):
                pass

        class Listener(ThreadingHTTPServer):
            daemon_threads = True

            def shutdown_request(self, request):
                if request in connections:
                    connections.remove(request)
                super().shutdown_request(request)

            def process_request(self, request, address):
                connections.append(request)
                super().process_request(request, address)

            def handle_error(self, *_):
                pass

        connections = self.connections = []
        self.make = lambda port: Listener(("127.0.0.1", port), Handler)
        self.port = 0
        self.begin()

    def begin(self):
        self.listener = self.make(self.port)
        self.port = self.listener.server_port
        threading.Thread(target=self.listener.serve_forever, args=[0.05], daemon=True).start()

    def end(self):
        self.listener.shutdown()
        self.listener.server_close()
        for connection in list(self.connections):
            try:
                connection.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass


class Walk:
    """A replay with feeds; notes the moment at which it writes each fix, the truth of the targets."""

    def __init__(self, *targets):
        command = [
            FAKETRACK, "replay", WALK, "--photos", "none", "--no-cities", "--format", "ndjson",
            "--interval", "1", "--distance-filter", "0", "--speed", str(SPEED), "--to",
            f"{SECONDS * SPEED}s"]
        for target in targets:
            command += ["--feed", target]
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.fixes, self.notes = [], []
        self.threads = [
            threading.Thread(target=self.read), threading.Thread(target=self.read_notes)]
        for thread in self.threads:
            thread.start()

    def read(self):
        for line in self.process.stdout:
            self.fixes.append((time.time(), json.loads(line)))

    def read_notes(self):
        for line in self.process.stderr:
            self.notes.append(line.rstrip("\n"))

    def end(self):
        self.process.wait()
        for thread in self.threads:
            thread.join()
        print(*(note for note in self.notes if re.match(r"feed .* sent", note)), sep="\n")

    @property
    def resident(self):
        """Memory in megabytes."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+)", status)[1]) / 1024


def delays(sent, arrivals):
    """Seconds until each fix that was sent, or a newer one, has arrived; of times by number."""
    result, newest = [], float("inf")
    for number in reversed(range(len(sent))):
        newest = min(newest, arrivals.get(number, float("inf")))
        result.append(newest - sent[number])
    return result


def summary(name, values):
    values = sorted(values)
    share = sum(value <= 0.1 for value in values) / len(values)
    print(f"{name}: {share:.1%} of {len(values)} fixes within 100 ms, half within "
          f"{values[len(values) // 2] * 1000:.0f} ms, all within {values[-1] * 1000:.0f} ms")


def is_right(position, fix):
    expected = {
        "latitude": fix["latitude"], "longitude": fix["longitude"], "accuracy": 5,
        "altitude": fix["elevation"], "altitudeAccuracy": 7.5, "heading": fix["course"],
        "speed": fix["speed"]}
    # Records have two decimals of a course, three of others.
    return all(
        position[key] is None if value is None
        else position[key] is not None and abs(position[key] - value) <= 0.006
        for key, value in expected.items())


def chromium():
    pages = Server(lambda path, body: PAGE)
    browser = Browser(logs_requests=False)
    try:
        port = browser.driver.capabilities["goog:chromeOptions"]["debuggerAddress"]
        browser.open(f"http://127.0.0.1:{pages.port}/test")
        walk = Walk(f"chrome:{port}/test,shim")
        walk.end()
        time.sleep(0.5)
        seen, errors = browser.run("return [seen, errors]")
    finally:
        browser.end()
        pages.end()
    numbers = {(fix["latitude"], fix["longitude"]): n for n, (_, fix) in enumerate(walk.fixes)}
    arrivals, wrong = {}, 0
    for position in seen:
        number = numbers.get((position["latitude"], position["longitude"]))
        if number is None or not is_right(position, walk.fixes[number][1]):
            wrong += 1
        else:
            arrivals.setdefault(number, position["time"])
    summary("chromium", delays([when for when, _ in walk.fixes], arrivals))
    # The end of the walk ends the positions, which is an error too.
    early = sum(when <= walk.fixes[-1][0] for when in errors)
    print(f"chromium: {len(seen)} positions, {wrong} of them wrong, {early} errors before the end")


def four():
    arrivals = {name: {} for name in ("tcp", "udp", "owntracks", "traccar")}

    def note(name, second):
        arrivals[name].setdefault(second, time.time())

    def note_sentences(name, text):
        for clock in re.findall(r"\$GPGGA,(\d{6})", text):
            note(name, int(clock[:2]) * 3600 + int(clock[2:4]) * 60 + int(clock[4:]))

    def take_own(path, body):
        if body:
            note("owntracks", json.loads(body)["tst"] % 86_400)
        return b"[]"

    def take_traccar(path, body):
        stamp = urllib.parse.parse_qs(path.partition("?")[2]).get("timestamp")
        if stamp:
            note("traccar", int(stamp[0]) % 86_400)
        return b""

    own, traccar = Server(take_own), Server(take_traccar)
    receiver = socket.socket(type=socket.SOCK_DGRAM)
    receiver.bind(("127.0.0.1", 0))

    def receive():
        while data := receiver.recv(65_536):
            note_sentences("udp", data.decode())

    threading.Thread(target=receive, daemon=True).start()
    walk = Walk(
        "nmea:tcp:127.0.0.1:0", f"nmea:udp:127.0.0.1:{receiver.getsockname()[1]}",
        f"owntracks:http://127.0.0.1:{own.port}/pub", f"traccar:http://127.0.0.1:{traccar.port}/")
    while not (place := re.search(r"listening on \S+:(\d+)", " ".join(walk.notes))):
        time.sleep(0.01)
    reader = socket.create_connection(("127.0.0.1", int(place[1])))

    def read():
        for line in reader.makefile():
            note_sentences("tcp", line)

    threading.Thread(target=read, daemon=True).start()
    start, memory, rounds = time.time(), [], 0
    while walk.process.poll() is None:
        time.sleep(1)
        rounds += 1
        if rounds > 5 and walk.process.poll() is None:
            memory.append(walk.resident)
        if rounds % AWAY_EVERY == AWAY_EVERY - 10:
            traccar.end()
        elif rounds % AWAY_EVERY == AWAY_EVERY - 10 + AWAY_FOR:
            traccar.begin()
    walk.end()
    sent = [when for when, _ in walk.fixes]
    clocks = [
        sum(int(part) * size for part, size in zip(fix["time"][11:19].split(":"), (3600, 60, 1)))
        for _, fix in walk.fixes]
    for name, times in arrivals.items():
        by_number = {n: times[clock] for n, clock in enumerate(clocks) if clock in times}
        # The reader of TCP came after the first fixes.
        first = min(by_number)
        summary(name, delays(sent[first:], {n - first: t for n, t in by_number.items()}))
        print(f"{name}: {len(by_number)} of {len(sent)} fixes arrived")
    print(f"memory: {memory[0]:.1f} MB after 6 s, {memory[-1]:.1f} MB after {len(memory) + 5} s, "
          f"at most {max(memory):.1f} MB")


chromium()
four()
