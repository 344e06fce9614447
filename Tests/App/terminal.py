"""A terminal for the tests of the app: tmux renders the output of the app like a user's terminal."""

import contextlib
import http.server
import json
import os
import select
import shlex
import subprocess
import tempfile
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
EXECUTABLE = Path(os.environ.get("FAKETRACK", ROOT / ".build/release/faketrack"))
WALK = ROOT / "faketrack.gpx"
TIMEOUT = 60


class Terminal:
    """A shell under tmux with a given size, a separate server and a separate home folder."""

    def __init__(self, columns=120, rows=40, environment=None):
        self._folder = tempfile.TemporaryDirectory()
        self.home = Path(self._folder.name)
        self._socket = str(self.home / "tmux")
        own = {
            "PATH": os.environ["PATH"], "HOME": str(self.home), "FAKETRACK_HOME": str(self.home / "store"),
            "NO_PROXY": "*", "SWIFT_BACKTRACE": "enable=no", "LC_ALL": "C.UTF-8", "PS1": "$ ",
            **(environment or {})}
        self._tmux(
            "-f", "/dev/null", "new-session", "-d", "-x", str(columns), "-y", str(rows),
            "env", "-i", *[f"{name}={value}" for name, value in own.items()], "TERM=screen-256color",
            "/bin/sh", "-i")
        self.wait_for("$")

    def _tmux(self, *arguments):
        return subprocess.run(
            ["tmux", "-S", self._socket, *arguments], check=True, capture_output=True, text=True).stdout

    def __enter__(self):
        return self

    def __exit__(self, kind, *exception):
        # They are readable once their process has ended, whether or not its parent has noticed.
        ends = []
        for process in self._processes:
            # The app may have ended since it was listed.
            with contextlib.suppress(ProcessLookupError):
                ends.append(os.pidfd_open(int(process)))
        self._tmux("kill-server")
        for end in ends:
            if kind is None and not select.select([end], [], [], TIMEOUT)[0]:
                raise AssertionError("a process stays without a terminal")
            os.close(end)
        self._folder.cleanup()

    def run(self, *arguments, log=None, executable=EXECUTABLE):
        """Types a command line with the app; its notes go to a file, if there is one."""
        line = shlex.join([str(executable), *map(str, arguments)])
        line += f" 2>> {shlex.quote(str(log))}" if log else ""
        self._tmux("send-keys", "-l", line)
        self.press("Enter")

    def press(self, *keys):
        """Presses keys by tmux's names for them, such as Enter, Escape, Down, C-c."""
        for key in keys:
            self._tmux("send-keys", key)

    def type(self, text):
        self._tmux("send-keys", "-l", text)

    def resize(self, columns, rows):
        self._tmux("resize-window", "-x", str(columns), "-y", str(rows))

    def click(self, column, row):
        """Clicks with the left button on a cell; the first one is 0, 0."""
        for end in "Mm":
            self.send(f"\x1b[<0;{column + 1};{row + 1}{end}".encode())

    @property
    def _processes(self):
        """The process that the shell runs."""
        shell = self._tmux("display-message", "-p", "#{pane_pid}").strip()
        return Path(f"/proc/{shell}/task/{shell}/children").read_text().split()

    def signal(self, *numbers):
        """Sends signals to the shell's process until it has ended."""
        process = int(self._processes[-1])
        with contextlib.suppress(ProcessLookupError):
            for number in numbers:
                os.kill(process, number)

    @property
    def is_stopped(self):
        """Whether the shell's process is suspended."""
        return Path(f"/proc/{self._processes[-1]}/stat").read_text().rsplit(") ")[-1][0] == "T"

    def write_error(self, text):
        """Writes to the stderr of the shell's process."""
        with open(f"/proc/{self._processes[-1]}/fd/2", "a") as stream:
            stream.write(text)

    @property
    def screen(self):
        """The visible text."""
        return self._tmux("capture-pane", "-p")

    def send(self, data):
        """Sends raw bytes in one write."""
        self._tmux("send-keys", "-H", *[f"{byte:02x}" for byte in data])

    def record(self):
        """Records all following terminal output in `recording`."""
        self._recording = self.home / "recording"
        self._tmux("pipe-pane", f"cat >> {shlex.quote(str(self._recording))}")

    @property
    def recording(self):
        return self._recording.read_bytes()

    @property
    def cursor_is_shown(self):
        return self._tmux("display-message", "-p", "#{cursor_flag}").strip() == "1"

    @property
    def styled_screen(self):
        """The visible text, with its style sequences."""
        return self._tmux("capture-pane", "-p", "-e")

    def wait_for(self, *texts, without=(), count=1):
        """Waits until each of the texts is on the screen at least `count` times, and none of the others; returns the screen."""
        def shown():
            screen = self.screen
            has_all = all(screen.count(text) >= count for text in texts)
            return has_all and not any(text in screen for text in without) and screen
        return self.wait(shown, lambda: f"{texts} without {without} did not come:\n{self.screen}")

    def wait_until_still(self, seconds=0.4):
        """Waits until the screen has not changed for some time, and returns it with its style sequences."""
        screen, since = self.styled_screen, time.monotonic()
        while time.monotonic() < since + seconds:
            time.sleep(0.05)
            if (newer := self.styled_screen) != screen:
                screen, since = newer, time.monotonic()
        return screen

    def wait(self, condition, failure):
        """Waits until condition() holds, and returns its value; `failure` describes the missing event."""
        end = time.monotonic() + TIMEOUT
        while not (held := condition()):
            if time.monotonic() > end:
                raise AssertionError(failure())
            time.sleep(0.02)
        return held


class Stub:
    """A service on a free port of 127.0.0.1 with responses defined by the test."""

    def __init__(self, answer):
        """`answer(path)` returns a status and a JSON value, or the bytes of a PNG."""

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                status, body = answer(self.path)
                is_image = isinstance(body, bytes)
                data = body if is_image else json.dumps(body).encode()
                self.send_response(status)
                self.send_header("Content-Type", "image/png" if is_image else "application/json")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *arguments):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/"

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *exception):
        self.server.shutdown()
        self.server.server_close()
