"""The example for Apache Spark, on a cluster of a master and two workers."""

import gzip
import json
import os
import re
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

from cluster import Cluster
from pyspark.sql import SparkSession

ROOT = Path(__file__).resolve().parents[2]
FAKETRACK = os.environ.get("FAKETRACK", str(ROOT / ".build/release/faketrack"))

# Says that it has begun, and takes a moment, so that there is a middle to kill a worker in.
SLOW = """#!/bin/sh
echo started >> "{folder}/started"
sleep 1
exec "{faketrack}" "$@"
"""


def track(number):
    """A walk of 5 to 40 minutes."""
    points = "".join(
        f'<trkpt lat="{48 + number / 100 + second * 1e-5:.6f}" lon="11.5"><ele>500</ele>'
        f"<time>2026-05-01T08:{second // 60:02}:{second % 60:02}Z</time></trkpt>\n"
        for second in range(300 + number % 8 * 300))
    return f'<gpx version="1.1" creator="test"><trk><trkseg>\n{points}</trkseg></trk></gpx>\n'


def write(folder, count):
    """This many tracks, including gzipped and broken ones."""
    for number in range(count):
        data = track(number).encode()
        path = Path(folder) / f"{number % 7}" / f"{number:04}.gpx"
        path.parent.mkdir(parents=True, exist_ok=True)
        if number % 50 == 7:
            data = data[:-200]
        if number % 100 == 4:
            path = path.with_name(f"{number} #1, 50%25 ä?.gpx")
        if number == 5:
            data = data.replace(b"</gpx>", b"<!--" + b" " * (5 << 20) + b"--></gpx>")
        if number % 10 == 3:
            path, data = path.with_suffix(".gpx.gz"), gzip.compress(data)
        path.write_bytes(data)


class SparkTests(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory(prefix="faketrack-spark-")
        self.addCleanup(temporary.cleanup)
        self.folder = temporary.name
        self.tracks = f"{self.folder}/tracks"
        self.environment = dict(os.environ, FAKETRACK_HOME=f"{self.folder}/home")

    def submit(self, cluster, program, *options):
        return cluster.submit(
            "--faketrack", program, *options, self.tracks, f"{self.folder}/out",
            folder=self.folder, settings=["spark.sql.files.maxPartitionBytes=2m"])

    def one_machine(self):
        """The records of the same tracks, without Spark."""
        run = subprocess.run(
            [FAKETRACK, "replay", self.tracks, "--photos", "none", "--format", "ndjson"],
            capture_output=True, text=True, env=self.environment, check=False)
        self.assertEqual(run.returncode, 65, run.stderr)
        records = [json.loads(line) for line in run.stdout.splitlines()]
        return ([record for record in records if "index" in record],
                [record for record in records if "index" not in record])

    def tables(self):
        """The output of Spark."""
        os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
        spark = (SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
                 .config("spark.sql.session.timeZone", "UTC").getOrCreate())
        try:
            tables = []
            for name in ("locations", "tracks"):
                rows = spark.read.parquet(f"{self.folder}/out/{name}").toJSON().collect()
                tables.append([json.loads(row) for row in rows])
            return tables
        finally:
            spark.stop()

    def check(self, output):
        """Compares the tables with the records of one machine."""
        self.assertIn("400 tracks, 8 failed, ", output)
        locations, tracks = self.one_machine()
        found_locations, found_tracks = self.tables()
        self.assertEqual(len(found_locations), len(locations))
        self.assertEqual(len(found_tracks), len(tracks))

        def plain(record):
            """A record without nulls, named and timed as in the other table."""
            known = {key: value for key, value in record.items() if value is not None}
            known["track"] = known["track"].removeprefix("file:")
            if "time" in known:
                known["time"] = known["time"].replace(".000Z", "Z")
            if "error" in known:
                # In front of the place stands the name of the file, or of its copy.
                known["error"] = re.sub(r"^.*(\.gpx(\.gz)?|tmp\w+):", "", known["error"])
            known.pop("end", None)
            return known

        def key(record):
            return record["track"], record.get("index", -1)

        for ours, theirs in ((found_locations, locations), (found_tracks, tracks)):
            self.assertEqual(sorted(map(plain, ours), key=key), sorted(map(plain, theirs), key=key))

    def started(self):
        try:
            return Path(self.folder, "started").read_text(encoding="utf-8").count("started")
        except FileNotFoundError:
            return 0

    def test_no_row_is_lost_or_doubled_when_a_worker_is_killed(self):
        write(self.tracks, 400)
        program = Path(self.folder, "slow-faketrack")
        program.write_text(
            SLOW.format(folder=self.folder, faketrack=FAKETRACK), encoding="utf-8")
        program.chmod(0o755)
        with Cluster(self.folder) as cluster:
            run = self.submit(cluster, str(program))
            while self.started() < 14 and run.poll() is None:
                time.sleep(0.05)
            self.assertIsNone(run.poll(), "the run has ended before its half")
            cluster.workers[0].kill()
            output, errors = run.communicate(timeout=300)
            self.assertEqual(run.returncode, 0, errors)
            self.check(output)
            started = self.started()
            # The other one alone, from the files themselves.
            run = self.submit(cluster, FAKETRACK, "--shared")
            again, errors = run.communicate(timeout=300)
            self.assertEqual(run.returncode, 0, errors)
            self.check(again)
        # The lost worker's tracks were replayed: each partition has written a file.
        parts = len(list(Path(self.folder, "out/locations").glob("part-*")))
        self.assertGreater(started, parts)


if __name__ == "__main__":
    unittest.main()
