"""Damages the store and an index in many ways: the damage is reported or harmless.

    damage.py <faketrack>
"""

import os
import shutil
import tempfile

from harness import Commons, Report, Row, environment, generator, run, track, write

STORES = 500
INDEXES = 2_000
random = generator()


def damaged(data):
    """The bytes of a file after an accident."""
    data = bytearray(data)
    kind = random.randrange(6)
    place = random.randrange(len(data))
    if kind == 0:  # Bits flip.
        for _ in range(random.choice([1, 1, 8, 200])):
            data[random.randrange(len(data))] ^= 1 << random.randrange(8)
    elif kind == 1:  # It is cut.
        del data[place:]
    elif kind == 2:  # A page is lost.
        page = place // 4096 * 4096
        data[page:page + 4096] = bytes(len(data[page:page + 4096]))
    elif kind == 3:  # Another page is in its place.
        page, other = place // 4096 * 4096, random.randrange(len(data)) // 4096 * 4096
        data[page:page + 4096] = data[other:other + 4096]
    elif kind == 4:  # Something else follows.
        data += random.randbytes(random.choice([1, 512, 5000]))
    else:  # A stretch is overwritten.
        data[place:place + 600] = random.randbytes(len(data[place:place + 600]))
    return bytes(data)


def stores(folder, row):
    walk = write(folder, "walk.gpx", track(12))
    with Commons() as service:
        home = os.path.join(folder, "home")
        env = environment(home, FAKETRACK_COMMONS_URL=service.url)
        run(["favorites", "add", "2852458", "2950159"], env)
        replay = ["replay", walk, "--photos", "commons"]
        whole = run(replay, env).stdout
        with open(os.path.join(home, "faketrack.sqlite"), "rb") as file:
            sound = file.read()
        for number in range(STORES):
            shutil.rmtree(home)
            broken = damaged(sound)
            write(home, "faketrack.sqlite", broken)
            listed = run(["favorites", "list"], env)
            row.case(number, listed.fault or (
                None if listed.code == 0 or "favorites" in listed.stderr else f"says only {listed.stderr}"))
            # The store never makes a walk fail.
            walked = run(replay, env)
            row.case(number, walked.fault or (
                None if walked.code == 0 and len(walked.stdout.splitlines()) == 12 else walked.stderr[-300:]))


def indexes(folder, row):
    home = os.path.join(folder, "home")
    env = environment(home)
    cities = write(folder, "cities.tsv", "".join(
        f"{number}\tCity {number}\tCity\t\t{number % 80}\t{number % 170}\tP\tPPL\tDE\t\t11\t\t\t\t5\t\t\tEurope/Berlin\t\n"
        for number in range(1, 400)))
    run(["cities", "import", cities], env)
    (name,) = [name for name in os.listdir(home) if not name.startswith("faketrack.sqlite")]
    with open(os.path.join(home, name), "rb") as file:
        sound = file.read()
    right = run(["cities", "nearest", "10", "20"], env).stdout
    for number in range(INDEXES):
        broken = damaged(sound)
        write(home, name, broken)
        found = run(["cities", "nearest", "10", "20"], env)
        wrong = found.code == 0 and found.stdout != right
        unsaid = found.code != 0 and name not in found.stderr
        row.case(number, found.fault or (
            "a wrong city" if wrong else "accepted" if found.code == 0 and broken != sound
            else f"says only {found.stderr}" if unsaid else None))


def main():
    report = Report()
    for name, test in {"a damaged store": stores, "a damaged index": indexes}.items():
        with tempfile.TemporaryDirectory() as folder, Row(report, name) as row:
            test(folder, row)
    report.finish()


main()
