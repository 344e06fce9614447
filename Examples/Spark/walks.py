"""Replays GPX files from any path that Spark reads, and writes what was found there as Parquet.

    spark-submit walks.py [--faketrack PROGRAM] [--shared] TRACKS OUTPUT [OPTION …]

TRACKS is a folder, or a pattern, of files .gpx and .gpx.gz. Two tables are written below OUTPUT:
`locations` has a row for each new location, `tracks` one for each track. The options go to
`faketrack replay`; there are no photos unless --photos says where from.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import threading

from pyspark import StorageLevel
from pyspark.sql import SparkSession

LOCATION = """
    index int, time timestamp, latitude double, longitude double, elevation double, distance double,
    elapsed double, speed double, course double, horizontalAccuracy double, interpolated boolean,
    city struct<id: bigint, name: string, country: string, region: string,
                population: bigint, distance: double>,
    photo struct<id: string, title: string, owner: string, license: string, url: string,
                 page: string, latitude: double, longitude: double, distance: double,
                 taken: string, placedBy: string, source: string>
"""
TOTALS = "locations bigint, photos bigint, length double, skipped bigint"
SCHEMA = f"track string, {LOCATION}, {TOTALS}, error string, end boolean"

# A partition is what one process walks, and what is walked again if its worker is lost.
SETTINGS = {
    "spark.sql.files.maxPartitionBytes": "32m",
    "spark.sql.files.openCostInBytes": "64k",
    "spark.sql.session.timeZone": "UTC",
}

# Bytes of a track that a line holds; a longer one is copied to a file.
LONGEST_TEXT = 4 << 20


class Broken(Exception):
    """A process did not answer for all of its tracks; Spark tries the partition again."""


def line(file, folder):
    """The line that names a track: its path, its text, or a copy where a line cannot hold it."""
    if "content" not in file:
        # Spark escapes nothing in a path.
        return {"track": file.path, "path": re.sub("^[a-z0-9]+:(//[^/]*)?", "", file.path)}
    content = bytes(file.content)
    if len(content) <= LONGEST_TEXT:
        try:
            return {"track": file.path, "gpx": content.decode("utf-8")}
        except UnicodeDecodeError:
            pass  # Packed, or in another encoding, which the file itself declares.
    handle, path = tempfile.mkstemp(dir=folder)
    with os.fdopen(handle, "wb") as copy:
        copy.write(content)
    return {"track": file.path, "path": path}


def replay(command, files):
    """Yields the records of the tracks in a partition, while they are walked.

    `files` has the path of each, and its content unless the path will do. One process walks all of
    them: a thread writes them to it, no faster than they are walked.
    """
    with tempfile.TemporaryDirectory() as folder:
        process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        waiting, said, failures = {}, [], []

        def feed():
            try:
                with process.stdin as stream:
                    for file in files:
                        named = line(file, folder)
                        waiting[file.path] = named.get("path") if "content" in file else None
                        stream.write(json.dumps(named).encode() + b"\n")
            except Exception as error:  # Raised again where Spark sees it.
                failures.append(error)

        def listen():
            for text in process.stderr:
                said.append(text)
                del said[:-20]

        threads = [threading.Thread(target=feed, daemon=True),
                   threading.Thread(target=listen, daemon=True)]
        try:
            for thread in threads:
                thread.start()
            for text in process.stdout:
                record = json.loads(text)
                if "index" not in record:
                    path = waiting.pop(record["track"])
                    if path:
                        os.remove(path)
                yield text.decode()
            code = process.wait()
        finally:
            process.kill()
            process.wait()
            for thread in threads:
                thread.join()
        if failures and not isinstance(failures[0], BrokenPipeError):
            raise failures[0]
        # The other codes say that tracks failed, which their own records tell.
        if waiting or code not in (0, 65, 69, 77):
            raise Broken(f"{command[0]} ended with {code}, {len(waiting)} tracks left: "
                         + b"".join(said).decode(errors="replace"))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--faketrack", default="faketrack", help="the program, on every worker")
    parser.add_argument(
        "--shared", action="store_true",
        help="all workers have the files at the same paths: name them instead of sending their content")
    parser.add_argument("tracks")
    parser.add_argument("output")
    arguments, options = parser.parse_known_args()
    if not any(option.startswith("--photos") for option in options):
        options += ["--photos", "none"]
    command = [arguments.faketrack, "replay", "--tracks-from", "-", "--format", "ndjson", "--jobs",
               "1", *options]

    spark = SparkSession.builder.appName("faketrack").getOrCreate()
    for name, value in SETTINGS.items():
        if not spark.sparkContext.getConf().contains(name):
            spark.conf.set(name, value)
    files = (
        spark.read.format("binaryFile").option("recursiveFileLookup", "true")
        .option("pathGlobFilter", "*.{gpx,GPX,gpx.gz,GPX.GZ}").load(arguments.tracks)
        .select("path", *([] if arguments.shared else ["content"])))
    lines = files.rdd.mapPartitions(lambda partition: replay(command, partition))
    # Both tables come from the same walks.
    records = spark.read.schema(SCHEMA).json(lines).persist(StorageLevel.DISK_ONLY)
    locations = records.where("index is not null").drop(
        "end", "locations", "photos", "length", "skipped")
    tracks = records.where("index is null").select(
        "track", "locations", "photos", "length", "skipped", "error")
    locations.write.mode("overwrite").parquet(f"{arguments.output}/locations")
    tracks.write.mode("overwrite").parquet(f"{arguments.output}/tracks")
    failed = tracks.where("error is not null").count()
    print(f"{tracks.count()} tracks, {failed} failed, {locations.count()} locations")
    spark.stop()
    return 0


if __name__ == "__main__":
    sys.exit(main())
