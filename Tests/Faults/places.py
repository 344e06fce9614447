"""Links, pipes and folders in the place of files, files of others, and a folder that another process has
locked: what a link points to is unchanged, nothing waits without end, and an error names the file.

    places.py <faketrack>
"""

import fcntl
import os
import signal
import stat
import subprocess
import tempfile
import time
import urllib.request

from harness import Commons, Report, Row, environment, run, start, track, write

# A command that waits for no service ends in this time, and an interrupt ends a command in a second.
SECONDS = 10
CITIES = "".join(
    f"{number}\tCity{number}\tCity\t\t{number % 80}\t{number % 170}\tP\tPPL\tDE\t\t\t\t\t\t5\t\t\t\t\n" for number in range(1, 50))


def contents(path):
    with open(path, errors="replace") as file:
        return file.read()


def download(folder, name, service):
    """The command that downloads photos into a new folder, and its environment."""
    walk = write(folder, "walk.gpx", track(3))
    photos = os.path.join(folder, name)
    env = environment(os.path.join(folder, "home"), FAKETRACK_COMMONS_URL=service.url)
    return photos, ["replay", walk, "--interval", "off", "--photos", "commons", "--download", photos], env


def links(folder, row):
    cities = write(folder, "cities.tsv", CITIES)
    with Commons() as service:
        photos, command, env = download(folder, "whole", service)
        run(command, env)
        names = sorted(os.listdir(photos))
        for make in (os.symlink, os.link):
            def place(path):
                victim = write(folder, f"victim-{make.__name__}-{os.path.basename(path)}", "theirs\n")
                os.makedirs(os.path.dirname(path), exist_ok=True)
                make(victim, path)
                return victim

            for name in ("cities.index", "cities.index.part"):
                home = os.path.join(folder, f"{make.__name__}-{name}")
                victim = place(os.path.join(home, name))
                result = run(["cities", "import", cities], environment(home))
                found = run(["cities", "search", "city1", "--limit", "1"], environment(home))
                row.case(f"{make.__name__} {name}", result.fault or found.fault or (
                    "overwritten" if contents(victim) != "theirs\n" else None if found.stdout else found.stderr))
            for name in [*names, *(f"{name}.part" for name in names)]:
                photos, command, env = download(folder, f"{make.__name__}-{name}", service)
                victim = place(os.path.join(photos, name))
                result = run(command, env)
                is_table = name in ("credits.csv", ".faketrack-files")
                row.case(f"{make.__name__} {name}", result.fault or (
                    "overwritten" if contents(victim) != "theirs\n"
                    else f"{result.code}, {result.stderr}" if is_table != ("error:" in result.stderr and name in result.stderr)
                    else None))
    home = os.path.join(folder, "new/home")
    run(["favorites", "add", "2852458"], environment(home))
    run(["cities", "import", cities], environment(home))
    for path in (home, *(os.path.join(home, name) for name in os.listdir(home))):
        mode = stat.S_IMODE(os.stat(path).st_mode)
        row.case(f"the mode of {path}", f"{mode:o}" if mode & 0o077 else None)


def foreign_tables(folder, row):
    with Commons() as service:
        for number, text in enumerate(["name,pay\nA,1\nB,2\n", "no line", "file,place\n", "\0" * 600]):
            photos, command, env = download(folder, f"photos{number}", service)
            table = write(photos, "credits.csv", text)
            result = run(command, env)
            others = set(os.listdir(photos)) - {"credits.csv"}
            row.case(repr(text[:20]), result.fault or (
                "changed" if contents(table) != text else f"wrote {others}" if others
                else None if result.code == 1 and "credits.csv" in result.stderr else f"{result.code}: {result.stderr}"))


def pipes(folder, row):
    walk, cities = write(folder, "walk.gpx", track(3)), write(folder, "cities.tsv", CITIES)
    makers = {"pipe": os.mkfifo, "folder": os.mkdir, "device": lambda path: os.symlink("/dev/zero", path)}
    with Commons() as service:
        for kind, make in makers.items():
            for name in ("cities.index", "faketrack.sqlite"):
                home = os.path.join(folder, f"{kind}-{name}")
                os.mkdir(home)
                make(os.path.join(home, name))
                env = environment(home, FAKETRACK_COMMONS_URL=service.url)
                for command in (
                    ["cities", "search", "pots"], ["favorites", "list"], ["favorites", "add", "2852458"],
                    ["replay", walk, "--photos", "commons"], ["about"], ["cities", "import", cities],
                ):
                    result = run(command, env, seconds=SECONDS)
                    row.case(f"{kind} {name}: {command}", result.fault or (
                        f"says only {result.stderr}" if result.code and (name not in result.stderr or "error:" not in result.stderr)
                        else None))
            log = os.path.join(folder, f"{kind}.log")
            photos, command, env = download(folder, f"{kind}-photos", service)
            if kind != "device":  # A device may be a log.
                make(log)
                result = run([*command, "--log", log], env, seconds=SECONDS)
                row.case(f"{kind} as log", result.fault or (None if result.code == 1 and log in result.stderr else result.stderr))
            os.makedirs(photos, exist_ok=True)
            make(os.path.join(photos, "credits.csv"))
            result = run(command, env, seconds=SECONDS)
            row.case(f"{kind} as table", result.fault or (None if result.code == 1 and "credits.csv" in result.stderr else result.stderr))


