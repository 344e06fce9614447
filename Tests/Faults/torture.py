"""Makes the first, second, … last call of each kind fail, as SQLite and curl do in their tests: the command
ends or goes on, says what is wrong, and keeps what it said was kept. The same for power losses that drop
everything that was not synced.

    torture.py <faketrack> [part of the name of a case]…
"""

import csv
import errno
import glob
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import urllib.request

from harness import CODES, Commons, Report, Result, Row, environment, run, start, track, write

SECONDS = 30
# The calls, and the error that each ends with.
CALLS = {
    "open": errno.EIO, "read": errno.EIO, "write": errno.ENOSPC, "sync": errno.EIO, "rename": errno.EACCES,
    "malloc": errno.ENOMEM, "thread": errno.EAGAIN, "power": 0,
}
POTSDAM, BERLIN = "2852458", "2950159"


class Case:
    """Something the command does, in a folder of its own."""

    calls = CALLS

    def __init__(self, template):
        self.template = template

    def enter(self, folder):
        """Starts from the same files each time."""
        self.folder = folder
        shutil.copytree(self.template, folder)
        self.env = self.environment()

    def environment(self):
        return environment(self.path("home"))

    def path(self, name):
        return os.path.join(self.folder, name)

    def perform(self, env):
        return run(self.arguments(), env, seconds=SECONDS)


class AddFavorite(Case):
    """Stars a city besides another one."""

    def prepare(self):
        return run(["favorites", "add", POTSDAM], self.env)

    def arguments(self):
        return ["favorites", "add", BERLIN]

    def problem(self, result):
        listed = run(["favorites", "list"], self.env, seconds=SECONDS)
        expected = {POTSDAM, *([BERLIN] if "added" in result.stderr else [])}
        lost = expected - {line.split()[0] for line in listed.stdout.splitlines()}
        return listed.fault or (f"lost {lost}, {listed.stderr}" if lost else None)


class Import(Case):
    """Replaces the index by another one."""

    def prepare(self):
        for name in ("one", "two"):
            write(self.folder, f"{name}.tsv", "".join(
                f"{number}\t{name}{number}\t{name}\t\t{number % 80}\t{number % 170}\tP\tPPL\tDE\t\t\t\t\t\t5\t\t\t\t\n"
                for number in range(1, 2_000)))
        return run(["cities", "import", self.path("one.tsv")], self.env)

    def arguments(self):
        return ["cities", "import", self.path("two.tsv")]

    def problem(self, result):
        found = [
            name for name in ("one", "two")
            if run(["cities", "search", name, "--limit", "1"], self.env, seconds=SECONDS).stdout]
        if len(found) != 1 or result.code == 0 and found != ["two"]:
            return f"ended with {result.code} and cities of {found}"
        left = glob.glob(self.path("home/*.part")) if result.code in CODES else []
        return f"left {left}" if left else None


class Download(Case):
    """Keeps the photos of a walk."""

    def prepare(self):
        write(self.folder, "walk.gpx", track(4))

    def environment(self):
        return environment(self.path("home"), FAKETRACK_COMMONS_URL=Case.service.url)

    def arguments(self):
        return [
            "replay", self.path("walk.gpx"), "--interval", "off", "--photos", "commons", "--download", self.path("photos")]

    def problem(self, result):
        said = set(result.stdout.splitlines())
        if result.code == 0 and not said and "error" not in result.stderr and "warning" not in result.stderr:
            return f"no photos: {result.stderr}"
        kept = {path for path in glob.glob(self.path("photos/*.jpg")) if is_whole(path)}
        broken = set(glob.glob(self.path("photos/*.jpg"))) - kept
        if broken or said - kept:
            return f"broken: {broken}, lost: {said - kept}"
        # The next run goes on where this one ended.
        again = run(self.arguments(), self.env, seconds=SECONDS)
        names = {os.path.basename(path) for path in again.stdout.splitlines()}
        with open(self.path("photos/credits.csv"), newline="") as file:
            credited = {row[0] for row in csv.reader(file)}
        if again.code != 0 or len(names) != 4 or names - credited:
            return f"next run: {again.code}, {len(names)} photos, without credits: {names - credited}, {again.stderr}"
        return None


