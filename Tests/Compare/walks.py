"""GPX files with every kind of time, segment, route, waypoint and damage, the same ones each time."""

import gzip
import random
from datetime import datetime, timedelta, timezone

START = datetime(2026, 5, 1, 8, 0, 0, tzinfo=timezone.utc)
LATITUDE, LONGITUDE = 52.4, 13.05
# Degrees of about 10 m.
NORTH, EAST = 0.00009, 0.000147


def text_of(moment):
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def times(offsets):
    """The times of points, by their seconds from the start; None has no time, a text is used as it is."""
    return [o if o is None or isinstance(o, str) else text_of(START + timedelta(seconds=o)) for o in offsets]


def point(latitude, longitude, time=None, elevation=None, name="trkpt", more=""):
    inner = f"<ele>{elevation}</ele>" if elevation is not None else ""
    inner += f"<time>{time}</time>" if time is not None else ""
    return f'<{name} lat="{latitude}" lon="{longitude}">{inner}{more}</{name}>\n'


def line(count, step=2, start=(LATITUDE, LONGITUDE), turn=0.0):
    """Positions, each `step` times 10 m from the one before."""
    latitude, longitude = start
    for number in range(count):
        yield round(latitude, 7), round(longitude, 7)
        bend = turn * number
        latitude += NORTH * step * (0.6 - bend)
        longitude += EAST * step * (0.8 + bend)


def segment(offsets, positions=None, elevations=None):
    positions = list(positions or line(len(offsets)))
    elevations = elevations or [30 + number % 9 for number in range(len(offsets))]
    points = zip(positions, times(offsets), elevations)
    return "<trkseg>\n" + "".join(point(*place, time, height) for place, time, height in points) + "</trkseg>\n"


def track(*segments, name="A walk"):
    return f"<trk><name>{name}</name>\n{''.join(segments)}</trk>\n"


def gpx(*parts, attributes='version="1.1" creator="test" xmlns="http://www.topografix.com/GPX/1/1"'):
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<gpx {attributes}>\n{"".join(parts)}</gpx>\n'


def regular(count, every=15, start=0):
    return [start + every * number for number in range(count)]


def changed(offsets, changes):
    """Offsets with other values at some indices."""
    return [changes.get(index, offset) for index, offset in enumerate(offsets)]


