"""Many concurrent processes: all succeed, and no reported result is lost.

    crowd.py <faketrack>
"""

import os
import tempfile

from harness import Commons, Report, Result, Row, environment, run, start, track, write

PROCESSES = 16


def together(commands, env):
    """Runs commands concurrently; returns their results."""
    processes = [start(command, env) for command in commands]
    ended = [(process.communicate(timeout=300), process.returncode) for process in processes]
    return [Result(code, output, errors) for (output, errors), code in ended]


def favorites(folder, row):
    env = environment(os.path.join(folder, "home"))
    ids = [line.split()[0] for line in run(["cities", "search", "b", "--limit", "160"], env).stdout.splitlines()]
    parts = [ids[number::PROCESSES] for number in range(PROCESSES)]
    for number, result in enumerate(together([["favorites", "add", *part] for part in parts], env)):
        row.case(number, result.fault or (result.stderr[-200:] if result.code else None))
    found = {line.split()[0] for line in run(["favorites", "list"], env).stdout.splitlines()}
    row.case("all are there", f"lost {set(ids) - found}" if found != set(ids) else None)


def imports(folder, row):
    env = environment(os.path.join(folder, "home"))
    cities = write(folder, "cities.tsv", "".join(
        f"{number}\tCity{number}\tCity\t\t{number % 80}\t{number % 170}\tP\tPPL\tDE\t\t\t\t\t\t5\t\t\t\t\n"
        for number in range(1, 5_000)))
    for number, result in enumerate(together([["cities", "import", cities]] * PROCESSES, env)):
        row.case(number, result.fault or (result.stderr[-200:] if result.code else None))
    found = run(["cities", "search", "City17", "--limit", "1"], env)
    row.case("the index is whole", found.fault or (None if found.stdout else found.stderr))
    left = [name for name in os.listdir(os.path.join(folder, "home")) if name.endswith(".part")]
    row.case("nothing else is left", f"{left}" if left else None)


def replays(folder, row):
    walk = write(folder, "walk.gpx", track(60))
    with Commons() as service:
        env = environment(os.path.join(folder, "home"), FAKETRACK_COMMONS_URL=service.url)
        replay = ["replay", walk, "--photos", "commons"]
        results = together([replay] * PROCESSES, env)
        for number, result in enumerate(results):
            row.case(number, result.fault or (
                result.stderr[-200:] if result.code else
                "prints other photos" if result.stdout != results[0].stdout else None))
        # One folder of photos is for one process at a time.
        photos = os.path.join(folder, "photos")
        results = together([[*replay, "--download", photos]] * 4, env)
        refused = [result for result in results if "another run is writing here" in result.stderr]
        row.case("downloads into one folder", None if len(refused) < 4 and all(
            result.code == (1 if result in refused else 0) for result in results)
            else f"{[(result.code, result.stderr[-200:]) for result in results]}")


def main():
    report = Report()
    for name, test in {
        f"{PROCESSES} processes add favorites": favorites, f"{PROCESSES} processes import cities": imports,
        f"{PROCESSES} processes replay": replays,
    }.items():
        with tempfile.TemporaryDirectory() as folder, Row(report, name) as row:
            test(folder, row)
    report.finish()


main()
