"""Validates all NDJSON that faketrack prints against the JSON Schemas in docs/schemas, with jsonschema.

    schemas.py <faketrack> <walk.gpx>

Records and schemas agree both ways: a schema requires its keys and admits no others, and each of its keys
and forms occurs in the output.
"""

import http.server
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import threading

import jsonschema
from report import Report

EXECUTABLE, WALK = (str(pathlib.Path(name).resolve()) for name in sys.argv[1:3])
SCHEMAS = {
    path.name: json.loads(path.read_text())
    for path in sorted(pathlib.Path(__file__).resolve().parents[2].glob("docs/schemas/*.json"))}
# Absent in the records of a single track, without --photos FOLDER, and of tracks that are whole.
OPTIONAL = {"track", "photos", "error"}


class Wikipedia(http.server.BaseHTTPRequestHandler):
    """Answers with an article about Potsdam, a short one about Nowhere, or an error."""

    def do_GET(self):
        page = {
            "type": "standard", "title": "Potsdam", "extract": "A city.",
            "coordinates": {"lat": 52.4, "lon": 13.06}}
        if "Potsdam" in self.path:
            page["description"] = "City"
            page["content_urls"] = {"desktop": {"page": "https://en.wikipedia.org/wiki/Potsdam"}}
        body = json.dumps(page).encode()
        self.send_response(403 if "Sydney" in self.path else 200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


def picture(path, *tags):
    # A scan without a picture.
    path.write_bytes(bytes.fromhex("ffd8ffda0008010100003f00ffd9"))
    if tags:
        subprocess.run(["exiftool", "-q", "-overwrite_original", *tags, path], check=True)


def record(folder, wikipedia):
    """Runs the commands, and returns their records by schema and definition."""
    def path(name, text):
        (folder / name).write_text(text)

    pictures = folder / "pictures"
    pictures.mkdir()
    picture(pictures / "lake.jpg", "-DateTimeOriginal=2026:05:01 10:10:00", "-Artist=Ada")
    picture(pictures / "unknown.jpg")
    picture(pictures / "late.jpg", "-DateTimeOriginal=2026:05:01 12:10:00")
    late = folder / "late"
    late.mkdir()
    picture(late / "a.jpg", "-DateTimeOriginal=2026:05:01 12:10:00")
    points = '<gpx><trk><trkseg><trkpt lat="0" lon="0"/><trkpt lat="0.01" lon="0"/>'
    path("bare.gpx", f"{points}</trkseg></trk></gpx>")
    path("broken.gpx", f"{points}<trkpt")
    path("nothing.gpx", "<gpx/>")
    path("other.gpx", "this is no GPX")
    path("feed.json", '[{"id":1,"listId":2,"name":"Item 1"},{"id":2,"listId":2,"name":null}]')
    path("cities.json", json.dumps([
        {"country": "", "name": name, "_id": number, "coord": {"lon": 13.0, "lat": 52.4}}
        for number, name in enumerate(["Nowhere", "Elsewhere"])]))
    environment = {
        "PATH": "/usr/bin:/bin", "HOME": str(folder), "NO_PROXY": "*",
        "FAKETRACK_WIKIPEDIA_URL": f"http://127.0.0.1:{wikipedia}",
        # A port without a listener.
        "FAKETRACK_COMMONS_URL": "http://127.0.0.1:9/"}
    records = {}

    def run(place, command, home="home"):
        form = ["--format", "ndjson"] if place else []
        result = subprocess.run(
            [EXECUTABLE, *command.replace("WALK", WALK).split(), *form], cwd=folder,
            env={**environment, "FAKETRACK_HOME": str(folder / home)}, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, timeout=300)
        if place:
            records.setdefault(place, []).extend(map(json.loads, result.stdout.splitlines()))

    replay, cities = ("replay.json", None), "cities.json"
    run(replay, "replay WALK --photos sample --to 1km")
    run(replay, "replay WALK --photos none --to 500m --noise 5 --outage 100m-200m --events")
    run(replay, "replay WALK --photos none --to 500m --authorization not-determined --events")
    run(replay, "replay WALK --photos pictures --log log.ndjson")
    run(replay, "replay WALK bare.gpx broken.gpx nothing.gpx other.gpx --photos none --events --outage 0m-50m")
    run(replay, "replay bare.gpx --photos commons --log log.ndjson")
    run(("info.json", None), "info WALK --photos pictures")
    run(("info.json", None), "info WALK --photos late")
    run(("info.json", None), "info bare.gpx --no-cities")
    run(("info.json", None), "info WALK bare.gpx broken.gpx nothing.gpx other.gpx")
    run((cities, "found"), "cities search München")
    run((cities, "found"), "cities search Potsdam")
    run((cities, "nearby"), "cities nearest 52.4 13.06 --count 3")
    run((cities, "shown"), "cities show 2852458 --log log.ndjson")
    run((cities, "shown"), "cities show Sydney,AU")
    run(None, "favorites add 2852458")
    run((cities, "favorite"), "favorites list")
    # Cities of which little is known.
    run(None, "cities import cities.json", home="other")
    run(None, "favorites add 0", home="other")
    run((cities, "favorite"), "favorites list", home="other")
    run((cities, "found"), "cities search Nowhere", home="other")
    run((cities, "nearby"), "cities nearest 52.4 13.06", home="other")
    run((cities, "shown"), "cities show 0", home="other")
    run(replay, "replay WALK --photos none --to 200m", home="other")
    run(("lists.json", None), "lists feed.json")
    run(("doctor.json", None), "doctor")
    # A home that is a file.
    run(("doctor.json", None), "doctor", home="feed.json")
    records["log.json", None] = [
        json.loads(line) for line in (folder / "log.ndjson").read_text().splitlines()]
    return records


def objects(schema, path=""):
    """The objects with keys in a schema, with their places."""
    if "properties" in schema:
        yield path, schema
    for name, inner in schema.get("$defs", {}).items():
        yield from objects(inner, f"{path}/{name}")
    for name, inner in schema.get("properties", {}).items():
        yield from objects(inner, f"{path}/{name}")
    if "items" in schema:
        yield from objects(schema["items"], path)


def resolved(schema, root):
    """A schema without references, which lead to definitions of the same file."""
    if not isinstance(schema, dict):
        return schema
    if "$ref" not in schema:
        return schema
    target = resolved(root["$defs"][schema["$ref"].rsplit("/", 1)[1]], root)
    return {**target, **schema, "properties": {**target["properties"], **schema.get("properties", {})}}


def filter_valid(validator, values):
    return [value for value in values if validator.is_valid(value)]


def unseen(schema, values, root, path=""):
    """The keys and forms of a schema that do not occur in any of the values."""
    schema = resolved(schema, root)
    if "anyOf" in schema:
        for form in schema["anyOf"]:
            validator = jsonschema.Draft202012Validator({**form, "$defs": root["$defs"]})
            yield from unseen(form, filter_valid(validator, values), root, form["$ref"])
        return
    present = [value for value in values if value is not None]
    if not present:
        yield path
    if "null" in schema.get("type", ()) and len(present) == len(values):
        yield f"{path} = null"
    for name, inner in schema.get("properties", {}).items():
        found = [value[name] for value in present if name in value]
        yield from unseen(inner, found, root, f"{path}/{name}")
    if "items" in schema:
        items = [item for value in present for item in value]
        yield from unseen(schema["items"], items, root, f"{path}[]")


# Photos that are only known to be near come from Flickr, and locations without a distance from a receiver.
NOT_PRODUCED = {
    "#/$defs/location/distance = null", "#/$defs/location/elapsed = null", "#/$defs/event/distance = null",
    "#/$defs/location/photo/latitude = null", "#/$defs/location/photo/longitude = null",
    "#/$defs/location/photo/distance = null",
}


def main():
    report = Report()
    for name, schema in SCHEMAS.items():
        jsonschema.Draft202012Validator.check_schema(schema)
        loose = [
            f"{path}: {sorted(keys)}" for path, part in objects(schema)
            if (keys := part["properties"].keys() ^ set(part["required"])) - OPTIONAL
            # Other definitions add keys to this one.
            or path != "/city" and part.get(
                "additionalProperties", part.get("unevaluatedProperties")) is not False]
        report.check(f"{name} requires its keys and admits no others", not loose, "; ".join(loose))

    wikipedia = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Wikipedia)
    threading.Thread(target=wikipedia.serve_forever, daemon=True).start()
    with tempfile.TemporaryDirectory() as folder:
        records = record(pathlib.Path(folder), wikipedia.server_port)
    wikipedia.shutdown()
    missing = SCHEMAS.keys() - {name for name, _ in records}
    report.check("each schema has records", not missing, ", ".join(sorted(missing)))
    for (name, definition), values in records.items():
        schema = SCHEMAS[name]
        part = {"$ref": f"#/$defs/{definition}"} if definition else schema
        validator = jsonschema.Draft202012Validator({**part, "$defs": schema.get("$defs", {})})
        errors = [
            f"{error.json_path}: {error.message[:200]} in {json.dumps(value)[:200]}"
            for value in values for error in validator.iter_errors(value)]
        place = f"{name} {definition or ''}".strip()
        report.check(
            f"the records are valid: {place}", values and not errors,
            "; ".join(errors[:3]) or f"{len(values)}")
        keys = set(unseen(part, values, schema)) - NOT_PRODUCED
        report.check(f"all of it occurs: {place}", not keys, ", ".join(sorted(keys)))
    report.finish()


main()
