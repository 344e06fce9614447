"""Makes the queries, measures scipy and reverse_geocoder with them, and prints a table of all.

nanoflann is measured by cities-nanoflann.cc, if at all.

    cities.py make <directory> <cities.tsv>
    cities.py table <directory> <cities.tsv> <output of CitiesBench>
"""

import io
import json
import math
import os
import random
import sys
import time

import numpy
import reverse_geocoder
import scipy.spatial


def read_cities(path):
    with open(path, encoding="utf-8") as file:
        rows = [line.rstrip("\n").split("\t") for line in file]
    return [(int(row[0]), row[1], float(row[4]), float(row[5]), row[8]) for row in rows]


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
        for city in cities[:209_557]
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
        return {key: float(value) for key, value in (line.rsplit(" ", 1) for line in file)}


def table(directory, cities, ours_path):
    ours = read_times(ours_path)
    nanoflann = {}
    if os.path.exists(f"{directory}/nanoflann.txt"):
        nanoflann = read_times(f"{directory}/nanoflann.txt")
    ids = numpy.array([city[0] for city in cities])
    places = numpy.array([(city[2], city[3]) for city in cities])
    lines = ["lat,lon,name,admin1,admin2,cc"]
    lines += [f'{c[2]},{c[3]},"{c[1].replace(chr(34), "")}",,,{c[4]}' for c in cities]
    text = "\n".join(lines)

    scipy_open, tree = best(lambda: scipy.spatial.cKDTree(unit_vectors(places)), 1)
    # reverse_geocoder caches its first tree, so building one can be timed only once.
    start = time.perf_counter_ns()
    popular = reverse_geocoder.RGeocoder(mode=1, verbose=False, stream=io.StringIO(text))
    popular_open = time.perf_counter_ns() - start
    nan = math.nan
    rows = [("open", ours["open"], (scipy_open, nanoflann.get("open", nan), popular_open), None)]
    for name in ("sphere", "near", "walk"):
        positions = numpy.fromfile(f"{directory}/{name}", dtype="<f8").reshape(-1, 2)
        count = len(positions)
        scipy_time, (_, found) = best(lambda: tree.query(unit_vectors(positions)), count)
        popular_time, (_, other) = best(lambda: popular.tree.query(positions), count)
        mine = numpy.fromfile(f"{directory}/{name}.ours", dtype="<i4")
        answers = [found, None, other]
        if nanoflann:
            answers[1] = numpy.fromfile(f"{directory}/{name}.nanoflann", dtype="<u4")
        wrong = [nan if i is None else numpy.mean(ids[i] != mine) * 100 for i in answers]
        peers = (scipy_time, nanoflann.get(name, nan), popular_time)
        rows.append((name, ours[name], peers, wrong))
        rows.append((f"{name}, meters", ours[f"{name} distance"], peers, wrong))
        for people in (1_000, 15_000, 100_000, 1_000_000):
            # None of the peers can leave out small cities.
            rows.append((f"{name}, {people:,}", ours[f"{name} {people}"], (nan, nan, nan), None))
        if name == "walk":
            rows.append(("walk, cursor", ours["walk cursor"], peers, wrong))
    print(f"{len(cities)} cities; nanoseconds, the best of seven rounds; shares of each peer's time")
    titles = ("cKDTree", "nanoflann", "reverse_geocoder")
    print(f"{'':18}{'faketrack':>11}" + "".join(f"{title:>18}{'share':>8}" for title in titles)
          + f"{'other answers, %':>22}")
    for name, mine, peers, wrong in rows:
        note = " / ".join(f"{share:.2f}" for share in wrong) if wrong else ""
        print(f"{name:18}{mine:11,.1f}" + "".join(f"{peer:18,.0f}{mine / peer:8.2f}" for peer in peers)
              + f"{note:>22}")
    print("faketrack gives the city with its names, and in the rows with meters and with the cursor "
          "its geodesic\ndistance, and in those with a number only cities of that many people; cKDTree and nanoflann give a number and a chord of a sphere, "
          "reverse_geocoder degrees")
    for name in ("prefix cities", "prefix names", "prefix by population", "all by population",
                 "open imported"):
        print(f"{name:22}{ours[name]:12,.1f}")
    print(f"import of 209,557 rows of JSON: {ours['import seconds']:.2f} s, "
          f"{ours['import megabytes']:.0f} MB")


def main():
    cities = read_cities(sys.argv[3])
    if sys.argv[1] == "make":
        make(sys.argv[2], cities)
    else:
        table(sys.argv[2], cities, sys.argv[4])


main()
