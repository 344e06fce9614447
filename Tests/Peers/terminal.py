"""Controls a replay by the keys of a pseudo-terminal, as a user does, and looks at the terminal's
mode afterwards.

    terminal.py <faketrack> <walk.gpx>
"""

import contextlib
import fcntl
import os
import pty
import select
import signal
import sys
import termios
import time

from report import Report

EXECUTABLE, WALK = sys.argv[1:3]


class Terminal:
    """A replay in a new session, on a separate terminal."""

    def __init__(self, *options):
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, b"\x18\0\x50\0\0\0\0\0")
        self.slave = slave
        self.before = termios.tcgetattr(slave)
        self.text = b""
        self.pid = os.fork()
        if self.pid == 0:
            os.setsid()
            fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
            for descriptor in range(3):
                os.dup2(slave, descriptor)
            environment = {**os.environ, "TERM": "xterm", "NO_COLOR": "1"}
            arguments = [EXECUTABLE, "replay", WALK, "--photos", "none", "--no-cities", *options]
            os.execve(EXECUTABLE, arguments, environment)

    def read(self, seconds):
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            if select.select([self.master], [], [], left)[0]:
                with contextlib.suppress(OSError):
                    self.text += os.read(self.master, 65536)

    def wait_for(self, text, seconds=10):
        end = time.monotonic() + seconds
        while text not in self.text and time.monotonic() < end:
            self.read(0.02)
        return text in self.text

    def press(self, keys):
        os.write(self.master, keys.encode())

    def is_raw(self):
        return not termios.tcgetattr(self.slave)[3] & (termios.ICANON | termios.ECHO)

    def is_restored(self):
        return termios.tcgetattr(self.slave) == self.before

    def becomes(self, condition, seconds=5):
        end = time.monotonic() + seconds
        while not condition() and time.monotonic() < end:
            self.read(0.02)
        return condition()

    def status(self, seconds=10):
        """The exit code, or the negative signal; None when it is still running."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            pid, status = os.waitpid(self.pid, os.WNOHANG | os.WUNTRACED)
            if pid:
                if os.WIFSTOPPED(status):
                    return "stopped"
                return os.waitstatus_to_exitcode(status)
            self.read(0.02)
        return None

    def end(self):
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)
        with contextlib.suppress(ChildProcessError):
            os.waitpid(self.pid, 0)
        os.close(self.master)
        os.close(self.slave)


@contextlib.contextmanager
def replay(*options):
    terminal = Terminal(*options)
    try:
        terminal.becomes(terminal.is_raw)
        yield terminal
    finally:
        terminal.end()


def main():
    report = Report()

    with replay("--speed", "1") as walk:
        report.check("the terminal hands over key by key", walk.is_raw())
        walk.press(" ")
        report.check("space pauses", walk.wait_for(b"paused"))
        walk.press(" >><")
        report.check("> goes to the next speed", walk.wait_for(b"speed: x2.0") and walk.wait_for(b"x5.0"))
        report.check("< goes back", walk.becomes(lambda: walk.text.count(b"speed: x2.0") == 2))
        walk.press("q")
        report.check("q ends with exit code 0", walk.status() == 0)
        walk.read(0.1)
        report.check("q ends with the summary", b"location" in walk.text.splitlines()[-1])
        report.check("q gives the terminal back", walk.is_restored())

    with replay("--speed", "1") as walk:
        walk.press(" ")
        walk.wait_for(b"paused")
        walk.press("q")
        report.check("q ends a paused walk", walk.status() == 0 and walk.is_restored())

    with replay("--speed", "1", "--format", "geojson") as walk:
        walk.press("q")
        walk.status()
        walk.read(0.1)
        report.check("q ends the document", b"]}" in walk.text)

    with replay("--speed", "1000", "--to", "10min") as walk:
        report.check("the end gives the terminal back", walk.status() == 0 and walk.is_restored())

    with replay("--speed", "1", "--from", "99h") as walk:
        report.check("an error gives the terminal back", walk.status() == 64 and walk.is_restored())

    with replay("--speed", "1") as walk:
        walk.press("\x03")
        report.check("Ctrl-C ends with 130", walk.status() == 130)
        report.check("Ctrl-C gives the terminal back", walk.is_restored())

    for name, code in [("SIGTERM", 143), ("SIGHUP", -1), ("SIGQUIT", -3)]:
        with replay("--speed", "1") as walk:
            os.kill(walk.pid, getattr(signal, name))
            report.check(f"{name} ends with {code}", walk.status() == code)
            report.check(f"{name} gives the terminal back", walk.is_restored())

    with replay("--speed", "1") as walk:
        walk.press("\x1a")
        report.check("Ctrl-Z suspends", walk.status() == "stopped")
        report.check("Ctrl-Z gives the terminal back", walk.is_restored())
        os.kill(walk.pid, signal.SIGCONT)
        report.check("fg takes it again", walk.becomes(walk.is_raw))
        walk.press(" ")
        report.check("keys work after fg", walk.wait_for(b"paused"))
        walk.press("\x1a")
        report.check("Ctrl-Z works twice", walk.status() == "stopped" and walk.is_restored())
        os.kill(walk.pid, signal.SIGCONT)
        walk.becomes(walk.is_raw)
        walk.press("q")
        report.check("q works after fg", walk.status() == 0 and walk.is_restored())

    with replay("--speed", "1", "--quiet") as walk:
        report.check("a quiet run leaves the terminal alone", walk.is_restored())

    report.finish()


main()