class Resume(Case):
    """Goes on with a batch that was cut off."""

    batch = ["replay", "a.gpx", "b.gpx", "c.gpx", "--interval", "off", "--photos", "none", "--no-cities", "--format", "ndjson"]

    def prepare(self):
        for name in "abc":
            write(self.folder, f"{name}.gpx", track(9))
        self.append("whole", self.batch, self.env)
        with open(self.path("whole")) as file:
            write(self.folder, "out.ndjson", "".join(file.readlines()[:14])[:-40])

    def append(self, name, arguments, env):
        with open(self.path(name), "ab") as output:
            process = start(arguments, env, stdout=output, cwd=self.folder)
            try:
                return Result(process.wait(SECONDS), b"", process.stderr.read())
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                return Result(process.wait(), b"", process.stderr.read(), timed_out=True)

    def perform(self, env):
        return self.append("out.ndjson", [*self.batch, "--resume", "out.ndjson"], env)

    def problem(self, result):
        again = self.perform(self.env)
        if again.code != 0:
            return f"the next run ended with {again.code}: {again.stderr}"
        with open(self.path("whole")) as whole, open(self.path("out.ndjson")) as output:
            wanted, records = sorted(whole), sorted(output)
        more = [line for line in records if records.count(line) > wanted.count(line)]
        lost = [line for line in wanted if line not in records]
        return f"{len(more)} records too many: {more[:1]}; {len(lost)} lost: {lost[:1]}" if more or lost else None


class Serve(Case):
    """Serves the page, and walks along a track on it."""

    calls = {name: error for name, error in CALLS.items() if name != "power"}

    def prepare(self):
        write(self.folder, "walk.gpx", track(4))

    def environment(self):
        return environment(self.path("home"), FAKETRACK_COMMONS_URL=Case.service.url)

    def perform(self, env):
        process = start(["serve", self.path("walk.gpx"), "--photos", "commons", "--port", "0"], env)
        timer = threading.Timer(SECONDS, os.killpg, (process.pid, signal.SIGKILL))
        timer.start()
        self.slow = None
        address = process.stdout.readline().decode().strip()
        for path, body in (
            ("/", None), ("/cities?q=pots", None), ("/tracking/start", b""), ("/tracking", None), ("/about", None),
        ) if address else ():
            try:
                urllib.request.urlopen(address.rstrip("/") + path, body, timeout=10).read()
            except TimeoutError:
                self.slow = f"{path} does not answer"
            except OSError:
                pass  # A request may fail.
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGINT)
        output, errors = process.communicate()
        timer.cancel()
        code = process.returncode
        return Result(0 if code == 130 else code, output, errors, timed_out=not timer.finished.is_set())

    def problem(self, result):
        return self.slow


def is_whole(path):
    with open(path, "rb") as file:
        data = file.read()
    return data == Commons.image((data[3:].split(b".jpg", 1)[0] + b".jpg").decode(errors="replace"))


def restore(folder, before):
    """Gives each file the contents of its last sync, as a power loss may do."""
    for root, _, names in os.walk(folder):
        for path in (os.path.join(root, name) for name in names):
            image = os.path.join(before, str(os.stat(path).st_ino))
            if os.path.exists(image):
                with open(image, "rb") as old, open(path, "wb") as file:
                    file.write(old.read())


def torture(case, call, error, library, row):
    """Makes the n-th call fail, from the first to the last."""
    number = 0
    while True:
        number += 1
        # Real paths, because the library compares them with the paths of open files.
        with tempfile.TemporaryDirectory() as base:
            base = os.path.realpath(base)
            case.enter(os.path.join(base, "files"))
            before, report = os.path.join(base, "before"), os.path.join(base, "report")
            os.mkdir(before)
            result = case.perform({
                **case.env, "LD_PRELOAD": library, "FAILING_CALL": f"{call} {number} {error}",
                "FAILING_FOLDER": case.folder, "FAILING_REPORT": report, "FAILING_BEFORE": before})
            if not os.path.exists(report):
                return
            if call == "power":
                restore(case.folder, before)
                fault = "did not end" if result.timed_out else None
            else:
                # The runtime traps where it gets no memory or thread; that is said.
                is_said = call in ("malloc", "thread") and "error:" in result.stderr and not result.timed_out
                fault = None if is_said else result.fault
            if not fault and result.code not in (0, -signal.SIGKILL) and "error:" not in result.stderr:
                fault = f"ended with {result.code} and says only {result.stderr!r}"
            row.case(f"{call} {number}", fault or case.problem(result))


def main():
    report = Report()
    with tempfile.TemporaryDirectory() as folder, Commons(photos=2) as service:
        folder = os.path.realpath(folder)
        Case.service = service
        library = os.path.join(folder, "failing.so")
        source = os.path.join(os.path.dirname(__file__), "failing.c")
        subprocess.run(["cc", "-shared", "-fPIC", "-O2", "-o", library, source], check=True)
        for kind in (AddFavorite, Import, Download, Resume, Serve):
            template = os.path.join(folder, kind.__name__)
            os.mkdir(template)
            case = kind(template)
            case.folder = template
            case.env = case.environment()
            case.prepare()
            for call, error in case.calls.items():
                name = f"{kind.__name__}: {call}"
                if sys.argv[2:] and not any(part in name for part in sys.argv[2:]):
                    continue
                with Row(report, name) as row:
                    torture(case, call, error, library, row)
    report.finish()


main()
