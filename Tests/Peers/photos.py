"""Compares the places of own photos with those of exiftool's -geotag, which is given the offset from
UTC that faketrack has to find. exiftool makes the metadata of the pictures.

    photos.py <faketrack>

Needs exiftool (Debian: libimage-exiftool-perl).
"""

import concurrent.futures
import datetime
import json
import pathlib
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field

from report import Report

EXECUTABLE = sys.argv[1]
# A tenth of a meter; exiftool writes positions in this precision.
DEGREES = 1e-6
STEP = 30
WITH_OFFSET = "${SubSecDateTimeOriginal}"
BY_RECEIVER = "${GPSDateTime}"
KEEPS = "faketrack is right: a position in the picture is better than one found by its time"
WRITES_ZEROS = (
    "faketrack is right: a receiver without a position writes zeros, and the time gives the place")
NO_CITY = (
    "a matter of data: no city is within 500 km, so faketrack lists the picture as one whose zone is "
    "unknown")
TWICE = "a matter of choice: the local time occurs twice; faketrack takes the first one"


@dataclass
class Picture:
    name: str
    tags: dict
    # The time that exiftool is given.
    clock: str
    # Why faketrack finds another place.
    reason: str = ""


@dataclass
class Walk:
    """A track with its pictures, each with a fix every 30 s, or every `step` seconds."""

    name: str
    start: str
    position: tuple
    pictures: list
    count: int = 120
    move: tuple = (0.0004, 0)
    step: int = STEP
    # The seconds without a fix.
    gap: range = range(0)
    options: list = field(default_factory=list)
    geotag: list = field(default_factory=list)


def moment(text):
    return datetime.datetime.fromisoformat(text).replace(tzinfo=datetime.timezone.utc)


def exif(time):
    return f"{time:%Y:%m:%d %H:%M:%S}"


def hours(offset):
    sign = -1 if offset[0] == "-" else 1
    return sign * datetime.timedelta(hours=int(offset[1:3]), minutes=int(offset[4:]))


# Where the walk is, when it begins, and the offset of the local clocks 20 minutes later.
PLACES = [
    ("Berlin in summer", "2026-07-01 08:00", (52.5, 13.4), "+02:00"),
    ("Berlin in winter", "2026-12-01 08:00", (52.5, 13.4), "+01:00"),
    ("Berlin, to summer time", "2026-03-29 00:50", (52.5, 13.4), "+02:00"),
    ("Berlin, to winter time", "2026-10-25 00:50", (52.5, 13.4), "+01:00"),
    ("New York, to summer time", "2026-03-08 06:50", (40.7, -74), "-04:00"),
    ("St. John's", "2026-07-01 15:00", (47.55, -52.75), "-02:30"),
    ("Phoenix", "2026-07-01 15:00", (33.4, -112.1), "-07:00"),
    ("Honolulu, the day before", "2026-07-01 02:00", (21.3, -157.85), "-10:00"),
    ("Kiritimati, the day after", "2026-07-01 20:00", (1.95, -157.4), "+14:00"),
    ("Kathmandu", "2026-07-01 02:00", (27.7, 85.3), "+05:45"),
    ("Adelaide", "2026-01-15 02:00", (-34.9, 138.6), "+10:30"),
    ("Lord Howe", "2026-01-15 02:00", (-31.53, 159.07), "+11:00"),
]


def everywhere():
    """Pictures by four clocks at each place, in all formats."""
    forms = ["jpg", "heic", "png", "webp"]
    for number, (name, start, position, offset) in enumerate(PLACES):
        utc = moment(start) + datetime.timedelta(minutes=20, seconds=15)
        local, far = exif(utc + hours(offset)), exif(utc + hours("-03:30"))
        pictures = [
            ("zone", {"DateTimeOriginal": local}, "${DateTimeOriginal}" + offset,
             NO_CITY if name == "Lord Howe" else ""),
            ("offset", {"DateTimeOriginal": local, "OffsetTimeOriginal": offset}, WITH_OFFSET, ""),
            ("far", {"DateTimeOriginal": far, "OffsetTimeOriginal": "-03:30"}, WITH_OFFSET, ""),
            ("receiver", {
                "DateTimeOriginal": "2020:01:01 00:00:00", "GPSDateStamp": exif(utc)[:10],
                "GPSTimeStamp": exif(utc)[11:]}, BY_RECEIVER, ""),
        ]
        yield Walk(name, start, position, [
            Picture(f"{clock}.{forms[(number + index) % 4]}", tags, time, reason)
            for index, (clock, tags, time, reason) in enumerate(pictures)])


