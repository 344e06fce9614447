"""Types at random into the app, over all screens and sizes: it never crashes or hangs, and leaves the
terminal as it was.

    keys.py <faketrack>
"""

import fcntl
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

RANDOM, TYPED = 1_000_000, 100_000
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
        self.output, self.is_ready = b"", False

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
                os.tcsetpgrp(0, job)
                os.killpg(job, signal.SIGCONT)
                continue
            code = os.waitstatus_to_exitcode(status)
            code = code if code >= 0 else 100 - code
            return code if termios.tcgetattr(0) == before else CHANGED + code % 64

    def resize(self, size):
        columns, rows = size
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def type(self, keys):
        """Types until the app has taken all keys; returns its exit code if it ends before, or 'hangs'."""
        active = time.monotonic()
        while True:
            # Before the app has its screen, the terminal takes keys and drops them.
            self.is_ready = self.is_ready or b"\x1b[?1049h" in self.output
            ended, status = os.waitpid(self.pid, os.WNOHANG)
            if ended:
                os.close(self.terminal)
                return os.waitstatus_to_exitcode(status)
            if not keys:
                return None
            readable, writable, _ = select.select([self.terminal], [self.terminal] if self.is_ready else [], [], 1)
            try:
                if readable:
                    self.output = (self.output + os.read(self.terminal, 1 << 16))[-4_000:]
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


def play(make_keys, count, row, folder, service):
    """Types keys into one app after the other."""
    # Walks are saved in the folder.
    os.chdir(folder)
    env = environment(os.path.join(folder, "home"), FAKETRACK_WIKIPEDIA_URL=service.url, TERM="xterm-256color")
    arguments = [
        "app", os.path.join(folder, "walk.gpx"), os.path.join(folder, "broken.gpx"), "--photos", "sample",
        "--lists", os.path.join(folder, "lists.json")]
    app, last = None, b""
    while row.count < count:
        keys = [make_keys() for _ in range(50)]
        row.count += len(keys) if make_keys is random_key else sum(map(len, keys))
        if app is None:
            app = App(arguments, env, random.choice(SIZES))
        elif random.random() < 0.05:
            app.resize(random.choice(SIZES))
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
        for name, make_keys, count in [("random keys", random_key, RANDOM), ("typed keys", typed_keys, TYPED)]:
            with tempfile.TemporaryDirectory() as folder, Row(report, name) as row:
                write(folder, "walk.gpx", track(40))
                write(folder, "broken.gpx", "<gpx><trk>")
                write(folder, "lists.json", json.dumps([{"id": n, "listId": n % 3, "name": f"Item {n}"} for n in range(90)]))
                play(make_keys, count, row, folder, service)
                os.chdir("/")
    report.finish()


main()