def time_kinds(count):
    """Offsets of `count` points, by name."""
    base, middle = regular(count), count // 2
    run = {middle + number: base[middle + number] for number in range(4)}
    yield "regular", base
    yield "none", [None] * count
    yield "every-second", regular(count, 1)
    yield "fractions", [text_of(START + timedelta(seconds=o))[:-1] + f".{o % 10}25Z" for o in base]
    yield "offset", [text_of(START + timedelta(seconds=o))[:-1] + "+02:00" for o in base]
    yield "no-zone", [text_of(START + timedelta(seconds=o))[:-1] for o in base]
    yield "space", [text_of(START + timedelta(seconds=o)).replace("T", " ") for o in base]
    yield "words", ["yesterday"] * count
    yield "all-equal", [0] * count
    yield "pairs-equal", [offset // 30 * 30 for offset in base]
    yield "all-1970", ["1970-01-01T00:00:00Z"] * count
    yield "descending", base[::-1]
    yield "jitter-5s", changed(base, {middle: base[middle] - 20})
    yield "back-for-good", base[:middle] + [offset - 1800 for offset in base[middle:]]
    yield "day-ahead", changed(base, {middle: base[middle] + 86400})
    yield "day-behind", changed(base, {middle: base[middle] - 86400})
    yield "year-ahead", changed(base, {middle: text_of(START + timedelta(days=400))})
    yield "rollover", changed(base, {middle: text_of(START - timedelta(weeks=1024))})
    yield "rollover-first", changed(base, {0: text_of(START - timedelta(weeks=1024))})
    yield "run-behind", changed(base, {index: offset - 7200 for index, offset in run.items()})
    yield "run-ahead", changed(base, {index: offset + 7200 for index, offset in run.items()})
    yield "some-missing", changed(base, {index: None for index in range(0, count, 3)})
    yield "first-missing", changed(base, {0: None, 1: None})
    yield "last-missing", changed(base, {count - 1: None, count - 2: None})
    yield "only-first", [0] + [None] * (count - 1)
    yield "pause-20min", base[:middle] + [offset + 1200 for offset in base[middle:]]
    yield "pause-8h", base[:middle] + [offset + 8 * 3600 for offset in base[middle:]]
    yield "empty", changed(base, {middle: ""})


def by_time():
    for count, step in (12, 2), (40, 3), (25, 30):
        for name, offsets in time_kinds(count):
            yield f"time-{name}-{count}", gpx(track(segment(offsets, line(count, step, turn=0.01))))
    for name, offsets in time_kinds(20):
        halves = segment(offsets[:10], line(10)), segment(offsets[10:], line(10, start=(52.41, 13.07)))
        yield f"segments-{name}", gpx(track(*halves))


def by_shape():
    base = regular(15)
    plain = segment(base)
    route = "<rte><name>R</name>" + "".join(point(*p, name="rtept") for p in line(8, 20)) + "</rte>\n"
    waypoints = "".join(
        point(*place, time, name="wpt", more=f"<name>W{index}</name>")
        for index, (place, time) in enumerate(zip(line(6, 40), times(regular(6, 300)))))
    far = [*line(5), *line(10, start=(48.85, 2.35))]
    yield "plain", gpx(track(plain))
    yield "route", gpx(route)
    yield "waypoints", gpx(waypoints)
    yield "route-and-waypoints", gpx(waypoints, route)
    yield "all-kinds", gpx(waypoints, route, track(plain))
    yield "two-tracks", gpx(track(plain, name="One"), track(segment(regular(9, 20, 900)), name="Two"))
    yield "tracks-out-of-order", gpx(track(segment(regular(9, 20, 9000))), track(plain))
    yield "unnamed", gpx(f"<trk>{plain}</trk>")
    yield "empty-track", gpx("<trk></trk>", track(plain))
    yield "empty-segments", gpx(track("<trkseg></trkseg>", plain, "<trkseg/>"))
    yield "nothing", gpx()
    yield "one-point", gpx(track(segment([0])))
    yield "two-points", gpx(track(segment([0, 600], line(2, 60))))
    yield "standing", gpx(track(segment(base, [(52.4, 13.05)] * 15)))
    yield "there-and-back", gpx(track(segment(base, [*line(8), *list(line(7))[::-1]])))
    yield "circle", gpx(track(segment(base, list(line(5)) * 3)))
    yield "antimeridian", gpx(track(segment(base, line(15, 30, start=(-17.0, 179.99)))))
    yield "pole", gpx(track(segment(base, [(89.9999, lon) for lon in range(-170, 171, 23)][:15])))
    yield "zero", gpx(track(segment(base, changed(list(line(15)), {7: (0, 0)}))))
    yield "outlier", gpx(track(segment(base, changed(list(line(15)), {7: (53.4, 13.05)}))))
    yield "jump", gpx(track(segment(base, far)))
    yield "jump-without-times", gpx(track(segment([None] * 15, far)))
    yield "gap-of-2km", gpx(track(segment(base, [*line(7), *line(8, start=(52.42, 13.07))])))
    yield "sea", gpx(track(segment(base, line(15, 30, start=(30.0, -40.0)))))
    yield "city", gpx(track(segment(base, line(15, 30, start=(48.85, 2.33)))))
    yield "precise", gpx(track(segment(base, [(52.4 + i * 1e-9, 13.05 + i * 1e-9) for i in range(15)])))
    yield "version-1.0", gpx(
        track(plain.replace("</ele>", "</ele><course>77</course><speed>1.5</speed>")),
        attributes='version="1.0" creator="old" xmlns="http://www.topografix.com/GPX/1/0"')
    yield "extensions", gpx(track(plain.replace(
        "</time>", "</time><extensions><x:TrackPointExtension><x:hr>99</x:hr></x:TrackPointExtension></extensions>")))
    yield "long-name", gpx(track(plain, name="N" * 5000))
    yield "hostile-name", gpx(track(plain, name="&#x1B;]0;x&lt;script&gt; &#x202E;&quot;,\n2"))
    yield "metadata", gpx("<metadata><name>File</name><bounds/></metadata>", track(plain))
    heights = {
        "none": [None] * 15, "empty": [""] * 15, "nan": ["NaN"] * 15, "comma": ["35,5"] * 15,
        "huge": ["1e300"] * 15, "below": [-3] * 15, "some": [None, 40, None] * 5, "climb": list(range(0, 300, 20)),
        "noise": [40 + number % 2 for number in range(15)], "units": ["35 m"] * 15}
    for name, values in heights.items():
        yield f"elevation-{name}", gpx(track(segment(base, elevations=values)))


def by_position():
    bad = {
        "missing": "", "empty": 'lat="" lon="13"', "word": 'lat="undefined" lon="13"', "nan": 'lat="NaN" lon="13"',
        "comma": 'lat="52,4" lon="13,1"', "north": 'lat="91" lon="13"', "east": 'lat="52" lon="181"',
        "just-east": 'lat="52.4" lon="-180.096"', "infinite": 'lat="inf" lon="13"', "hex": 'lat="0x34" lon="13"',
        "exponent": 'lat="5.24e1" lon="1.305e1"', "huge": 'lat="1e400" lon="13"', "spaces": 'lat=" 52.4 " lon=" 13.05"',
        "plus": 'lat="+52.4" lon="+13.05"', "letter": 'lat="52.4N" lon="13.05E"', "only-lat": 'lat="52.4"'}
    for name, attributes in bad.items():
        whole = segment(regular(15)).splitlines(keepends=True)
        whole[8] = f"<trkpt {attributes}><ele>3</ele></trkpt>\n"
        yield f"position-{name}", gpx(track("".join(whole)))
        every = "".join(f"<trkpt {attributes}/>\n" for _ in range(3))
        yield f"positions-{name}", gpx(track(f"<trkseg>{every}</trkseg>"))


def by_damage():
    whole = gpx(track(segment(regular(20)), segment(regular(10, 15, 900))))
    data = whole.encode()
    for share in range(1, 20):
        yield f"cut-{share:02}", data[:len(data) * share // 20]
    yield "no-bytes", b""
    yield "spaces", b"  \n"
    yield "html", b"<!DOCTYPE html><html><body>Sign in</body></html>"
    yield "jpeg", b"\xff\xd8\xff\xe0\0\x10JFIF" + bytes(range(256))
    yield "kml", b'<kml xmlns="http://www.opengis.net/kml/2.2"><Document/></kml>'
    yield "json", b'{"type":"FeatureCollection","features":[]}'
    yield "garbage-after", data + b"\0\0\0"
    yield "text-after", data + b"end"
    yield "twice", data + data
    yield "mark", b"\xef\xbb\xbf" + data
    yield "utf-16", whole.replace("UTF-8", "UTF-16").encode("utf-16")
    yield "latin-1", whole.replace("UTF-8", "ISO-8859-1").replace("A walk", "Köln").encode("latin-1")
    yield "not-utf-8", whole.replace("A walk", "K\udcf6ln").encode("utf-8", "surrogateescape")
    yield "stray-byte", data.replace(b"<trkseg>", b"\xa0<trkseg>", 1)
    yield "entities", whole.replace("<gpx", '<!DOCTYPE gpx [<!ENTITY a "b">]>\n<gpx', 1).encode()
    yield "prefix", whole.replace("<gpx", "<g:gpx", 1).replace("</gpx", "</g:gpx").replace(
        "xmlns=", "xmlns:g=").encode()
    yield "unknown-prefix", data.replace(b"<time>", b"<a:time>", 1).replace(b"</time>", b"</a:time>", 1)
    yield "not-closed", data.replace(b"</trkseg>", b"", 1)
    yield "crossed", data.replace(b"</trkpt>", b"</trk>", 1)
    yield "comments", data.replace(b"<trkpt", b"<!-- here --><trkpt")
    yield "cdata", data.replace(b"A walk", b"<![CDATA[A <walk>]]>")
    yield "carriage-returns", data.replace(b"\n", b"\r\n")
    yield "one-line", data.replace(b"\n", b"")
    yield "gzip", gzip.compress(data, mtime=0)
    yield "gzip-cut", gzip.compress(data, mtime=0)[:200]
    yield "gzip-twice", gzip.compress(gzip.compress(data, mtime=0), mtime=0)
    yield "zip", b"PK\x03\x04" + bytes(60)
    yield "bzip2", b"BZh91AY&SY" + bytes(60)
    yield "upper-case", data.replace(b"trkpt", b"TRKPT")
    yield "no-root", whole.split("\n", 2)[2].encode()


def by_chance(count):
    """Files with random mixtures of everything."""
    for number in range(count):
        chance = random.Random(number)
        kinds = dict(time_kinds(20))
        segments = []
        for _ in range(chance.randint(1, 4)):
            name = chance.choice(list(kinds))
            begin = (LATITUDE + chance.uniform(-0.05, 0.05), LONGITUDE + chance.uniform(-0.05, 0.05))
            size = chance.randint(1, 20)
            places = line(size, chance.choice([0.2, 1, 3, 20]), begin, chance.uniform(-0.05, 0.05))
            segments.append(segment(kinds[name][:size], places))
        data = gpx(track(*segments)).encode()
        if chance.random() < 0.3:
            at = chance.randrange(len(data))
            data = data[:at] + bytes([chance.randrange(256)]) + data[at + 1:]
        yield f"chance-{number:02}", data


def files(tree):
    """All files as (name, bytes); `tree` is the repository, whose own files come first."""
    yield "sample.gpx", (tree / "faketrack.gpx").read_bytes()
    yield "upgrade.gpx", (tree / "Tests/EndToEndTests/Upgrade/walk.gpx").read_bytes()
    for path in sorted((tree / "Fuzz/corpus/gpx").glob("*"))[::4]:
        yield f"fuzz-{path.name[:12]}.gpx", path.read_bytes()
    for make in by_time, by_shape, by_position, by_damage, lambda: by_chance(40):
        for name, text in make():
            yield name + ".gpx", text if isinstance(text, bytes) else text.encode()


def write(folder, tree):
    """Writes all files to a folder."""
    for name, data in files(tree):
        (folder / name).write_bytes(data)
