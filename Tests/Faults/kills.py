"""Kills the command during its work and checks the result: nothing reported as done is lost, nothing
half done is found.

    kills.py <faketrack>
"""

import glob
import os
import signal
import sqlite3
import struct
import tempfile
import time
import zlib

from harness import Commons, Report, Row, environment, generator, run, start, track, write

TIMES = 50
random = generator()


def kill_after(process, seconds):
    """Kills a process after a while; returns what it had printed on stderr."""
    time.sleep(seconds)
    os.killpg(process.pid, signal.SIGKILL)
    return process.communicate()[1].decode()


def favorites(folder, row):
    """Stars cities one after the other; those reported as added are there."""
    env = environment(os.path.join(folder, "home"))
    ids = [int(line.split()[0]) for line in run(["cities", "search", "a", "--limit", "400"], env).stdout.splitlines()]
    added = set()
    for number in range(TIMES):
        chosen = random.sample(ids, 20)
        process = start(["favorites", "add", *map(str, chosen)], env)
        text = kill_after(process, random.uniform(0.005, 0.06))
        if "added" in text:
            added.update(chosen)
        listed = run(["favorites", "list"], env)
        found = {int(line.split()[0]) for line in listed.stdout.splitlines()}
        row.case(number, listed.fault or (f"lost {added - found}" if added - found else None))


def imports(folder, row):
    """Imports one of two sets of cities; the index is always one of them, whole."""
    env = environment(os.path.join(folder, "home"))
    sets = [
        write(folder, f"{name}.tsv", "".join(
            f"{number}\t{name}{number}\t{name}\t\t{number % 80}\t{number % 170}\tP\tPPL\tDE\t\t\t\t\t\t5\t\t\t\t\n"
            for number in range(1, 20_000)))
        for name in ("one", "two")]
    run(["cities", "import", sets[0]], env)
    for number in range(TIMES):
        process = start(["cities", "import", sets[number % 2]], env)
        kill_after(process, random.uniform(0.01, 0.5))
        counts = [
            run(["cities", "search", name, "--limit", "1"], env) for name in ("one", "two")]
        found = [count.stdout != "" for count in counts]
        row.case(number, counts[0].fault or (None if sum(found) == 1 else f"cities of {found}"))
    run(["cities", "import", sets[0]], env)
    left = glob.glob(os.path.join(folder, "home", "*.part"))
    row.case("leftovers", f"left {left}" if left else None)


def searches(folder, row):
    """Searches and stores; the store stays sound, and a later run prints what a first one does."""
    walk = write(folder, "walk.gpx", track(40))
    with Commons() as service:
        env = environment(os.path.join(folder, "home"), FAKETRACK_COMMONS_URL=service.url)
        replay = ["replay", walk, "--photos", "commons"]
        whole = run(replay, environment(os.path.join(folder, "other"), FAKETRACK_COMMONS_URL=service.url)).stdout
        for number in range(TIMES):
            kill_after(start(replay, env), random.uniform(0.02, 0.4))
            database = os.path.join(folder, "home", "faketrack.sqlite")
            state = "ok"
            if os.path.exists(database):
                state = sqlite3.connect(database).execute("PRAGMA integrity_check").fetchone()[0]
            row.case(number, None if state == "ok" else state)
        last = run(replay, env)
        row.case("a whole run", last.fault or (None if last.stdout == whole else "prints other photos"))


def downloads(folder, row):
    """Downloads photos; each file with a photo's name is that photo, complete."""
    walk = write(folder, "walk.gpx", track(40))
    photos = os.path.join(folder, "photos")
    with Commons() as service:
        env = environment(os.path.join(folder, "home"), FAKETRACK_COMMONS_URL=service.url)
        replay = ["replay", walk, "--photos", "commons", "--download", photos, "--refresh"]
        images = set()
        for number in range(TIMES):
            kill_after(start(replay, env), random.uniform(0.05, 0.5))
            broken = [
                path for path in glob.glob(os.path.join(photos, "*.jpg")) if not is_whole(path)]
            images.update(glob.glob(os.path.join(photos, "*.jpg")))
            row.case(number, f"broken: {broken}" if broken else None)
        last = run(replay, env)
        lost = [path for path in images if not os.path.exists(path)]
        row.case("a whole run", last.fault or (f"lost {lost}" if lost else None))


def pages(folder, row):
    """Writes a page into a folder; what the user has there stays, and the next run completes it."""
    walk = write(folder, "walk.gpx", track(40))
    photos, page = os.path.join(folder, "pictures"), os.path.join(folder, "page")
    for number in range(30):
        write(photos, f"2026-05-01 10.{number:02}.00.png", png(number))
    env = environment(os.path.join(folder, "home"))
    replay = ["replay", walk, "--photos", photos, "--photo-times", "loose", "--format", "html", "-o", page]
    first = run(replay, env)
    mine = write(page, "photos/mine.svg", "mine")
    names = sorted(visible(os.path.join(page, "photos")))
    row.case("a whole page", first.fault or (None if first.code == 0 and len(names) > 1 else first.stderr))
    for number in range(TIMES):
        for name in random.sample(names, len(names) // 2):
            if name != "mine.svg":
                os.remove(os.path.join(page, "photos", name))
        kill_after(start(replay, env), random.uniform(0.02, 0.3))
        with open(mine) as file:
            row.case(number, None if file.read() == "mine" else "changed a file of the user")
        last = run(replay, env)
        left = sorted(visible(os.path.join(page, "photos")))
        row.case("the next run", last.fault or (
            last.stderr if last.code else None if left == names else f"{left} in place of {names}"))


def visible(folder):
    return [name for name in os.listdir(folder) if not name.startswith(".")]


def png(number):
    """A picture of one dot, in a different gray for each number."""
    def part(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    return (b"\x89PNG\r\n\x1a\n" + part(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0))
            + part(b"IDAT", zlib.compress(bytes([0, number]))) + part(b"IEND", b""))


def is_whole(path):
    with open(path, "rb") as file:
        data = file.read()
    name = data[3:].split(b".jpg", 1)[0] + b".jpg"
    return data == Commons.image(name.decode())


def main():
    report = Report()
    for name, test in {
        "kill -9 while favorites are added": favorites, "kill -9 while cities are imported": imports,
        "kill -9 while searches are stored": searches, "kill -9 while photos are downloaded": downloads,
        "kill -9 while a page is written": pages,
    }.items():
        with tempfile.TemporaryDirectory() as folder, Row(report, name) as row:
            test(folder, row)
    report.finish()


main()
