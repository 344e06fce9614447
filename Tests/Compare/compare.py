"""Compares two executables: bytes, exit codes and stderr of many command lines on many GPX files, the HTML of
each screen of the page, and frames of the app.

    compare.py <old> <new> [share of the files, such as 0.1]

Prints each difference with the command that shows it, and ends with "N compared, N accepted, N differ". The
files are in .build/compare, where the commands can be run again.
"""

import contextlib
import json
import math
import os
import re
import select
import shlex
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
import tomllib
import urllib.error
import urllib.parse
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from itertools import zip_longest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
sys.path[:0] = [str(ROOT / "Tests/App")]

import commands  # noqa: E402
import walks  # noqa: E402
from terminal import Stub, Terminal  # noqa: E402

THREADS = os.cpu_count() or 2
TIMEOUT = 60
ATTEMPTS = 6
# The exit code of a run that was killed after the timeout.
NO_END = "no end"
# After more differences than this, the rest is not compared.
MOST = 1000
# Longer outputs are compared up to here, and by their size.
LARGEST = 64 << 20
# Differences with the same words are shown this often.
SHOWN = 3


def answer(path):
    """Answers as Flickr and Wikimedia Commons, with the same photos around a position each time."""
    query = dict(urllib.parse.parse_qsl(urllib.parse.urlparse(path).query))
    if not query:
        # Wikipedia has no article.
        return 404, {"type": "not_found"}
    if "ggscoord" in query:
        latitude, longitude = map(float, query["ggscoord"].split("|"))
    else:
        latitude, longitude = float(query["lat"]), float(query["lon"])
    spots = [
        (number, latitude + 0.0004 * number * math.cos(number), longitude + 0.0006 * number * math.sin(number))
        for number in range(12)]
    cell = f"{latitude:.4f}{longitude:.4f}".replace(".", "").replace("-", "9")
    if "ggscoord" not in query:
        return 200, {"stat": "ok", "photos": {"page": 1, "pages": 1, "perpage": 250, "total": "12", "photo": [
            {"id": f"{cell}{number}", "owner": "1@N06", "secret": "5ec", "server": "4843", "farm": 5,
             "title": f"Photo {number}", "ownername": "Änne", "license": "4", "latitude": str(lat),
             "longitude": str(lon), "accuracy": "16"} for number, lat, lon in spots]}}
    return 200, {"batchcomplete": True, "query": {"pages": [
        {"pageid": int(cell) * 100 + number, "ns": 6, "title": f"File:Photo {number}.jpg",
         "coordinates": [{"lat": lat, "lon": lon}],
         "imageinfo": [{
             "user": "Uploader", "mime": "image/jpeg", "width": 800, "height": 600,
             "thumburl": f"https://upload.wikimedia.org/{cell}/{number}.jpg",
             "descriptionurl": f"https://commons.wikimedia.org/wiki/{number}", "extmetadata": {
                 "LicenseShortName": {"value": "CC BY-SA 4.0"}, "Artist": {"value": "<b>Änne</b>"}}}]}
        for number, lat, lon in spots]}}


