"""Tests the recording of a walk with a real gpsd."""

import tempfile
import unittest
import xml.etree.ElementTree as ET
from pathlib import Path

from record import moment, record, sent

WALK = str(Path(__file__).resolve().parents[2] / "faketrack.gpx")
PART = ["--from", "10min", "--to", "12min", "--speed", "20"]
# The last digit of an NMEA sentence is a hundred-thousandth of a minute.
RESOLUTION = 0.5e-5 / 60 + 1e-9
GPX = "{http://www.topografix.com/GPX/1/1}"


class RecordTests(unittest.TestCase):
    def test_the_recording_is_the_walk(self):
        walk = {moment(fix["time"]): fix for fix in sent(WALK, *PART[:4])}
        with tempfile.TemporaryDirectory() as folder:
            recording = Path(folder) / "recording.gpx"
            record(WALK, recording, *PART)
            points = ET.parse(recording).findall(f".//{GPX}trkpt")
        # On a busy machine gpsd takes several fixes at once, of which it reports the last.
        self.assertGreater(len(points), 0.8 * len(walk))
        self.assertLessEqual(len(points), len(walk))
        for point in points:
            fix = walk[moment(point.findtext(f"{GPX}time"))]
            self.assertAlmostEqual(float(point.get("lat")), fix["latitude"], delta=RESOLUTION)
            self.assertAlmostEqual(float(point.get("lon")), fix["longitude"], delta=RESOLUTION)
        self.assertEqual(moment(points[-1].findtext(f"{GPX}time")), max(walk))


if __name__ == "__main__":
    unittest.main()