def at(time, reason="", name=None, **tags):
    """A picture at a time in Potsdam on July 1."""
    text = f"2026:07:01 {time}"
    return Picture(
        f"{name or time.replace(':', '')}.jpg", {"DateTimeOriginal": text, **tags},
        "${DateTimeOriginal}+02:00", reason)


POTSDAM = {"start": "2026-07-01 08:00", "position": (52.4, 13.06)}


def others():
    # Two fixes 50 minutes apart, and two 70 minutes apart.
    for minutes in [50, 70]:
        yield Walk(f"a gap of {minutes} min", **POTSDAM, count=240, gap=range(630, 600 + 60 * minutes),
                   pictures=[at(time) for time in (
                       "10:10:15", "10:12:00", "10:34:00", "10:39:30", "10:40:30", "10:45:00",
                       "10:59:00", "11:19:30")])
    yield Walk("the ends", **POTSDAM, pictures=[at(time) for time in (
        "09:29:59", "09:30:00", "09:59:59", "10:00:00", "10:59:30", "11:29:29", "11:29:31",
        "23:00:00")])
    position = {
        "GPSLatitude": 52.41, "GPSLatitudeRef": "N", "GPSLongitude": 13.061, "GPSLongitudeRef": "E"}
    zeros = {**position, "GPSLatitude": 0, "GPSLongitude": 0}
    digitized = at("10:20:05", name="digitized")
    digitized.tags = {"CreateDate": digitized.tags["DateTimeOriginal"]}
    digitized.clock = "${CreateDate}+02:00"
    fraction = at("10:20:05", name="fraction", SubSecTimeOriginal="75", OffsetTimeOriginal="+02:00")
    fraction.clock = WITH_OFFSET
    yield Walk("damaged and other metadata", **POTSDAM, pictures=[
        at("10:20:05", KEEPS, "position", **position), at("10:20:05", name="zeros", **zeros),
        at("10:20:05", name="offset", OffsetTimeOriginal="2 h"), digitized, fraction,
        *[at("10:20:05", name=f"orientation-{value}", **{"Orientation#": value})
          for value in range(1, 9)]])
    yield Walk("a clock that is an hour slow", **POTSDAM, pictures=[
        at(time) for time in ("09:10:00", "09:40:20", "10:20:00")],
        options=["--camera-offset", "+1h"], geotag=["-geosync=+01:00:00"])
    yield Walk("a photo of a clock", **POTSDAM, pictures=[
        at(time) for time in ("10:03:07", "10:20:00", "10:40:20")],
        options=["--camera-sync", "100307.jpg=2026-07-01T10:15:52+02:00"],
        geotag=["-geosync=+00:12:45"])
    yield Walk("through two hours of the same name", "2026-10-25 00:00", (52.4, 13.06), [
        Picture(f"{name}.jpg", {"DateTimeOriginal": "2026:10:25 02:30:00", **tags}, clock, reason)
        for name, tags, clock, reason in [
            ("first", {}, "${DateTimeOriginal}+02:00", ""),
            ("second", {}, "${DateTimeOriginal}+01:00", TWICE),
            ("told", {"OffsetTimeOriginal": "+01:00"}, WITH_OFFSET, "")]], count=240)
    # From Frankfurt to New York, with a fix every two minutes.
    flight = [
        ("departure", "10:10:00", "+02:00", False), ("arrival", "12:20:00", "-04:00", False),
        ("landed", "12:26:00", "-04:00", False), ("ocean", "08:30:00", "-03:30", True),
        ("ocean-by-home", "14:00:00", "+02:00", True)]
    yield Walk("a flight across zones", "2026-07-01 08:00", (50.03, 8.57), [
        Picture(
            f"{name}.jpg", {
                "DateTimeOriginal": f"2026:07:01 {time}",
                **({"OffsetTimeOriginal": offset} if is_known else {})},
            "${DateTimeOriginal}" + offset) for name, time, offset, is_known in flight],
        count=256, step=120, move=((40.64 - 50.03) / 255, (-73.78 - 8.57) / 255))
    yield Walk("across 180 degrees", "2026-07-01 00:00", (-16.8, 179.99), [
        Picture(f"{second}.jpg", {
            "DateTimeOriginal": f"2026:07:01 12:12:{second:02}", "OffsetTimeOriginal": "+12:00"},
            WITH_OFFSET) for second in (0, 15, 45)], move=(0, 0.0004))


def gpx(walk):
    points = []
    for number in range(walk.count):
        seconds = number * walk.step
        if seconds in walk.gap:
            continue
        time = moment(walk.start) + datetime.timedelta(seconds=seconds)
        latitude, longitude = (
            base + number * move for base, move in zip(walk.position, walk.move))
        longitude = (longitude + 180) % 360 - 180
        points.append(
            f'<trkpt lat="{latitude:.7f}" lon="{longitude:.7f}">'
            f"<time>{time:%Y-%m-%dT%H:%M:%SZ}</time></trkpt>")
    return f"<gpx><trk><trkseg>{''.join(points)}</trkseg></trk></gpx>"


