"""Types at random into the app, over all screens and sizes: it never crashes or hangs, and leaves the
terminal as it was.

    keys.py <faketrack>
"""

import fcntl
import functools
import json
import os
import pty
import select
import signal
import struct
import tempfile
import termios
import time

from harness import FAKETRACK, Report, Row, Service, environment, generator, track, write

RANDOM, TYPED, SUSPENDED = 1_000_000, 100_000, 500
SECONDS = 30
SIZES = [(120, 40), (80, 24), (200, 60), (60, 20), (40, 12), (20, 6), (10, 3), (3, 2), (1, 1), (500, 2), (2, 200)]
# Added to the exit code of an app that leaves the terminal in another mode.
CHANGED = 192
random = generator()

ARROWS = [f"\x1b[{key}" for key in "ABCD"] + ["\x1bOA", "\x1b[5~", "\x1b[6~", "\x1b[H", "\x1b[F", "\x1b[3~", "\x1b[Z"]
# Ctrl-C, Ctrl-\, Ctrl-Z and q end or stop the app. Ctrl-S would stop the terminal.
LEAVING = ["q", "\x03", "\x1c", "\x1a"]
CONTROLS = [chr(byte) for byte in range(32) if chr(byte) not in [*LEAVING, "\x13"]]
LETTERS = [chr(byte) for byte in range(32, 127) if chr(byte) != "q"]
TEXTS = ["é", "東京", "👩‍👩‍👧", "e\u0301", "\u202e", "\x7f", "\u0600", "\x1b[200~pasted\ntext\x1b[201~", "\x1b[I", "\x1b[O"]


def mouse():
    button = random.choice([0, 0, 0, 2, 32, 64, 65])
    return f"\x1b[<{button};{random.randrange(1, 140)};{random.randrange(1, 50)}{random.choice('Mm')}"


def random_key():
    """A key, a click, or bytes that are none."""
    chance = random.random()
    if chance < 0.0004:
        return random.choice(LEAVING).encode()
    if chance < 0.02:
        return bytes(byte for byte in random.randbytes(3) if byte >= 0x80)
    kinds = [LETTERS, LETTERS, LETTERS, ARROWS, ARROWS, CONTROLS, TEXTS, "123456", "\r\x1b\t/"]
    return mouse().encode() if chance < 0.06 else random.choice(random.choice(kinds)).encode()


def typed_keys():
    """Keys of somebody who looks for something on a screen."""
    screen = random.choice("123456")
    search = "/" + random.choice(["pots", "münch", "são p", "東", "xyzxyz", "a", ""]) + random.choice(["\r", "\x1b", "\r\r"])
    moves = "".join(random.choice(ARROWS + list("jk")) for _ in range(random.randrange(8)))
    deeds = "".join(random.choice(["f", "r", "s", " ", "+", "-", "<", ">", "[", "]", "a", "m", "n", "o", "S", "?", "w", ":", "y", "0", "i", "D", "\t", "\r", "\x1b"])
                    for _ in range(random.randrange(8)))
    parts = random.choice([[screen, moves, deeds], [screen, search, moves, deeds], [screen, moves, "\r", deeds, "\x1b"]])
    return "".join(parts).encode()


class App:
    """The app in a terminal, under a process that does what a shell does with jobs."""

    def __init__(self, arguments, env, size):
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            os._exit(self.wait_as_shell(arguments, env))
        self.resize(size)
        self.output, self.taken = b"", 0

    @staticmethod
    def wait_as_shell(arguments, env):
        time.sleep(0.01)  # The size is set.
        before = termios.tcgetattr(0)
        signal.signal(signal.SIGTTOU, signal.SIG_IGN)
        for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGTSTP):
            signal.signal(number, signal.SIG_IGN)
        job = os.fork()
        if job == 0:
            os.setpgid(0, 0)
            os.tcsetpgrp(0, os.getpid())
            for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGTSTP, signal.SIGTTOU):
                signal.signal(number, signal.SIG_DFL)
            os.execve(FAKETRACK, [FAKETRACK, *arguments], env)
        while True:
            _, status = os.waitpid(job, os.WUNTRACED)
            if os.WIFSTOPPED(status):
                if termios.tcgetattr(0) != before:
                    os.killpg(job, signal.SIGKILL)
                    return CHANGED
                os.tcsetpgrp(0, job)
                os.killpg(job, signal.SIGCONT)
                continue
            code = os.waitstatus_to_exitcode(status)
            code = code if code >= 0 else 100 - code
            return code if termios.tcgetattr(0) == before else CHANGED + code % 64

    @staticmethod
    def added(sequence, tail, new):
        """The number of sequences that end in new bytes, behind the last bytes before them."""
        return (tail + new).count(sequence) - tail.count(sequence)

    def resize(self, size):
        columns, rows = size
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def type(self, keys, times_taken=0):
        """Types until the app has taken all keys, and the screen so many times; returns its exit code if it ends
        before, or 'hangs'."""
        active = time.monotonic()
        while True:
            ended, status = os.waitpid(self.pid, os.WNOHANG)
            if ended:
                os.close(self.terminal)
                return os.waitstatus_to_exitcode(status)
            if not keys and self.taken >= times_taken:
                return None
            # Before the app has its screen, the terminal takes keys and drops them.
            is_ready = keys and self.taken
            readable, writable, _ = select.select([self.terminal], [self.terminal] if is_ready else [], [], 1)
            try:
                if readable:
                    new = os.read(self.terminal, 1 << 16)
                    # A sequence may be split.
                    tail = self.output[-7:]
                    self.taken += self.added(b"\x1b[?1049h", tail, new)
                    os.write(self.terminal, b"\x1b[0n" * self.added(b"\x1b[5n", tail, new))
                    self.output = (self.output + new)[-4_000:]
                if writable:
                    # Some keys at a time, so that the app draws in between.
                    keys = keys[os.write(self.terminal, keys[:random.randrange(1, 30)]):]
                    select.select([self.terminal], [], [], 0.002)
            except OSError:
                time.sleep(0.01)  # It is about to end.
                continue
            if readable or writable:
                active = time.monotonic()
            elif time.monotonic() - active > SECONDS:
                return "hangs"


