"""Full disks, read-only disks, and no home folder: each is reported, and no data is lost.

    disks.py <faketrack>

The disks are made in a name space of their own, which takes the rights of root.
"""

import os
import shlex
import subprocess
import sys
import tempfile

from harness import FAKETRACK, Commons, Report, Row, environment, run, track, write


def on_disk(folder, size, arguments, env, options="rw", before="true", stdout="-"):
    """Runs the command with a small disk at `folder`; `before` fills it."""
    command = " ".join(map(shlex.quote, [FAKETRACK, *arguments]))
    copy = f"{folder}.contents"
    script = f"""
        mount -t tmpfs -o size={size} none {folder}
        cp -r {copy}/. {folder}/ 2>/dev/null
        {before}
        mount -o remount,{options} {folder}
        {command} {f'> {stdout}' if stdout != '-' else ''}
        code=$?
        ls -l {folder} >&3
        exit $code"""
    reading, writing = os.pipe()
    process = subprocess.Popen(
        ["unshare", "--mount", "bash", "-c", f"exec 3>&{writing}; {script}"], env=env, pass_fds=[writing],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    os.close(writing)
    output, errors = process.communicate(timeout=300)
    with os.fdopen(reading) as listing:
        return process.returncode, output.decode(), errors.decode(), listing.read()


def full(folder, row):
    walk = write(folder, "walk.gpx", track(200))
    disk = os.path.join(folder, "disk")
    contents = f"{disk}.contents"
    os.makedirs(disk)
    env = environment(contents)
    run(["favorites", "add", "2852458"], env)
    env = environment(disk)
    fill = f"head -c 10m /dev/zero > {disk}/other 2>/dev/null"

    code, output, errors, _ = on_disk(disk, "1m", ["favorites", "list"], env, before=fill)
    row.case("favorites are read", None if code == 0 and "2852458" in output else errors)
    code, _, errors, _ = on_disk(disk, "1m", ["favorites", "add", "2950159"], env, before=fill)
    row.case("a favorite that has no room", None if code == 1 and "the disk is full" in errors else f"{code} {errors}")
    cities = write(folder, "cities.tsv", "".join(
        f"{number}\tCity{number}\tCity\t\t{number % 80}\t{number % 170}\tP\tPPL\tDE\t\t\t\t\t\t5\t\t\t\t\n"
        for number in range(1, 20_000)))
    code, _, errors, listing = on_disk(disk, "1m", ["cities", "import", cities], env)
    row.case("an import that has no room", None if code == 1 and "No space left" in errors else f"{code} {errors}")
    row.case("it leaves nothing", None if ".part" not in listing else listing)
    for form in ["ndjson", "csv", "geojson", "gpx"]:
        code, _, errors, _ = on_disk(
            disk, "64k", ["replay", walk, "--photos", "none", "--format", form], env,
            before=f"rm -rf {disk}/*; head -c 60k /dev/zero > {disk}/other", stdout=f"{disk}/out")
        row.case(f"{form} on a full disk", None if code == 1 and "No space left" in errors else f"{code} {errors}")
    with Commons() as service:
        env = environment(disk, FAKETRACK_COMMONS_URL=service.url)
        replay = ["replay", walk, "--interval", "off", "--photos", "commons"]
        code, output, errors, _ = on_disk(disk, "1m", replay, env, before=fill)
        row.case("searches that cannot be stored", None if code == 0 and len(output.splitlines()) == 200 else f"{code} {errors[-400:]}")
        warnings = [line for line in errors.splitlines() if line.startswith("warning")]
        row.case("they are said", None if 1 <= len(warnings) <= 2 and "full" in errors else errors)
        code, output, errors, listing = on_disk(disk, "300k", [*replay, "--download", f"{disk}/photos"], env)
        row.case("photos that have no room", None if code in (0, 1, 69) and "No space left" in errors else f"{code} {errors[-400:]}")
        code, _, errors, _ = on_disk(disk, "1m", [*replay, "--to", "1km", "--log", f"{disk}/log"], env, before=fill)
        row.case("a log that has no room", None if "the log in" in errors else errors)


def read_only(folder, row):
    walk = write(folder, "walk.gpx", track(20))
    disk = os.path.join(folder, "disk")
    os.makedirs(disk)
    run(["favorites", "add", "2852458"], environment(f"{disk}.contents"))
    with Commons() as service:
        env = environment(disk, FAKETRACK_COMMONS_URL=service.url)
        code, output, errors, _ = on_disk(disk, "1m", ["favorites", "list"], env, "ro")
        row.case("favorites are read", None if code == 0 and "2852458" in output else f"{code} {errors}")
        for command in (["favorites", "add", "2950159"], ["favorites", "remove", "2852458"]):
            code, _, errors, _ = on_disk(disk, "1m", command, env, "ro")
            row.case(" ".join(command), None if code == 1 and "read-only" in errors else f"{code} {errors}")
        code, output, errors, _ = on_disk(
            disk, "1m", ["replay", walk, "--interval", "off", "--photos", "commons"], env, "ro")
        row.case("a walk", None if code == 0 and len(output.splitlines()) == 20 else f"{code} {errors}")
        code, _, errors, _ = on_disk(disk, "1m", ["replay", walk, "--photos", "commons", "--download", f"{disk}/photos"], env, "ro")
        row.case("photos", None if code == 1 and "Read-only" in errors else f"{code} {errors}")


def homeless(folder, row):
    walk = write(folder, "walk.gpx", track(20))
    blocked = write(folder, "file", "")
    homes = {
        "none": {}, "empty": {"HOME": "", "FAKETRACK_HOME": "", "XDG_DATA_HOME": ""},
        "missing": {"HOME": "/nonexistent/home"}, "a file": {"FAKETRACK_HOME": blocked},
        "below a file": {"FAKETRACK_HOME": f"{blocked}/home"}, "relative": {"XDG_DATA_HOME": "data"},
        "/dev/null": {"FAKETRACK_HOME": "/dev/null"}, "/proc": {"FAKETRACK_HOME": "/proc"},
    }
    os.chdir(folder)
    with Commons() as service:
        for name, home in homes.items():
            env = {"PATH": os.environ["PATH"], "SWIFT_BACKTRACE": "enable=no", "FAKETRACK_COMMONS_URL": service.url, **home}
            walked = run(["replay", walk, "--interval", "off", "--photos", "commons"], env)
            row.case(f"{name}: a walk", walked.fault or (
                None if walked.code == 0 and len(walked.stdout.splitlines()) == 20 else walked.stderr))
            listed = run(["favorites", "list"], env)
            row.case(f"{name}: favorites", listed.fault)
            found = run(["cities", "nearest", "52.4", "13.06"], env)
            row.case(f"{name}: a city", found.fault or (None if "Potsdam" in found.stdout else found.stderr))


def main():
    report = Report()
    is_root = os.getuid() == 0
    for name, test in {"a full disk": full, "a read-only home": read_only, "no home": homeless}.items():
        if test is not homeless and not (is_root and sys.platform == "linux"):
            print(f"not run: {name}, which takes the rights of root on Linux")
            continue
        with tempfile.TemporaryDirectory() as folder, Row(report, name) as row:
            test(folder, row)
    report.finish()


main()
