"""Invalid numbers in options, files and responses: each run ends without a trap.

    absurd.py <faketrack>
"""

import json
import os
import tempfile

from harness import Report, Row, Service, environment, run, write

NUMBERS = [
    "-1", "0", "-0.0", "1e-320", "1e-9", "1e15", "1e19", "1e24", "1e30", "1e300", "1.7976931348623157e308", "1e309",
    "-1e309", "inf", "nan", "0x1p1023", "2147483648", "9223372036854775807", "9223372036854775808",
    "-9223372036854775808", "18446744073709551615", "18446744073709551616", "1" * 400, "", " ", "1,5", "1_000", "٣", "1e",
]
TIMES = [
    "9999-12-31T23:59:59Z", "0001-01-01T00:00:00Z", "0000-01-01T00:00:00Z", "-0044-03-15T00:00:00Z",
    "99999-01-01T00:00:00Z", "2026-13-45T99:99:99Z", "2026-05-01T08:00:00.999999999999Z", "2026-05-01T08:00:00+99:99",
]
FIRST = '<trkpt lat="52.4" lon="13.05"><ele>35</ele><time>2026-05-01T08:00:00Z</time></trkpt>'
LAST = '<trkpt lat="52.41" lon="13.06"><ele>36</ele><time>2026-05-01T08:20:00Z</time></trkpt>'


def gpx(*points):
    return f'<gpx version="1.1"><trk><trkseg>{"".join(points)}</trkseg></trk></gpx>'


def short(number):
    return number[:24]


