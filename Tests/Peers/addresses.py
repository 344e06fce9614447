"""Compares docs/openapi.json with the addresses of a running page, and with the routes in the code.

    addresses.py <faketrack> <walk.gpx>

Each documented answer occurs, unless it takes a server that is overloaded or broken, and each answer is
documented with its media type and its JSON.
"""

import contextlib
import http.client
import json
import pathlib
import re
import sqlite3
import subprocess
import sys
import tempfile
import urllib.parse

import jsonschema
from openapi_spec_validator import validate
from report import Report

EXECUTABLE, WALK = (str(pathlib.Path(name).resolve()) for name in sys.argv[1:3])
ROOT = pathlib.Path(__file__).resolve().parents[2]
API = json.loads((ROOT / "docs/openapi.json").read_text())
SCRIPT = {"X-Faketrack": "1"}
PROGRAM = {"Accept": "application/json"}
POTSDAM = 2852458
DRAWN = "place=Potsdam&place=52.41,13.07&by=bike"
# They take a server that is overloaded or broken.
UNSEEN = {"500", "503", "default"}


@contextlib.contextmanager
def page(folder, *options):
    """The host of a page that runs until the end of the block."""
    command = [EXECUTABLE, "serve", WALK, "--port", "0", *options]
    environment = {
        "PATH": "/usr/bin:/bin", "FAKETRACK_HOME": f"{folder}/home", "NO_PROXY": "*",
        # Ports without a listener.
        "FAKETRACK_COMMONS_URL": "http://127.0.0.1:9/", "FAKETRACK_WIKIPEDIA_URL": "http://127.0.0.1:9/"}
    process = subprocess.Popen(
        command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        yield urllib.parse.urlsplit(process.stdout.readline().strip()).netloc
    finally:
        process.terminate()
        process.wait()


def ask(host, method, address, body=None, headers={}):
    """Status, headers and body of an answer."""
    connection = http.client.HTTPConnection(host, timeout=60)
    with contextlib.closing(connection):
        own = {"Origin": f"http://{host}"} if method == "POST" else {}
        if isinstance(body, str):
            own["Content-Type"] = "application/x-www-form-urlencoded"
        connection.request(method, address, body, {**own, **headers})
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read()


def events(host, address="/tracking/events", headers={}):
    """The media type and the events, each with its name and its data, until the walk has arrived."""
    connection = http.client.HTTPConnection(host, timeout=60)
    with contextlib.closing(connection):
        connection.request("GET", address, headers=headers)
        answer = connection.getresponse()
        found, name = [], None
        while not any(name == "state" and data["phase"] == "ended" for name, data in found):
            line = answer.readline().decode()
            if line.startswith("event: "):
                name = line.removeprefix("event: ").strip()
            elif line.startswith("data: "):
                found.append((name, json.loads(line.removeprefix("data: "))))
        return answer.getheader("Content-Type"), found


def upload(text):
    head = '--b\r\nContent-Disposition: form-data; name="track"; filename="walk.gpx"\r\n\r\n'
    return f"{head}{text}\r\n--b--\r\n".encode(), {"Content-Type": "multipart/form-data; boundary=b"}


def screens():
    for address in ["/?part=tracks&refresh=1", "/?ask=start&track=1&wait=1", "/about?refresh=1&wait=1",
                    "/lists?sort=natural&refresh=1&wait=1", "/lists?part=lists",
                    "/cities?q=pots&sort=name&page=1&refresh=1&wait=1",
                    "/cities?part=results&favorites=1&country=DE", f"/cities/{POTSDAM}?part=card",
                    f"/cities/{POTSDAM}?from=/cities", "/tracks/1", "/map/cities?box=12.9,52.3,13.2,52.5",
                    "/tracking?refresh=1&wait=1", "/tracking?part=photos&photos=1",
                    "/tracking?part=profile", f"/draw?{DRAWN}", f"/draw/walk.gpx?{DRAWN}", f"/draw/walk.json?{DRAWN}",
                    *(f"/tracking/{name}" for name in [
                        "walk.ndjson", "walk.csv", "walk.geojson", "walk.gpx", "walk.html", "credits.csv"])]:
        yield "GET", address, None, {}, 200
    for address in ["/cities/1?wait=1&refresh=1", "/tracks/9", "/tracking?part=photo&photos=999999"]:
        yield "GET", address, None, {}, 404
    yield "GET", "/map/cities", None, {}, 400
    for name in ["", "/walk.gpx", "/walk.json"]:
        yield "GET", f"/draw{name}?by=sled", None, {}, 400
        if name:
            yield "GET", f"/draw{name}?place=0,0&place=91,0", None, {}, 422


def commands():
    yield "POST", "/tracking/start", "track=1", {}, 303
    yield "POST", "/tracking/stop", "", SCRIPT, 204
    for name, good, bad in [
            ("speed", "speed=1", "speed=fast"), ("start", "track=1&confirmed=1", None), ("pause", "", None),
            ("resume", "", None), ("permission", "answer=allow", "answer=maybe"),
            ("cities", "population=0", "population=-1"), ("position", "meters=500&resume=1", "meters=x")]:
        yield "POST", f"/tracking/{name}", good, SCRIPT, 204
        if name != "start":
            yield "POST", f"/tracking/{name}", good, {}, 303
        yield "POST", f"/tracking/{name}", good, PROGRAM, 200
        if bad:
            yield "POST", f"/tracking/{name}", bad, {}, 400
            yield "POST", f"/tracking/{name}", bad, PROGRAM, 400
    # The walk has begun, so starting it anew asks.
    yield "POST", "/tracking/start", "track=1", SCRIPT, 409
    yield "POST", "/draw", DRAWN, SCRIPT, 409
    yield "POST", "/tracking/start", "track=1&confirmed=1", SCRIPT, 204
    yield "POST", "/tracking/speed", "speed=max", SCRIPT, 204
    yield "POST", "/tracking/stop", "", {}, 303
    yield "POST", "/tracking/stop", "", PROGRAM, 200


def changes():
    walk = pathlib.Path(WALK).read_text()
    for headers, status in [({}, 303), (PROGRAM, 200), (SCRIPT, 204)]:
        yield "POST", "/tracking/stop", "", PROGRAM, 200
        yield "POST", "/draw", DRAWN, headers, status
    yield "POST", "/draw", "place=0,0&place=91,0", SCRIPT, 422
    yield "POST", "/draw", "by=sled", SCRIPT, 400
    yield "POST", "/units", "units=imperial", {}, 303
    yield "POST", "/units", "units=ells", {}, 400
    yield "POST", "/tracks", *upload(walk), 303
    yield "POST", "/tracks", upload(walk)[0], {**upload(walk)[1], **SCRIPT}, 204
    yield "POST", "/tracks", *upload("this is no GPX"), 422
    yield "POST", "/tracks", *upload(" " * (33 << 20)), 413
    yield "POST", "/tracks/2/remove", "", {}, 303
    yield "POST", "/tracks/x/remove", "", {}, 404
    yield "POST", f"/cities/{POTSDAM}/favorite", "favorite=1", {}, 303
    yield "POST", f"/cities/{POTSDAM}/favorite", "favorite=0&text=1&from=/cities", SCRIPT, 200
    yield "POST", "/cities/1/favorite", "favorite=1", {}, 404


def pictures(host):
    """Requests for the pictures that the page names, and for others."""
    html = ask(host, "GET", "/tracking?part=photos")[2].decode() + ask(host, "GET", "/")[2].decode()
    names = sorted(set(re.findall(r'"(/(?:photos|assets)/[^"?#]+)"', html)))
    for name in names:
        yield "GET", name, None, {}, 200
        tag = ask(host, "GET", name)[1]["ETag"]
        if tag:
            yield "GET", name, None, {"If-None-Match": tag}, 304
    for name in ["photos/sample/!", "photos/sample/sample/!", "photos/own/!", "photos/own/!/small",
                 "assets/1/x/y"]:
        yield "GET", f"/{name}", None, {}, 404


def tile_file(folder):
    """A file of map tiles that has one, of the whole world."""
    path = pathlib.Path(folder, "region.mbtiles")
    database = sqlite3.connect(path)
    with database:
        database.execute("CREATE TABLE metadata (name TEXT, value TEXT)")
        database.execute("CREATE TABLE tiles (zoom_level, tile_column, tile_row, tile_data)")
        database.execute("INSERT INTO metadata VALUES ('format', 'png')")
        database.execute("INSERT INTO tiles VALUES (0, 0, 0, ?)", [b"\x89PNG\r\n\x1a\n"])
    database.close()
    return path


def tiles(host):
    yield "GET", "/tiles/0/0/0", None, {}, 200
    yield "GET", "/tiles/0/0/0", None, {"If-None-Match": ask(host, "GET", "/tiles/0/0/0")[1]["ETag"]}, 304
    yield "GET", "/tiles/1/0/0", None, {}, 404


class Comparison:
    def __init__(self):
        self.seen = set()
        self.names = set()
        self.events = set()
        self.faults = []
        self.templates = sorted(API["paths"], key=lambda path: path.count("{"))

    def resolved(self, part):
        while "$ref" in part:
            part = API["components"][part["$ref"].split("/")[2]][part["$ref"].split("/")[3]]
        return part

    def check_json(self, schema, value, place):
        components = {"components": API["components"]}
        for error in jsonschema.Draft202012Validator({**schema, **components}).iter_errors(value):
            self.faults.append(f"{place}: {error.json_path} {error.message[:200]}")

    def walk(self, host):
        """Walks to the end, and checks the events."""
        ask(host, "POST", "/tracking/speed", "speed=max")
        ask(host, "POST", "/tracking/start", "track=1")
        last = {"Last-Event-ID": "x.0"}
        for media, found in [events(host), events(host, "/tracking/events?after=x.0", last)]:
            status = self.resolved(API["paths"]["/tracking/events"]["get"]["responses"]["200"])
            if media not in status["content"]:
                self.faults.append(f"the media type of events is {media}")
            for name, data in found:
                schema = {"state": "State", "parts": "Parts", "walker": "Walker"}.get(name, "Photos")
                self.check_json({"$ref": f"#/components/schemas/{schema}"}, data, f"event {name}")
            self.events |= {name for name, _ in found}
        self.seen.add(("get", "/tracking/events", "200"))
        self.names.add(("get", "/tracking/events", "after"))

    def check_refusal(self, host, method, address, body, headers, expected):
        status, answered, _ = ask(host, method, address, body, headers)
        refused = API["components"]["responses"]["Refused"]
        if status != expected or f"{status}: " not in refused["description"]:
            self.faults.append(f"{method} {address} {status}: not {expected}")
        if answered["Content-Type"] not in refused["content"]:
            self.faults.append(f"{method} {address} {status}: {answered['Content-Type']}")

    def check(self, host, method, address, body, headers, expected):
        status, answered, content = ask(host, method, address, body, headers)
        path, _, query = address.partition("?")
        template = next(
            (name for name in self.templates
             if re.fullmatch(re.sub(r"{\w+}", "[^/]+", name).replace(".", r"\."), path)), None)
        place = f"{method} {address} {status}"
        operation = API["paths"].get(template, {}).get(method.lower(), {"responses": {}})
        self.seen.add((method.lower(), template, str(status)))
        form = query if method == "GET" else body if isinstance(body, str) else ""
        self.names |= {(method.lower(), template, name) for name in urllib.parse.parse_qs(form, True)}
        if status != expected:
            self.faults.append(f"{place}: not {expected}: {content[:80]}")
        if str(status) not in operation["responses"]:
            self.faults.append(f"{place} is not documented")
            return
        documented = self.resolved(operation["responses"][str(status)])
        media = documented.get("content", {})
        if content and answered["Content-Type"] not in media:
            self.faults.append(f"{place}: {answered['Content-Type']} is not documented")
        if content and "schema" in media.get(answered["Content-Type"], {}):
            self.check_json(media[answered["Content-Type"]]["schema"], json.loads(content), place)
        for name in documented.get("headers", {}):
            if name not in answered:
                self.faults.append(f"{place} has no {name}")

    def operations(self):
        for path, methods in API["paths"].items():
            for method, operation in methods.items():
                yield method, path, operation

    def documented_names(self):
        for method, path, operation in self.operations():
            for parameter in map(self.resolved, operation.get("parameters", [])):
                if parameter["in"] == "query":
                    yield method, path, parameter["name"]
            for media, body in operation.get("requestBody", {}).get("content", {}).items():
                if media == "application/x-www-form-urlencoded":
                    yield from ((method, path, name) for name in body["schema"]["properties"])


def routes():
    """The words of the code that choose a route or a part of a page."""
    for name in ["FaketrackWeb/Server/Website+Actions", "FaketrackWeb/Server/Website+Screens",
                 "FaketrackFeatures/Screens/Route"]:
        text = (ROOT / f"Sources/{name}.swift").read_text()
        text = text.split("private static func text(of query")[0]
        for line in re.findall(r'.*(?:\bcase \(?"|names\[\d\] == "|part == "|item\("|form\[").*', text):
            yield from re.findall(r'"([a-z]+)"', line)


def main():
    report = Report()
    validate(API)
    comparison = Comparison()
    with tempfile.TemporaryDirectory() as folder:
        own = pathlib.Path(folder, "pictures")
        own.mkdir()
        (own / "a.jpg").write_bytes(bytes.fromhex("ffd8ffda0008010100003f00ffd9"))
        subprocess.run(
            ["exiftool", "-q", "-overwrite_original", "-DateTimeOriginal=2026:05:01 10:01:00", own / "a.jpg"],
            check=True)
        with page(folder, "--photos", "commons") as host:
            # It would send positions to a service.
            comparison.check(host, "POST", "/tracking/resume", "", SCRIPT, 409)
            comparison.check(host, "POST", "/tracking/resume", "confirmed=1", SCRIPT, 204)
        with page(folder, "--photos", "none", "--tiles", str(tile_file(folder))) as host:
            for request in tiles(host):
                comparison.check(host, *request)
        for photos in ["sample", "pictures"]:
            with page(folder, "--photos", photos) as host:
                comparison.walk(host)
                requests = [*pictures(host)]
                if photos == "sample":
                    requests += [*screens(), *commands(), *changes()]
                for request in requests:
                    comparison.check(host, *request)
                for refusal in [
                        ("GET", "/", None, {"Sec-Fetch-Site": "cross-site"}, 403),
                        ("DELETE", "/", None, {}, 405), ("POST", "/units", "units=" + "x" * 20_000, {}, 413),
                        ("GET", "/", None, {"Host": "evil.example"}, 421)]:
                    comparison.check_refusal(host, *refusal)
    documented = {
        (method, path, status) for method, path, operation in comparison.operations()
        for status in operation["responses"].keys() - UNSEEN}
    names = set(comparison.documented_names())
    words = set(routes())
    known = {part for path in API["paths"] for part in re.split(r"[/.]", path)} | {name for *_, name in names}
    known |= set(re.findall(r'"([a-z]+)"', json.dumps(API["paths"])))
    for title, faults in [
            ("each answer is as documented", comparison.faults),
            ("each documented answer occurs", documented - comparison.seen),
            ("each documented field and item of a query is used", names - comparison.names),
            ("each field and item of a query is documented", comparison.names - names),
            ("each route in the code is documented", words - known)]:
        report.check(title, not faults, "; ".join(map(str, sorted(faults)[:15])))
    named = {"reset", "photos", "state", "parts", "walker"}
    report.check("each event occurs", comparison.events == named, str(sorted(comparison.events)))
    report.check(
        "there is much to compare", len(comparison.seen) > 60 and len(words) > 30,
        f"{len(comparison.seen)} answers, {len(words)} words")
    report.finish()


main()
