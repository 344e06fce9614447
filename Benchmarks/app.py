"""Types into the app and into fzf under a pseudo-terminal, and counts what the app sends during a walk.

    app.py <faketrack> <names of cities> <seconds of the walk>
"""

import fcntl
import os
import pty
import select
import statistics
import struct
import sys
import termios
import time

from figures import record

WORDS = ["potsdam", "berlin", "san fran", "new", "los ang", "paris", "tokyo", "x"]
# After this many seconds without a byte, the output of a key is complete.
QUIET = 0.15


class Terminal:
    def __init__(self, arguments, columns=120, rows=40, stdin=None):
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            if stdin:
                os.dup2(os.open(stdin, os.O_RDONLY), 0)
            os.execvpe(arguments[0], arguments, {**os.environ, "TERM": "xterm-256color"})
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def read(self, quiet):
        """Reads until nothing comes for a while; returns the bytes and the time of the last ones."""
        count, last = 0, time.perf_counter()
        while select.select([self.terminal], [], [], quiet)[0]:
            try:
                count += len(os.read(self.terminal, 65536))
            except OSError:
                break
            last = time.perf_counter()
        return count, last

    def count(self, seconds):
        """The bytes that come within so many seconds."""
        end, count = time.perf_counter() + seconds, 0
        while (left := end - time.perf_counter()) > 0 and select.select([self.terminal], [], [], left)[0]:
            count += len(os.read(self.terminal, 65536))
        return count

    def press(self, keys):
        """The milliseconds from the keys to the last byte of the output."""
        start = time.perf_counter()
        os.write(self.terminal, keys.encode())
        return (self.read(QUIET)[1] - start) * 1000

    def close(self, keys):
        os.write(self.terminal, keys.encode())
        self.read(0.5)
        os.close(self.terminal)
        os.waitpid(self.pid, 0)


def keys():
    return [key for word in WORDS for key in [*word, *("\x7f" for _ in word)]]


def show(name, times):
    times.sort()
    median = statistics.median(times)
    record(f"app.{name}_key", median / 1000)
    print(f"{name:12}{len(times):5} keys  median {median:6.1f} ms  19 of 20 {times[len(times) * 19 // 20]:6.1f}"
          f"  slowest {times[-1]:6.1f}")
    return median


def search(faketrack, names):
    app = Terminal([faketrack, "app", "--photos", "none", "--at", "/cities"])
    app.read(1)
    app.press("/")
    fzf = Terminal(["fzf", "--no-sort"], stdin=names)
    fzf.read(3)
    times = [(app.press(key), fzf.press(key)) for key in keys()]
    app.close("\r" + "q")
    fzf.close("\x03")
    ours = show("faketrack", [first for first, _ in times])
    theirs = show("fzf", [second for _, second in times])
    print(f"fzf / faketrack {theirs / ours:.2f}")


def walk(faketrack, seconds):
    app = Terminal([faketrack, "app", "faketrack.gpx", "--photos", "sample", "--speed", "160"])
    app.read(1)
    app.press("s")
    # Until the list is full of photos, a frame is small.
    app.count(12)
    for _ in range(4):
        app.press("<")
    rate = app.count(seconds) / seconds
    record("app.walk_rate", rate)
    print(f"a walk at ×10 sends {rate:.0f} bytes a second")
    app.close("q")


search(sys.argv[1], sys.argv[2])
walk(sys.argv[1], float(sys.argv[3]))
