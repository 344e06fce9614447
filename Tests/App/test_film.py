"""The film of the app, as `script/data/film` records it."""

import json
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree
from pathlib import Path

from terminal import EXECUTABLE, ROOT

SVG = "{http://www.w3.org/2000/svg}"


class FilmTests(unittest.TestCase):
    def test_the_film_shows_a_walk_to_its_end(self):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([sys.executable, ROOT / "script/data/film.py", EXECUTABLE, folder], check=True)
            cast, picture = [Path(folder, name).read_text() for name in ("app.cast", "app.svg")]
            self.assertNotIn(folder.rsplit("/", 1)[0] + "/", cast)
        header, *events = map(json.loads, cast.splitlines())
        self.assertEqual(2, header["version"])
        times = [seconds for seconds, _, _ in events]
        self.assertEqual(sorted(times), times)
        output = "".join(text for _, _, text in events)
        self.assertTrue(output.rstrip().endswith(" photos"), output[-100:])
        self.assertNotIn("\x1b[5n", output)
        film = xml.etree.ElementTree.fromstring(picture)
        *others, frames = film.findall(SVG + "g")
        rows = {row.get("id"): "".join(row.itertext()) for row in film.find(SVG + "defs")}
        texts = ["\n".join(rows[use.get("href")[1:]] for use in frame) for frame in frames]
        for text in "Potsdam to Berlin", "Walking", "Copied the photo's address", "Münster", "has arrived":
            self.assertTrue(any(text in frame for frame in texts), text)
        # Each frame has its step.
        self.assertEqual(len(texts), len(re.findall("translateX", film.find(SVG + "style").text)) - 1)


if __name__ == "__main__":
    unittest.main()
