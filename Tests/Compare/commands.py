"""The command lines that are compared. `{}` is the GPX file, and an `out.` file is compared too."""

# For each file.
EACH = """
info {}
info {} --format ndjson
replay {} --photos none
replay {} --photos none --format ndjson
replay {} --photos none --format csv
replay {} --photos none --format geojson
replay {} --photos none --format gpx
replay {} --photos none --format list
replay {} --photos none --format md
replay {} --photos none --format nmea
replay {} --photos none --format xcode
replay {} --photos none --format nmea --start 2030-01-02T03:04:05Z
replay {} --photos none --format simctl
replay {} --photos none --format adb
replay {} --photos sample
replay {} --photos sample --format ndjson --seed 7
replay {} --photos sample --format csv --radius 2
replay {} --photos sample --format list --utc
replay {} --photos none --format ndjson --no-cities --interval off
replay {} --photos none --format ndjson --no-cities --interval 10
replay {} --photos none --format ndjson --no-cities --distance-filter 0
replay {} --photos none --format ndjson --no-cities --distance-filter 25 --max-pause 1min
replay {} --photos none --format ndjson --no-cities --from 100m --to 4min
replay {} --photos none --format ndjson --no-cities --from 1min --to 500m
replay {} --photos none --format ndjson --no-cities --reverse
replay {} --photos none --format ndjson --no-cities --loop 2
replay {} --photos none --start 2030-01-02T03:04:06Z --format ndjson --no-cities
replay {} --photos none --format ndjson --no-cities --track 2
replay {} --photos none --format ndjson --no-cities --source routes
replay {} --photos none --format ndjson --no-cities --source waypoints --walking-speed 2
replay {} --photos none --format ndjson --no-cities --interval off --strict
replay {} --photos none --format ndjson --no-cities --noise 10 --seed 3
replay {} --photos none --format ndjson --no-cities --events --outage 100m-200m
replay {} --photos none --format ndjson --no-cities --events --permission-script permissions.txt
replay {} --photos none --authorization denied
replay {} --photos none --format ndjson --min-population 100000 --max-city-distance 20
replay {} --photos none --quiet -o out.csv
replay {} {} --photos none --format ndjson --jobs 2
check {} --enters 52.401,13.052,100 --leaves 52.401,13.052,100 --within 10min
check {} --matches golden.ndjson,25 --format junit
info - < {}
""".strip().splitlines()

# For every tenth file.
SOME = """
replay {} --photos sample --format html
replay {} --photos flickr --format ndjson
replay {} --photos flickr --radius 0.2 --license cc --format csv
replay {} --photos commons --format list
replay - --photos none --format geojson < {}
replay {} --photos none --format ndjson -o out.dir
""".strip().splitlines()

# Without a file of the 300. The service of auto cannot be reached.
ONCE = """
replay walks/one-point.gpx --photos auto
replay walks/one-point.gpx --photos auto --format ndjson
replay walks/one-point.gpx walks/zip.gpx --photos auto --format csv
replay walks/plain.gpx --photos sample --download out.photos
replay walks/plain.gpx walks/two-tracks.gpx --photos none --format ndjson --resume golden.ndjson
replay --tracks-from lists.json --photos none --format ndjson
--help
help
help formats
help environment
help replay
help info
help serve
help app
help check
help cities
help cities search
help cities import
help favorites
help lists
help demo
help doctor
help about
about
completion bash
completion zsh
completion fish
replay walks/sample.gpx --photos flickr
replay walks/sample.gpx --photos sample --size w
replay walks/sample.gpx --photos none --verbose
replay walks/zip.gpx walks/no-bytes.gpx walks/plain.gpx --photos sample --format ndjson
replay walks --photos none --no-cities --format csv --distance-filter 1000 --jobs 1
info walks --jobs 1
info walks --format ndjson --jobs 1
cities search pots
cities search pots --format ndjson --sort name --limit 3
cities search zzzz
cities nearest 52.4 13.06
cities nearest -33.4 -70.6 --format ndjson
cities nearest 91 0
cities show Potsdam
cities show Springfield
cities show 2852458 --format ndjson
cities import walks/sample.gpx
cities reset
favorites list
favorites add Potsdam 2950159
favorites add Nowhere
lists lists.json
lists lists.json --format ndjson --sort natural
lists walks/sample.gpx
lists missing.json
replay
replay missing.gpx
replay walks/plain.gpx --photos nonsense
replay walks/plain.gpx --distance-filter -1
replay walks/plain.gpx --from 5min --to 1min
replay walks/plain.gpx --format pdf
replay walks/plain.gpx --speed 0
replay walks/plain.gpx --outage 1
replay walks/plain.gpx --permission-script missing.txt
replay walks/plain.gpx --photos none -o walks/plain.gpx
replay walks/plain.gpx --photos none -o missing/out.csv
replay walks/plain.gpx --feed nonsense
check walks/plain.gpx
check walks/plain.gpx --matches missing.ndjson
check walks/plain.gpx --enters nowhere
serve -
serve missing.gpx --port 0
app
nonsense
--nonsense
""".strip().splitlines()

# Commands for the files of the fuzzer, which may lead around the Earth: they add nothing between points.
WITHOUT_INTERPOLATION = ("info", "--interval off", "--distance-filter 0")

# Formats that begin at the time of the run if a track has no recorded times.
FROM_NOW = ("nmea", "xcode")


def lines(folder, names):
    """All command lines for the files of a folder with these names."""
    for index, name in enumerate(names):
        has_times = b"<time>2026" in (folder / name).read_bytes()
        for command in EACH + (SOME if index % 10 == 0 else []):
            if name.startswith("fuzz") and not any(word in command for word in WITHOUT_INTERPOLATION):
                continue
            if command.endswith(FROM_NOW) and not has_times:
                continue
            yield command.replace("{}", "walks/" + name)
    yield from ONCE