class Comparison:
    """The differences so far, and those that are accepted."""

    def __init__(self, old, new):
        self.executables = old, new
        self.accepted = tomllib.loads((Path(__file__).parent / "accepted.toml").read_text()).get("accepted", [])
        self.used = set()
        self.lock = threading.Lock()
        self.compared = self.accepted_count = self.differing = 0
        self.shown = {}

    def accepts(self, where, command, old, new):
        """Both texts with the accepted changes, and the entries that made them."""
        used, texts = set(), {"old": old, "new": new}
        for index, entry in enumerate(self.accepted):
            if re.match(entry["where"], where) and re.search(entry.get("command", ""), command):
                side = entry.get("in", "old")
                changed = re.sub(entry["old"], entry["new"], texts[side], flags=re.MULTILINE)
                if changed != texts[side]:
                    used.add(index)
                texts[side] = changed
        return texts["old"], texts["new"], used

    def compare(self, command, run):
        """Compares what `run` returns for each executable, a text for each place, and reports first differences.

        Some messages depend on which of two threads is faster, so only what differs each time counts.
        """
        for _ in range(ATTEMPTS):
            old, new = (self.texts(run, executable) for executable in self.executables)
            differing, used, accepted = [], set(), 0
            for (where, before), (_, after) in zip_longest(old, new, fillvalue=("", "")):
                if before != after:
                    before, after, entries = self.accepts(where, command, before, after)
                    used |= entries
                    accepted += before == after
                if before != after or where == "failure":
                    differing.append((where, before, after))
            if not differing or NO_END in (old[0][1], new[0][1]):
                break
        with self.lock:
            self.compared += len(old)
            self.used |= used
            self.accepted_count += accepted
            self.differing += len(differing)
            for where, before, after in differing:
                self.report(where, command, *self.first_difference(before, after))

    @staticmethod
    def texts(run, executable):
        """The texts of a run by their places, or one about its failure, which always counts as a difference."""
        try:
            return run(executable)
        except (AssertionError, OSError, subprocess.SubprocessError) as error:
            return [("failure", str(error))]

    def report(self, where, command, old, new):
        words = re.sub(r"walks/\S+", "FILE", command), where, re.sub(r"[\d.:]+", "#", old[:60])
        self.shown[words] = self.shown.get(words, 0) + 1
        if self.shown[words] <= SHOWN:
            print(f"DIFFERENT {where}: {command}\n  - {ascii(old[:300])}\n  + {ascii(new[:300])}", flush=True)
        if self.differing > MOST:
            print(f"stopped after {MOST} differences", flush=True)
            os._exit(1)

    @staticmethod
    def first_difference(old, new):
        """The first lines that differ, from shortly before the difference."""
        ours, theirs = old.split("\n") + ["(end)"], new.split("\n") + ["(end)"]
        index = next((i for i, pair in enumerate(zip(ours, theirs)) if pair[0] != pair[1]), 0)
        left, right = ours[index], theirs[index]
        start = max(0, len(os.path.commonprefix([left, right])) - 60)
        return left[start:], right[start:]

    def finish(self):
        for words, count in self.shown.items():
            if count > SHOWN:
                print(f"… and {count - SHOWN} more like this in {words[1]}: {words[0]}")
        for index, entry in enumerate(self.accepted, 1):
            if index - 1 not in self.used:
                print(f"NOT NEEDED: entry {index} of accepted.toml, {entry['reason']}")
        print(f"{self.compared} compared, {self.accepted_count} accepted, {self.differing} differ")
        return self.differing == 0


