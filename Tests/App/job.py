"""A foreground job on a pseudo terminal, under a process that does what a shell does with jobs."""

import contextlib
import errno
import os
import select
import signal
import struct
import subprocess
import sys
import termios
import threading
import time
from fcntl import ioctl

ACTIONS = (signal.SIGINT, signal.SIGQUIT, signal.SIGTSTP, signal.SIGTTOU)


class Job:
    """The job, the output that its terminal has taken, and what its shell reports."""

    def __init__(self, arguments, environment, columns=120, rows=40, takes_output=True, rate=None):
        """`rate` is the number of bytes that the terminal takes in a second; it answers questions for its status then."""
        self._rate = rate
        self.master, device = os.openpty()
        self._device = os.ttyname(device)
        self.resize(columns, rows)
        events, reports = os.pipe()
        orders, commands = os.pipe()
        self._events, self._orders = os.fdopen(events), os.fdopen(commands, "w")
        # A process that is started, since a fork of a process with threads may hang.
        self._shell = subprocess.Popen(
            [sys.executable, "-B", __file__, str(orders), str(reports), *map(str, arguments)], stdin=device,
            stdout=device, stderr=device, env=environment, start_new_session=True, pass_fds=[orders, reports])
        for descriptor in device, orders, reports:
            os.close(descriptor)
        self.takes_output = threading.Event()
        self.output, self._is_open = b"", True
        if takes_output:
            self.takes_output.set()
        else:
            self.fill()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        self._order("start")
        self.pid = int(self.event())

    def _order(self, text):
        print(text, file=self._orders, flush=True)

    def _read(self):
        while self._is_open:
            self.takes_output.wait()
            if select.select([self.master], [], [], 0.05)[0] and self.takes_output.is_set():
                try:
                    new = os.read(self.master, self._rate // 20 if self._rate else 1 << 16)
                    self.output += new
                    if self._rate:
                        questions = self.output.count(b"\x1b[5n") - self.output[:-len(new)].count(b"\x1b[5n")
                        os.write(self.master, b"\x1b[0n" * questions)
                        time.sleep(len(new) / self._rate)
                except OSError:
                    return

    def resize(self, columns, rows):
        ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def press(self, *keys):
        """Presses keys, each in a write without a pause."""
        for key in keys:
            os.write(self.master, key)

    def fill(self):
        """Fills the terminal, which takes no more output."""
        self.takes_output.clear()
        device = os.open(self._device, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        full = 0
        while full < 10:
            try:
                os.write(device, b".")
                full = 0
            except OSError as error:
                if error.errno != errno.EAGAIN:
                    raise
                # The terminal may still move output to its other end.
                full += 1
                time.sleep(0.01)
        os.close(device)

    def wait_for_keys(self):
        """Waits until the job reads single keys."""
        while termios.tcgetattr(self.master)[3] & termios.ICANON:
            time.sleep(0.002)

    def signal(self, number):
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, number)

    def resume(self):
        """Brings the job to the foreground."""
        self._order("fg")

    def event(self, timeout=60):
        """The next report of the shell; None without one in time."""
        ready = select.select([self._events], [], [], timeout)[0]
        return self._events.readline().strip() if ready else None

    def wait_for(self, text, count=1, timeout=60):
        """Waits until the terminal has taken a text; returns whether it came."""
        end = time.monotonic() + timeout
        while self.output.count(text) < count:
            if time.monotonic() > end:
                return False
            time.sleep(0.002)
        return True

    def close(self):
        """Ends what still runs."""
        self.signal(signal.SIGKILL)
        self._orders.close()
        self._is_open = False
        self.takes_output.set()
        self._reader.join()
        self._shell.kill()
        self._shell.wait()
        os.close(self.master)
        self._events.close()


def be_shell(orders, reports, arguments):
    """Runs the job in the foreground, continues it at each order, and reports how it stops and ends."""
    orders, reports = os.fdopen(int(orders)), os.fdopen(int(reports), "w")

    def report(*words):
        print(*words, file=reports, flush=True)

    ioctl(0, termios.TIOCSCTTY, 0)
    before = termios.tcgetattr(0)
    for number in ACTIONS:
        signal.signal(number, signal.SIG_IGN)
    orders.readline()
    job = os.fork()
    if job == 0:
        os.setpgid(0, 0)
        os.tcsetpgrp(0, os.getpid())
        for number in ACTIONS:
            signal.signal(number, signal.SIG_DFL)
        os.execv(arguments[0], arguments)
    report(job)
    while True:
        _, status = os.waitpid(job, os.WUNTRACED)
        mode = "restored" if termios.tcgetattr(0) == before else "changed"
        if not os.WIFSTOPPED(status):
            report("ended", os.waitstatus_to_exitcode(status), mode)
            orders.readline()
            return
        os.tcsetpgrp(0, os.getpgrp())
        report("stopped", mode)
        if not orders.readline():
            return
        os.tcsetpgrp(0, job)
        os.killpg(job, signal.SIGCONT)


if __name__ == "__main__":
    be_shell(sys.argv[1], sys.argv[2], sys.argv[3:])
