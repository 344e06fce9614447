"""Plays a walk to gpsd as a receiver would, and records what gpsd reports as GPX.

    record.py <walk.gpx> <recording.gpx> [option of faketrack replay …]

walk.gpx → faketrack --feed nmea:udp → gpsd → faketrack replay gpsd:// → recording.gpx

Needs gpsd, and faketrack on the PATH or named by the variable FAKETRACK.
"""

import contextlib
import datetime
import json
import os
import shutil
import signal
import socket
import subprocess
import sys

FAKETRACK = os.environ.get("FAKETRACK", "faketrack")
GPSD = shutil.which("gpsd") or "/usr/sbin/gpsd"


def replay(*arguments):
    return [FAKETRACK, "replay", *arguments, "--photos", "none"]


def sent(walk, *options):
    """The fixes that the receiver sends, one a second."""
    output = subprocess.run(
        replay(walk, *options, "--speed", "max", "--interval", "1", "--distance-filter", "0",
               "--no-cities", "--format", "ndjson", "--quiet"),
        check=True, stdout=subprocess.PIPE, text=True).stdout
    return [json.loads(line) for line in output.splitlines()]


def moment(text):
    return datetime.datetime.fromisoformat(text.strip().replace("Z", "+00:00"))


@contextlib.contextmanager
def running(*command, **options):
    """A process that is interrupted at the end, as by Ctrl-C."""
    with subprocess.Popen(command, text=True, **options) as process:
        try:
            yield process
        finally:
            process.send_signal(signal.SIGINT)


def free_port(kind):
    with socket.socket(type=kind) as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


def wait_for(server, port):
    while server.poll() is None:
        with contextlib.suppress(ConnectionRefusedError):
            return socket.create_connection(("127.0.0.1", port)).close()
    sys.exit("gpsd has ended")


def record(walk, recording, *options):
    last = moment(sent(walk, *options)[-1]["time"])
    source, port = free_port(socket.SOCK_DGRAM), free_port(socket.SOCK_STREAM)
    # gpsd says on stderr that there is no D-Bus, which it does not need.
    with running(
            GPSD, "-N", "-n", "-S", str(port), f"udp://127.0.0.1:{source}",
            stderr=subprocess.DEVNULL) as server:
        wait_for(server, port)
        with open(recording, "w", encoding="utf-8") as file, running(
                *replay(f"gpsd://127.0.0.1:{port}", "--distance-filter", "0", "--format", "gpx"),
                stdout=subprocess.PIPE) as recorder:
            player = subprocess.Popen(
                replay(walk, *options, "--feed", f"nmea:udp:127.0.0.1:{source}"),
                stdout=subprocess.DEVNULL)
            for line in recorder.stdout:
                file.write(line)
                time = line.partition("<time>")[2].partition("</time>")[0]
                if time and moment(time) >= last:
                    break
            player.wait()
            recorder.send_signal(signal.SIGINT)
            # What ends the document.
            file.writelines(recorder.stdout)


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    record(*sys.argv[1:])