class Workplace:
    """A folder with the GPX files, in which both executables run under the same paths."""

    def __init__(self, folder, files, services):
        self.folder = folder
        (folder / "walks").symlink_to(files)
        (folder / "permissions.txt").write_text("0s not-determined\n30s authorized\n200m denied\n3min authorized\n")
        (folder / "lists.json").write_text(json.dumps(
            [{"id": n, "listId": n % 3, "name": [f"Item {n}", None, " "][n % 7 % 3]} for n in range(40)]))
        points = "".join(
            f'{{"latitude":{lat},"longitude":{lon},"time":null}}\n' for lat, lon in list(walks.line(12))[::4])
        (folder / "golden.ndjson").write_text(points)
        self.own = {path.name for path in folder.iterdir()}
        self.environment = {
            "PATH": os.environ["PATH"], "HOME": str(folder), "FAKETRACK_HOME": str(folder / "home"),
            "LC_ALL": "C.UTF-8", "NO_PROXY": "*", "SWIFT_BACKTRACE": "enable=no",
            "FAKETRACK_FLICKR_URL": services.url, "FAKETRACK_COMMONS_URL": services.url,
            "FAKETRACK_WIKIPEDIA_URL": services.url}

    def run(self, executable, command):
        """Returns the exit code, stdout, stderr, and the files that it wrote, as texts."""
        line, _, file = command.partition(" < ")
        environment = dict(self.environment)
        if "--photos flickr --" in line:
            environment["FLICKR_API_KEY"] = "k"
        if "--photos auto" in line:
            environment["FAKETRACK_COMMONS_URL"] = "http://127.0.0.1:9/"
        with contextlib.ExitStack() as stack:
            streams = [stack.enter_context(tempfile.TemporaryFile()) for _ in range(2)]
            source = stack.enter_context(open(self.folder / file if file else "/dev/null", "rb"))
            process = subprocess.Popen(
                [executable, *shlex.split(line)], cwd=self.folder, env=environment, stdin=source,
                stdout=streams[0], stderr=streams[1])
            # Popen.wait with a timeout polls, which takes longer than most runs.
            end = os.pidfd_open(process.pid)
            has_ended = select.select([end], [], [], TIMEOUT)[0]
            os.close(end)
            if not has_ended:
                process.kill()
            code = process.wait() if has_ended else NO_END
            texts = []
            for stream in streams:
                stream.seek(0)
                text = stream.read(LARGEST).decode("utf-8", "surrogateescape")
                texts.append(text + f"\n({size} bytes)" if (size := os.fstat(stream.fileno()).st_size) > LARGEST else text)
        if re.search(r"walks |walks/\S+ walks/", command):
            # Several tracks at once report their problems in any order.
            texts[1] = "\n".join(sorted(texts[1].splitlines()))
        return [("code", str(code)), ("stdout", texts[0]), ("stderr", texts[1]), ("file", self.collect())]

    def collect(self):
        """Removes all files that a run left, and returns the text of those outside the home folder."""
        texts = []
        for path in sorted(self.folder.iterdir()):
            if path.name in self.own:
                continue
            if path.name != "home":
                inner = sorted(path.rglob("*")) if path.is_dir() else [path]
                texts += [f"{p.relative_to(self.folder)}\n{p.read_bytes().decode('utf-8', 'surrogateescape')}"
                          for p in inner if p.is_file()]
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        return "\n".join(texts)


SCREENS = ["/", "/tracking", "/cities", "/cities?q=pots", "/cities/2852458", "/lists", "/about", "/tracks/1", "/nowhere"]
WALK_FILES = ["/tracking/walk.ndjson", "/tracking/walk.csv", "/tracking/walk.geojson", "/tracking/walk.gpx",
              "/tracking/credits.csv", "/tracking/walk.html"]