class Cases:
    def __init__(self, folder, row):
        self.folder, self.row = folder, row
        self.env = environment(os.path.join(folder, "home"), FAKETRACK_WIKIPEDIA_URL="http://127.0.0.1:9")
        self.walk = write(folder, "walk.gpx", gpx(FIRST, LAST))

    def check(self, name, *arguments, stdin=b"", **more):
        result = run(arguments, {**self.env, **more}, stdin)
        self.row.case(f"{' '.join(arguments[:2])} {name}", result.fault)

    def options(self):
        replay = ["replay", self.walk, "--photos", "sample", "--to", "300m"]
        for number in NUMBERS:
            for option in ["distance-filter", "walking-speed", "interval", "radius", "seed", "concurrency",
                           "max-city-distance", "noise"]:
                self.check(short(number), *replay, f"--{option}={number}")
            self.check(f"loop {short(number)}", *replay, "--photos", "none", "--quiet", f"--loop={number[:5]}")
            for option, value in [("from", f"{number}s"), ("to", f"{number}mi"), ("outage", f"0s-{number}h")]:
                self.check(short(value), *replay[:4], f"--{option}={value}")
            for option in ["limit", "offset", "min-population"]:
                self.check(short(number), "cities", "search", "potsd", f"--{option}={number}")
            for option in ["count", "max-distance"]:
                self.check(short(number), "cities", "nearest", "52.4", "13.05", f"--{option}={number}")
            self.check(short(number), "cities", "nearest", "--", number, number)
            self.check(short(number), "cities", "nearest", "-", stdin=f"{number} {number}\n1 {number}\n".encode())
            self.check(short(number), "cities", "show", "--", number)
            self.check(short(number), "favorites", "add", "--", number)
            self.check(short(number), "favorites", "remove", "--", number)
            script = write(self.folder, "script", f"{number}s denied\n{number}km authorized\n")
            self.check(f"script {short(number)}", *replay, "--permission-script", script)
            # A documentation address, which cannot have a listener.
            self.check(short(number), "serve", f"--port={number}", "--host", "192.0.2.1")
            self.check(f"COLUMNS={short(number)}", *replay, "--format", "list", COLUMNS=number)

    def tracks(self):
        tags = ["ele", "speed", "course", "hdop", "time"]
        for number in NUMBERS:
            points = [f'<trkpt lat="{number}" lon="13.05"/>', f'<trkpt lat="52.4" lon="{number}"/>'] + [
                f'<trkpt lat="52.405" lon="13.055"><{tag}>{number}</{tag}></trkpt>' for tag in tags]
            for point in points:
                path = write(self.folder, "point.gpx", gpx(FIRST, point, LAST))
                self.check(short(point), "info", path)
                for form in ["ndjson", "nmea"]:
                    self.check(short(point), "replay", path, "--photos", "none", "--distance-filter", "0", "--format", form)
        for time in TIMES:
            point = f'<trkpt lat="52.405" lon="13.055"><time>{time}</time></trkpt>'
            path = write(self.folder, "time.gpx", gpx(FIRST, point, LAST))
            self.check(time, "info", path)
            for option in ["--interval=60", "--reverse", "--loop=3"]:
                self.check(time, "replay", path, "--photos", "none", "--format", "gpx", option)
        path = write(self.folder, "far.gpx", gpx(*(
            f'<trkpt lat="{latitude}" lon="{longitude}"><time>{time}</time></trkpt>'
            for latitude, longitude, time in [(90, 0, TIMES[1]), (-90, 180, TIMES[0]), (0, -180, TIMES[0])])))
        self.check("ten thousand years", "info", path)
        for option in ["--reverse", "--interval=1e8", "--loop=5", "--from=99999999999s", "--to=1e11s"]:
            self.check("ten thousand years", "replay", path, "--photos", "none", "--format", "csv", option)

    def answers(self):
        for number in NUMBERS + ["null", "[]", "{}", "true"]:
            bare = number.lstrip("-").replace(".", "").isdigit() or number in ("null", "[]", "{}", "true")
            value = number if bare else json.dumps(number)
            for field in ["total", "id", "latitude", "width_z", "license"]:
                photo = {"id": "1", "owner": "1@N06", "secret": "a", "server": "1", "title": "t", "latitude": "52.4",
                         "longitude": "13.05", "license": "4", "url_z": "https://live.staticflickr.com/1/1_a_z.jpg"}
                body = '{"photos":{"page":1,"pages":1,"total":%s,"photo":[%s, "%s": %s}]},"stat":"ok"}' % (
                    value if field == "total" else 1, json.dumps(photo)[:-1], field, value)
                with Service(lambda path, query: (200, "application/json", body.encode())) as service:
                    self.check(f"{field}: {short(value)}", "replay", self.walk, "--photos", "flickr", "--refresh", "--to", "10m",
                               FAKETRACK_FLICKR_URL=service.url, FLICKR_API_KEY="k")
            feed = write(self.folder, "feed.json", f'[{{"id":{value},"listId":1,"name":"a"}},{{"id":2,"listId":{value},"name":"Item"}}]')
            self.check(short(value), "lists", feed, "--sort", "natural")

    def imports(self):
        self.env["FAKETRACK_HOME"] = os.path.join(self.folder, "imported")
        good = "2\tA\tA\t\t1.5\t2.5\tP\tPPL\tDE\t\t\t\t\t\t100\t\t\tEurope/Berlin\t2020-01-01".split("\t")
        for number in NUMBERS:
            for column in [0, 4, 5, 14]:
                bad = [*good[:column], number, *good[column + 1:]]
                path = write(self.folder, "cities.tsv", "\t".join(bad) + "\n" + "\t".join(good) + "\n")
                self.check(f"column {column}: {short(number)}", "cities", "import", path)
            self.check(short(number), "cities", "nearest", "1", "2")
            path = write(self.folder, "cities.json", json.dumps([
                {"country": "DE", "name": "B", "_id": number, "coord": {"lon": number, "lat": 1}},
                {"country": "DE", "name": "A", "_id": 3, "coord": {"lon": 1, "lat": 1}}]))
            self.check(f"JSON {short(number)}", "cities", "import", path)


def main():
    report = Report()
    for part in ["options", "tracks", "answers", "imports"]:
        with tempfile.TemporaryDirectory() as folder, Row(report, f"absurd numbers in {part}") as row:
            getattr(Cases(folder, row), part)()
    report.finish()


main()