def random_size():
    return random.choice([*SIZES, (random.randrange(501), random.randrange(101))])


def arguments(folder):
    return [
        "app", os.path.join(folder, "walk.gpx"), os.path.join(folder, "broken.gpx"), "--photos", "sample",
        "--lists", os.path.join(folder, "lists.json")]


def suspend(count, row, folder, env):
    """Suspends one app many times, between other keys and at other sizes."""
    app, stopped = App(arguments(folder), env, (120, 36)), 0
    while row.count < count:
        row.count += 1
        app.resize(random_size())
        stopped += 1
        code = app.type(random.choice(LETTERS + ARROWS).encode() + b"\x1a", times_taken=stopped + 1)
        if code is not None:
            row.problems.append(f"{code} at suspend {stopped}: {app.output[-300:]!r}")
            app, stopped = App(arguments(folder), env, (120, 36)), 0
    if app.type(b"\x1b\x1b\x1b" + b"\x03" * 4_096) == "hangs":
        row.problems.append("does not end")


def play(make_keys, count, row, folder, env):
    """Types keys into one app after the other."""
    app, last = None, b""
    while row.count < count:
        keys = [make_keys() for _ in range(50)]
        row.count += len(keys) if make_keys is random_key else sum(map(len, keys))
        if app is None:
            app = App(arguments(folder), env, random_size())
        elif random.random() < 0.05:
            app.resize(random_size())
        last = (last + b"".join(keys))[-200:]
        code = app.type(b"".join(keys))
        if code is None:
            continue
        # 130 and 131 are Ctrl-C and Ctrl-\, which also end the app by their signals.
        if code not in (0, 130, 131, 100 + signal.SIGINT, 100 + signal.SIGQUIT):
            row.problems.append(f"{code} after {last[-200:]!r}: {app.output[-300:]!r}")
            if code == "hangs":
                os.kill(app.pid, signal.SIGKILL)
                os.close(app.terminal)
                os.waitpid(app.pid, 0)
        app = None
    if app is not None and app.type(b"\x1b\x1b\x1b" + b"\x03" * 4_096) == "hangs":
        row.problems.append("does not end")


def main():
    report = Report()
    summary = json.dumps({"title": "A", "extract": "B", "content_urls": {"desktop": {"page": "https://a.example"}}}).encode()
    with Service(lambda path, query: (200, "application/json", summary)) as service:
        runs = [
            ("random keys", RANDOM, functools.partial(play, random_key)), ("typed keys", TYPED, functools.partial(play, typed_keys)),
            ("suspends", SUSPENDED, suspend)]
        for name, count, run in runs:
            with tempfile.TemporaryDirectory() as folder, Row(report, name) as row:
                write(folder, "walk.gpx", track(40))
                write(folder, "broken.gpx", "<gpx><trk>")
                write(folder, "lists.json", json.dumps([{"id": n, "listId": n % 3, "name": f"Item {n}"} for n in range(90)]))
                # Walks are saved in the folder.
                os.chdir(folder)
                home = os.path.join(folder, "home")
                run(count, row, folder, environment(home, FAKETRACK_WIKIPEDIA_URL=service.url, TERM="xterm-256color"))
                os.chdir("/")
    report.finish()


main()