def exiftool(*arguments):
    return subprocess.run(
        ["exiftool", "-q", "-q", "-n", *map(str, arguments)], stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL).stdout


def number(value, size=4):
    return value.to_bytes(size, "big")


def box(kind, *parts):
    body = b"".join(parts)
    return number(len(body) + 8) + kind + body


def heic(block):
    item = number(6) + b"Exif\0\0" + block

    def file(offset):
        info = box(b"infe", number(0x02000000), number(7, 2), bytes(2), b"Exif\0")
        places = box(
            b"iloc", bytes(4), b"\x44\0", number(1, 2), number(7, 2), bytes(2), number(1, 2),
            number(offset), number(len(item)))
        return box(b"ftyp", b"heic", bytes(4), b"mif1") + box(
            b"meta", bytes(4), box(b"iinf", bytes(4), number(1, 2), info), places)

    return file(len(file(0)) + 8) + box(b"mdat", item)


def webp(block):
    def chunk(kind, body):
        return kind + len(body).to_bytes(4, "little") + body + bytes(len(body) % 2)

    body = b"WEBP" + chunk(b"VP8L", b"\x2f\0\0\0\0") + chunk(b"EXIF", block)
    return b"RIFF" + len(body).to_bytes(4, "little") + body


def png(block):
    def chunk(kind, body):
        return number(len(body)) + kind + body + bytes(4)

    header = number(1) + number(1) + b"\x08\0\0\0\0"
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        chunk(*pair) for pair in [(b"IHDR", header), (b"eXIf", block), (b"IEND", b"")])


CONTAINERS = {".heic": heic, ".webp": webp, ".png": png}


def make(picture, folder):
    """Writes a picture, its metadata by exiftool."""
    path = folder / picture.name
    source = path.with_suffix(".jpg")
    # A scan without a picture.
    source.write_bytes(bytes.fromhex("ffd8ffda0008010100003f00ffd9"))
    exiftool(
        "-overwrite_original", *[f"-{tag}={value}" for tag, value in picture.tags.items()], source)
    if path != source:
        path.write_bytes(CONTAINERS[path.suffix](exiftool("-b", "-Exif", source)))
        source.unlink()


def place_by_exiftool(picture, folder, track, walk):
    """The place that exiftool gives a picture, `None` for no place."""
    sidecar = track.parent / f"{picture.name}.xmp"
    exiftool(
        *walk.geotag, "-geotag", track, "-tagsFromFile", folder / picture.name,
        f"-XMP:Geotime<{picture.clock}", sidecar)
    place = exiftool("-T", "-GPSLatitude", "-GPSLongitude", sidecar).decode().split("\t")
    return tuple(map(float, place)) if len(place) == 2 and "-" not in map(str.strip, place) else None


def compare(walk):
    """The picture, its place by faketrack and by exiftool, for each picture of a walk."""
    with tempfile.TemporaryDirectory() as home:
        folder, track = pathlib.Path(home, "photos"), pathlib.Path(home, "walk.gpx")
        folder.mkdir()
        track.write_text(gpx(walk))
        for picture in walk.pictures:
            make(picture, folder)
        command = [
            EXECUTABLE, "replay", track, "--photos", folder, "--format", "ndjson", "--quiet",
            *walk.options]
        output = subprocess.run(command, stdout=subprocess.PIPE, timeout=60, check=True).stdout
        visits = map(json.loads, output.splitlines())
        placed = {
            photo["id"]: (photo["latitude"], photo["longitude"])
            for visit in visits if (photo := visit.get("photo"))}
        return [
            (picture, placed.get(picture.name), place_by_exiftool(picture, folder, track, walk))
            for picture in walk.pictures]


def is_same(ours, theirs):
    if ours is None or theirs is None:
        return ours is theirs
    return all(abs(one - other) < DEGREES for one, other in zip(ours, theirs))


def main():
    report = Report()
    walks = [*everywhere(), *others()]
    count = 0
    with concurrent.futures.ThreadPoolExecutor() as pool:
        for walk, results in zip(walks, pool.map(compare, walks)):
            for picture, ours, theirs in results:
                count += 1
                same = is_same(ours, theirs)
                detail = "" if same else f"faketrack {ours}, exiftool {theirs}; {picture.reason}"
                # An explained difference has to occur.
                report.check(
                    f"{walk.name}, {picture.name}", same != bool(picture.reason), detail)
    report.check("there is much to compare", count >= 60, f"{count} pictures")
    report.finish()


main()
