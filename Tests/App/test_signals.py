"""The app and its terminal at signals: behind a key, and while the terminal takes no output.

The environment variable ROUNDS sets the number of rounds.
"""

import os
import signal
import subprocess
import tempfile
import time
import unittest

from job import Job
from terminal import EXECUTABLE, WALK

ROUNDS = int(os.environ.get("ROUNDS", 0))
# The seconds after which a process counts as hanging.
LIMIT = 10
TAKEN = b"\x1b[?1049h"
LEFT = b"\x1b[?1049l"
# A run that has not begun ends by the signal.
EITHER = "ended 130 restored|ended -2 restored"
APP = ["app", WALK, "--photos", "none"]


class SignalTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.environment = {
            "PATH": os.environ["PATH"], "HOME": folder.name, "FAKETRACK_HOME": folder.name + "/store",
            "NO_PROXY": "*", "SWIFT_BACKTRACE": "enable=no", "LC_ALL": "C.UTF-8", "TERM": "xterm-256color"}
        self.hanging = []

    def tearDown(self):
        self.assertEqual([], self.hanging)

    def job(self, *arguments, **options):
        return Job([EXECUTABLE.absolute(), *arguments], self.environment, **options)

    def check(self, job, expected, round):
        """Waits for one of the expected reports of the shell, and notes another report or none."""
        event = job.event(LIMIT)
        if event not in expected.split("|"):
            self.hanging.append(f"round {round}: {event}")
        return event is not None

    def test_the_output_ends_with_a_whole_record_for_a_reader_that_stalls(self):
        arguments = ["replay", WALK, "--photos", "none", "--no-cities", "--distance-filter", "0", "--loop", "1000"]
        with subprocess.Popen(
                [EXECUTABLE.absolute(), *arguments, "--format", "ndjson"], env=self.environment,
                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            # The pipe is full, amid a record.
            time.sleep(1)
            process.send_signal(signal.SIGINT)
            time.sleep(0.3)
            # Room for the rest of the record.
            output = os.read(process.stdout.fileno(), 4096).decode()
            self.assertEqual(130, process.wait(LIMIT))
            output += process.stdout.read()
            self.assertTrue(output.endswith("}\n"), output[-100:])
            self.assertIn(f"\n{output.count(chr(10)):,} locations", process.stderr.read())

    def test_a_key_shows_within_two_seconds_on_a_slow_line(self):
        rate = 1_200
        job = self.job("app", WALK, "--photos", "sample", "--speed", "100", "--no-images", columns=80, rows=24, rate=rate)
        self.assertTrue(job.wait_for(b"quit"))
        job.press(b"s")
        # The walk alone would be more than the line takes.
        self.assertTrue(job.wait_for(b"\x1b[5n", count=6))
        for count in range(1, 4):
            before = len(job.output)
            # A line says what was copied; the key behind it removes the line.
            job.press(b"y")
            self.assertTrue(job.wait_for(b"Copied", count=count))
            self.assertLess(job.output.rindex(b"Copied") - before, 2 * rate)
            job.press(b"Z")
            questions = job.output.count(b"\x1b[5n")
            self.assertTrue(job.wait_for(b"\x1b[5n", count=questions + 2))
        job.press(b"q")
        self.check(job, "ended 0 restored", 1)
        job.close()

    def test_ctrl_c_behind_a_key_ends_the_app(self):
        for round in range(ROUNDS or 8):
            job = self.job(*APP)
            job.wait_for(b"quit")
            job.press(b"?", b"\x03")
            self.check(job, "ended 130 restored", round)
            job.close()

    def test_ctrl_z_behind_a_key_suspends_the_app(self):
        job = self.job(*APP)
        for round in range(ROUNDS or 16):
            self.assertTrue(job.wait_for(TAKEN), round)
            job.press(b"?", b"\x1a")
            if not self.check(job, "stopped restored", round):
                job.press(b"?")
                job.event(LIMIT)
            job.output = b""
            job.resume()
        self.assertTrue(job.wait_for(TAKEN))
        job.press(b"?", b"\x03")
        self.check(job, "ended 130 restored", "last")
        job.close()

    def test_ctrl_c_and_ctrl_z_behind_a_key_of_replay(self):
        for round in range(ROUNDS or 4):
            job = self.job("replay", WALK, "--photos", "none", "--speed", "1")
            job.wait_for_keys()
            job.press(b" ", b"\x1a")
            if not self.check(job, "stopped restored", round):
                job.press(b" ")
                job.event(LIMIT)
            job.resume()
            job.wait_for_keys()
            job.press(b" ", b"\x03")
            self.check(job, "ended 130 restored", round)
            job.close()

    def stall(self, expected, *numbers, arguments=APP, shown=b"quit", fills_first=False):
        for round in range(ROUNDS or 2):
            job = self.job(*arguments, takes_output=not fills_first)
            if fills_first:
                time.sleep(1)
            else:
                job.wait_for(shown)
                job.fill()
                job.press(b"?")
                job.resize(100, 30)
            start = time.monotonic()
            for number in numbers:
                job.signal(number)
            self.check(job, expected, round)
            self.longest = max(time.monotonic() - start, getattr(self, "longest", 0))
            if expected.startswith("stopped"):
                job.takes_output.set()
                taken = job.output.count(TAKEN)
                job.resume()
                self.assertTrue(job.wait_for(TAKEN, count=taken + 1))
                # The first key closes the help.
                job.press(b"q", b"q")
                self.check(job, "ended 0 restored", round)
            job.close()
        print(f"{self.id()}: {self.longest:.2f} s", flush=True)

    def test_sigterm_ends_the_app_on_a_stalled_terminal(self):
        self.stall("ended 143 restored", signal.SIGTERM)

    def test_sigint_ends_the_app_on_a_stalled_terminal(self):
        self.stall("ended 130 restored", signal.SIGINT)

    def test_sighup_ends_the_app_on_a_stalled_terminal(self):
        self.stall("ended -1 restored", signal.SIGHUP)

    def test_sigquit_ends_the_app_on_a_stalled_terminal(self):
        self.stall("ended -3 restored", signal.SIGQUIT)

    def test_sigtstp_suspends_the_app_on_a_stalled_terminal(self):
        self.stall("stopped restored", signal.SIGTSTP)

    def test_a_second_signal_ends_the_app_on_a_stalled_terminal(self):
        self.stall("ended 130 restored|ended 143 restored", signal.SIGINT, signal.SIGTERM)

    def test_sigterm_ends_replay_on_a_stalled_terminal(self):
        for format in "text", "ndjson", "geojson":
            replay = ["replay", WALK, "--photos", "sample", "--speed", "100", "--format", format]
            self.stall("ended 143 restored", signal.SIGTERM, arguments=replay, shown=b"%")

    def test_sigint_ends_replay_on_a_terminal_that_stalls_from_the_start(self):
        replay = ["replay", WALK, "--photos", "sample"]
        self.stall(EITHER, signal.SIGINT, arguments=replay, fills_first=True)

    def test_signals_end_serve_on_a_stalled_terminal(self):
        serve = ["serve", WALK, "--photos", "sample", "--port", "0"]
        self.stall("ended 143 restored", signal.SIGTERM, arguments=serve, shown=b"until you press")
        self.stall(EITHER, signal.SIGINT, arguments=serve, fills_first=True)


if __name__ == "__main__":
    unittest.main()