def pages(place, executable, file):
    """The answers of the page to requests for each screen, before and after a walk."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = subprocess.Popen(
        [executable, "serve", file, "--photos", "sample", "--speed", "max", "--port", str(port),
         "--lists", "lists.json"],
        cwd=place.folder, env=place.environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    answers = []

    def get(path, data=None):
        address = f"http://127.0.0.1:{port}"
        request = urllib.request.Request(address + path, data, {"Origin": address, "X-Faketrack": "1"})
        try:
            with urllib.request.urlopen(request, timeout=TIMEOUT) as answer:
                status, body = answer.status, answer.read()
        except urllib.error.HTTPError as error:
            status, body = error.code, error.read()
        text = f"{status}\n{body.decode('utf-8', 'surrogateescape')}".replace(f":{port}", ":PORT")
        # The name of a version of the scripts.
        return re.sub(r"/assets/\w+/", "/assets/", text)

    try:
        if not server.stdout.readline():
            raise OSError("the server has ended")
        for path in SCREENS:
            answers.append((f"page {path}", get(path)))
        if not get("/tracking/start", b"").startswith("204"):
            raise OSError("no walk can be started")
        end = time.monotonic() + TIMEOUT
        while 'data-phase="running"' in get("/tracking"):
            if time.monotonic() > end:
                break
            time.sleep(0.05)
        for path in SCREENS[:2] + WALK_FILES:
            answers.append((f"page {path} after the walk", get(path)))
    finally:
        server.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            server.wait(TIMEOUT)
        server.kill()
        server.wait()
        place.collect()
    return answers


# Addresses, and keys with a text that is on the screen after them.
FRAMES = [
    ("/", ("", "Tracks")), ("/", ("?", "Esc")), ("/cities?q=pots", ("", "13 cities")),
    ("/cities/2852458", ("", "Potsdam")), ("/lists", ("", "Item")), ("/about", ("", "? keys")),
    ("/tracking", ("", "Ready")), ("/tracking", ("", "Ready"), ("s", "Arrived")),
    ("/tracking", ("", "Ready"), ("s", "Arrived"), ("[", "walked")),
]


def cells(screen):
    """The lines of a screen with the style of each character, however a terminal writes it."""
    style, lines = (), []
    for line in screen.splitlines():
        text, shown = "", ()
        for sequence, character in re.findall(r"\x1b\[([\d;]*)m|(.)", line):
            if character:
                if style != shown and not character.isspace():
                    text, shown = text + f"<{' '.join(style)}>", style
                text += character
            elif sequence in ("", "0"):
                style = ()
            else:
                # The end of a color or a font style takes away the last one of its kind.
                kind = {"39": "3", "49": "4"}.get(sequence)
                style = tuple(s for s in style if not kind or not s.startswith(kind))
                style += () if kind else (sequence,)
        lines.append(text.rstrip())
    return "\n".join(lines)


def frames(place, executable, columns, rows, shots=FRAMES):
    """The frames of the app's screens, with their styles."""
    shown = []
    for address, *steps in shots:
        with Terminal(columns, rows, place.environment | {"FAKETRACK_HOME": str(place.folder / "home")}) as terminal:
            terminal.run(
                "app", place.folder / "walks/sample.gpx", "--photos", "sample", "--speed", "max", "--no-images",
                "--at", address, "--lists", place.folder / "lists.json", executable=executable)
            for key, text in steps:
                terminal.press(*key)
                terminal.wait_for(text)
            frame = cells(terminal.wait_until_still())
        place.collect()
        shown.append((f"frame {address} {' '.join(key for key, _ in steps)}".strip(), frame))
    return shown


def main():
    share = float(sys.argv[3]) if len(sys.argv) > 3 else 1
    work = ROOT / ".build/compare"
    shutil.rmtree(work, ignore_errors=True)
    files = work / "walks"
    files.mkdir(parents=True)
    # A build may replace the executables in the meantime.
    old, new = (shutil.copy(path, work / name) for path, name in zip(sys.argv[1:3], ("old", "new")))
    comparison = Comparison(str(old), str(new))
    walks.write(files, ROOT)
    with tempfile.TemporaryDirectory() as folder, Stub(answer) as services:
        names = sorted(path.name for path in files.iterdir())
        if share < 1:
            names = names[::round(1 / share)]
        places = []
        for number in range(THREADS):
            (path := Path(folder) / f"place-{number}").mkdir()
            places.append(Workplace(path, files, services))
        free = list(places)

        def one(command):
            place = free.pop()
            try:
                comparison.compare(command, lambda executable: place.run(executable, command))
            finally:
                free.append(place)

        with ThreadPoolExecutor(THREADS) as pool:
            list(pool.map(one, commands.lines(files, names)))
        for file in ["sample.gpx", "all-kinds.gpx", "segments-pause-8h.gpx"]:
            comparison.compare(f"serve {file}", lambda executable: pages(places[0], executable, "walks/" + file))
        for size in (120, 40), (80, 24), (40, 12):
            comparison.compare("app {}x{}".format(*size), lambda executable: frames(places[0], executable, *size))
    sys.exit(0 if comparison.finish() else 1)


if __name__ == "__main__":
    main()
