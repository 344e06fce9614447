"""A day's track at max speed, walked on the page again and again while the service comes and goes, with
browsers that read and browsers that do not: memory and file descriptors stay as they were.

    day.py <faketrack>
"""

import os
import re
import select
import socket
import tempfile
import time
import urllib.request

from harness import Commons, Report, Row, environment, start, track, write

WALKS = 12


def post(address, path, form=""):
    request = urllib.request.Request(address + path, form.encode(), {"Origin": address.rstrip("/"), "X-Faketrack": "1"})
    return urllib.request.urlopen(request, timeout=30).read()


def stream(address):
    """A browser that watches the walk."""
    host, port = re.match(r"http://([^:]+):(\d+)/", address).groups()
    connection = socket.create_connection((host, int(port)))
    connection.sendall(f"GET /tracking/events HTTP/1.1\r\nHost: {host}:{port}\r\n\r\n".encode())
    return connection


def drain(connection):
    while select.select([connection], [], [], 0)[0]:
        if not connection.recv(1 << 16):
            return


def figures(process):
    """Megabytes of memory and the number of open files."""
    with open(f"/proc/{process.pid}/status") as file:
        memory = int(re.search(r"VmRSS:\s+(\d+)", file.read()).group(1)) / 1024
    return memory, len(os.listdir(f"/proc/{process.pid}/fd"))


def day(folder, row):
    walk = write(folder, "day.gpx", track(1_400, step=0.0003))
    with Commons(failing=lambda: int(time.time() * 2) % 2 == 0) as service:
        env = environment(os.path.join(folder, "home"), FAKETRACK_COMMONS_URL=service.url)
        process = start(
            ["serve", walk, "--port", "0", "--photos", "commons"], env, stdout=-3)
        address = None
        while not address:
            line = process.stderr.readline().decode()
            address = next(iter(re.findall(r"http://127\.0\.0\.1:\d+/", line)), None)
        reading, idle = stream(address), stream(address)
        seen = []
        for number in range(WALKS):
            post(address, "tracking/speed", "speed=max")
            post(address, "tracking/start")
            end = time.monotonic() + 15
            while time.monotonic() < end:
                drain(reading)
                urllib.request.urlopen(address + "tracking", timeout=30).read()
                time.sleep(0.2)
            post(address, "tracking/stop")
            seen.append(figures(process))
            row.case(f"walk {number}", None if process.poll() is None else "the page ended")
        row.case("it walked", None if service.requests > 5 * WALKS else f"{service.requests} requests")
        memory, files = zip(*seen)
        print("memory in MB:", *(round(value) for value in memory), " files:", *files)
        settled = max(memory[3:6])
        row.case("memory", None if max(memory[-3:]) < settled * 1.15 + 5 else f"{memory}")
        row.case("files", None if max(files[-3:]) <= max(files[3:6]) + 2 else f"{files}")
        for connection in (reading, idle):
            connection.close()
        process.terminate()
        row.case("the end", None if process.wait(20) in (0, 143, 130) else f"{process.returncode}")


def main():
    report = Report()
    with tempfile.TemporaryDirectory() as folder, Row(report, "a day's track at max speed") as row:
        day(folder, row)
    report.finish()


main()
