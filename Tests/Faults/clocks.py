"""Makes the system clock jump, between and during runs: no run hangs, fails or waits longer
for it, and what was stored is used again as soon as that is right.

    clocks.py <faketrack>
"""

import os
import struct
import subprocess
import sys
import tempfile
import time

from harness import Commons, Report, Result, Row, environment, run, start, track, write

HOUR, DAY, YEAR = 3_600, 86_400, 31_556_952
JUMPS = [-10 * YEAR, -DAY, -HOUR, -30, 0, 30, 23 * HOUR, 25 * HOUR, YEAR, 50 * YEAR]


class FaultyClock:
    """A clock for the command that can be set."""

    def __init__(self, folder):
        self.library = os.path.join(folder, "clock.so")
        self.file = write(folder, "clock", bytes(8))
        source = os.path.join(os.path.dirname(__file__), "clock.c")
        subprocess.run(["cc", "-shared", "-fPIC", "-O2", "-o", self.library, source], check=True)

    def set(self, seconds):
        """Makes the clock wrong by these seconds."""
        with open(self.file, "r+b") as file:
            file.write(struct.pack("=q", seconds))

    def added(self, env):
        """An environment with this clock."""
        return {**env, "LD_PRELOAD": self.library, "FAULTY_CLOCK": self.file}


def between(folder, row, clock):
    walk = write(folder, "walk.gpx", track(20))
    with Commons() as service:
        env = clock.added(environment(os.path.join(folder, "home"), FAKETRACK_COMMONS_URL=service.url))
        replay = ["replay", walk, "--photos", "commons"]
        whole = run(replay, env).stdout
        for jump in JUMPS + JUMPS[::-1]:
            clock.set(jump)
            walked = run(replay, env)
            row.case(jump, walked.fault or (None if walked.stdout == whole else walked.stderr))
        clock.set(0)
        run(replay, env)
        before = service.requests
        run(replay, env)
        row.case("stored again", None if service.requests == before else f"{service.requests - before} calls")


def amid(folder, row, clock):
    walk = write(folder, "walk.gpx", track(40))
    # With some answers that fail, the run waits for its retries.
    with Commons(failing=lambda: service.requests % 3 == 0) as service:
        for number, jump in enumerate(JUMPS):
            home = os.path.join(folder, f"home{number}")
            clock.set(0)
            process = start(
                ["replay", walk, "--photos", "commons"],
                clock.added(environment(home, FAKETRACK_COMMONS_URL=service.url)))
            time.sleep(0.3)
            clock.set(jump)
            try:
                result = Result(0, *process.communicate(timeout=120))
                whole = process.returncode == 0 and len(result.stdout.splitlines()) == 40
                row.case(jump, None if whole else f"{process.returncode} {result.stderr[-300:]}")
            except subprocess.TimeoutExpired:
                process.kill()
                process.communicate()
                row.case(jump, "did not end")


def main():
    report = Report()
    if sys.platform != "linux":
        print("not run: jumps of the clock, which take Linux")
        report.finish()
    for name, test in {"the clock jumps between runs": between, "the clock jumps amid a run": amid}.items():
        with tempfile.TemporaryDirectory() as folder, Row(report, name) as row:
            test(folder, row, FaultyClock(folder))
    report.finish()


main()