def interrupt(process, after=1.0):
    """Interrupts a process; returns what is wrong with its end."""
    time.sleep(after)
    if process.poll() is not None:
        return f"ended with {process.returncode}: {process.communicate()[1].decode()}"
    for number in (signal.SIGINT, signal.SIGKILL):
        began = time.monotonic()
        os.killpg(process.pid, number)
        try:
            process.communicate(timeout=SECONDS)
            break
        except subprocess.TimeoutExpired:
            pass
    seconds = time.monotonic() - began
    # To a shell, a process that the signal ends exits with 130 too.
    return None if process.returncode in (130, -signal.SIGINT) and seconds < 1 else f"ended with {process.returncode} after {seconds:.1f} s"


def interrupts(folder, row):
    pipe = os.path.join(folder, "pipe")
    os.mkfifo(pipe)
    env = environment(os.path.join(folder, "home"))
    for command in (
        ["cities", "import"], ["lists"], ["replay", "--photos", "none"], ["info"], ["replay", "--photos", "none", "--tracks-from"],
    ):
        row.case(" ".join(command), interrupt(start([*command, pipe], env)))
        writer = os.open(pipe, os.O_RDWR)
        row.case(f"{' '.join(command)}, with a writer", interrupt(start([*command, pipe], env)))
        os.close(writer)


def locked(folder, row):
    walk = write(folder, "walk.gpx", track(3))
    home = os.path.join(folder, "home")
    with Commons() as service:
        env = environment(home, FAKETRACK_COMMONS_URL=service.url)
        run(["favorites", "add", "2852458"], env)
        folder_lock = os.open(home, os.O_RDONLY)
        fcntl.flock(folder_lock, fcntl.LOCK_EX)
        for command in (["favorites", "list"], ["cities", "search", "pots"], ["about"]):
            began = time.monotonic()
            result = run(command, env)
            seconds = time.monotonic() - began
            row.case(" ".join(command), result.fault or (
                f"took {seconds:.1f} s" if seconds > 2 else None if result.code == 0 else result.stderr))
        result = run(["favorites", "add", "2950159"], env, seconds=30)
        row.case("favorites add", result.fault or (None if result.code in (0, 1) else result.stderr))
        replay = ["replay", walk, "--interval", "off", "--photos", "commons"]
        result = run(replay, env, seconds=30)
        row.case("a walk", result.fault or (None if result.code == 0 and len(result.stdout.splitlines()) == 3 else result.stderr))
        # A new folder has no store yet, which is made under the lock.
        new = os.path.join(folder, "new")
        os.mkdir(new)
        new_lock = os.open(new, os.O_RDONLY)
        fcntl.flock(new_lock, fcntl.LOCK_EX)
        row.case("interrupted", interrupt(start(["favorites", "add", "2852458"], environment(new))))
        process = start(["serve", walk, "--photos", "commons", "--port", "0"], environment(new))
        address = process.stdout.readline().decode().strip()
        for path in ("", "about", "cities?q=pots", "tracking"):
            began = time.monotonic()
            with urllib.request.urlopen(address + path, timeout=30) as answer:
                answer.read()
            seconds = time.monotonic() - began
            row.case(f"/{path}", f"took {seconds:.1f} s" if seconds > 2 else None)
        row.case("the page, interrupted", interrupt(process))
        os.close(folder_lock)
        os.close(new_lock)


def main():
    report = Report()
    for name, test in {
        "links in the place of files": links, "tables of others": foreign_tables, "pipes in the place of files": pipes,
        "interrupts at a pipe": interrupts, "a locked folder": locked,
    }.items():
        with tempfile.TemporaryDirectory() as folder, Row(report, name) as row:
            test(folder, row)
    report.finish()


main()
