"""Makes the queries, measures scipy and reverse_geocoder with them, and prints a table of all.

nanoflann is measured by cities-nanoflann.cc, if at all.

    cities.py make <directory> <cities.ndjson>
    cities.py table|ratios <directory> <cities.ndjson> <output of CitiesBench>
"""

import io
import json
import math
import os
import random
import sys
import time
from dataclasses import dataclass

import numpy
import scipy.spatial

from figures import record

QUERIES = ("sphere", "near", "walk")
# As many cities as a list of them that is in use.
IMPORTED = 209_557


def read_cities(path):
    with open(path, encoding="utf-8") as file:
        rows = map(json.loads, file)
        return [(row["id"], row["name"], row["latitude"], row["longitude"], row["country"])
                for row in rows]


def make(directory, cities):
    """Random positions, shuffled ones within 20 km of cities, walks of 1.4 m a fix, and an import."""
    random.seed(1)
    sphere = [
        (math.degrees(math.asin(random.uniform(-1, 1))), random.uniform(-180, 180))
        for _ in range(200_000)
    ]
    near = []
    while len(near) < 200_000:
        city = random.choice(cities)
        latitude = city[2] + random.uniform(-0.18, 0.18)
        longitude = city[3] + random.uniform(-0.18, 0.18)
        if abs(latitude) <= 90 and abs(longitude) <= 180:
            near.append((latitude, longitude))
    walk = []
    for city in random.sample([city for city in cities if abs(city[2]) < 70], 100):
        latitude, longitude, course = city[2], city[3], random.uniform(0, 360)
        for _ in range(5_000):
            course += random.gauss(0, 4)
            latitude += 1.4 / 111_200 * math.cos(math.radians(course))
            longitude += 1.4 / 111_200 * math.sin(math.radians(course)) / math.cos(
                math.radians(latitude))
            walk.append((latitude, (longitude + 180) % 360 - 180))
    unit_vectors(numpy.array([city[2:4] for city in cities])).astype("<f8").tofile(
        f"{directory}/vectors")
    for name, positions in (("sphere", sphere), ("near", near), ("walk", walk)):
        numpy.array(positions, dtype="<f8").tofile(f"{directory}/{name}")
    names = [city[1] for city in random.sample(cities, 500)]
    with open(f"{directory}/prefixes", "w", encoding="utf-8") as file:
        for position, name in enumerate(names):
            file.write(name[: position % 4 + 1].strip() + "\n")
    rows = [
        {"country": city[4], "name": city[1], "_id": city[0],
         "coord": {"lon": city[3], "lat": city[2]}}
        for city in cities[:IMPORTED]
    ]
    with open(f"{directory}/cities.json", "w", encoding="utf-8") as file:
        json.dump(rows, file, ensure_ascii=False, separators=(",", ":"))


def best(action, count):
    times = []
    for _ in range(7):
        start = time.perf_counter_ns()
        result = action()
        times.append((time.perf_counter_ns() - start) / count)
    return min(times), result


def unit_vectors(positions):
    latitude, longitude = numpy.radians(positions).T
    return numpy.column_stack((
        numpy.cos(latitude) * numpy.cos(longitude), numpy.cos(latitude) * numpy.sin(longitude),
        numpy.sin(latitude)))


def read_times(path):
    with open(path) as file:
        return {key: float(value) for key, value in map(str.split, file)}


@dataclass
class Peer:
    """The nanoseconds that a peer takes to open and for a query of each kind, and its answers."""

    times: dict
    answers: dict


def measure(opening, directory, query):
    peer = Peer({"open": opening}, {})
    for name in QUERIES:
        places = numpy.fromfile(f"{directory}/{name}", dtype="<f8").reshape(-1, 2)
        peer.times[name], (_, peer.answers[name]) = best(lambda: query(places), len(places))
    return peer


def measure_ckdtree(directory, cities):
    places = numpy.array([(city[2], city[3]) for city in cities])
    opening, tree = best(lambda: scipy.spatial.cKDTree(unit_vectors(places)), 1)
    return measure(opening, directory, lambda positions: tree.query(unit_vectors(positions)))


def measure_reverse_geocoder(directory, cities):
    import reverse_geocoder  # `ratios` runs without it.

    lines = ["lat,lon,name,admin1,admin2,cc"]
    lines += [f'{c[2]},{c[3]},"{c[1].replace(chr(34), "")}",,,{c[4]}' for c in cities]
    # It caches its first tree, so building one can be timed only once.
    start = time.perf_counter_ns()
    geocoder = reverse_geocoder.RGeocoder(
        mode=1, verbose=False, stream=io.StringIO("\n".join(lines)))
    return measure(time.perf_counter_ns() - start, directory, geocoder.tree.query)


def read_nanoflann(directory):
    answers = {
        name: numpy.fromfile(f"{directory}/{name}.nanoflann", dtype="<u4") for name in QUERIES}
    return Peer(read_times(f"{directory}/nanoflann.txt"), answers)


def table(directory, cities, ours, peers):
    ids = numpy.array([city[0] for city in cities])
    print(f"{len(cities)} cities; nanoseconds, the best of seven rounds; shares of each peer's time, "
          "and of its other answers")
    print(f"{'':22}{'faketrack':>12}" + "".join(f"{title:>18}{'share':>8}{'other':>8}" for title in peers))
    for key, mine in ours.items():
        cells = ""
        for title, peer in peers.items():
            # "walk_cursor" answers the queries of "walk"; no peer can leave out small cities.
            name = key.removesuffix("_distance").removesuffix("_cursor")
            if name not in peer.times:
                continue
            cells += f"{peer.times[name]:18,.0f}{mine / peer.times[name]:8.2f}"
            if key == name:
                record(f"cities.{name}_{title}", peer.times[name] / 1e9)
            if key in QUERIES:
                found = numpy.fromfile(f"{directory}/{name}.ours", dtype="<i4")
                other = numpy.mean(ids[peer.answers[name]] != found)
                cells += f"{other:8.2%}"
                record(f"cities.{name}_{title}_other", other)
            else:
                cells += f"{'':8}"
        print(f"{key:22}{mine:12,.1f}{cells}")
        record(f"cities.{key}", mine / 1e9)
    print("faketrack gives the city with its names, with `distance` and the cursor also its geodesic "
          "distance, and\nwith a number only cities of that population; cKDTree and nanoflann give a "
          "number and a chord of a sphere,\nreverse_geocoder degrees")
    for key in ("sphere", "near", "walk_cursor"):
        name = key.removesuffix("_cursor")
        record(f"cities.{name}_ratio", ours[key] / peers["ckdtree"].times[name])


def main():
    what, directory, path = sys.argv[1:4]
    cities = read_cities(path)
    if what == "make":
        make(directory, cities)
        return
    ours = read_times(sys.argv[4])
    peers = {"ckdtree": measure_ckdtree(directory, cities)}
    if what == "table":
        record("cities.import_memory", memory := ours.pop("import_memory"))
        if os.path.exists(f"{directory}/nanoflann.txt"):
            peers["nanoflann"] = read_nanoflann(directory)
        peers["reverse_geocoder"] = measure_reverse_geocoder(directory, cities)
    table(directory, cities, ours, peers)
    if what == "table":
        print(f"import of {IMPORTED:,} rows of JSON: {memory / 1e6:.0f} MB")


main()
