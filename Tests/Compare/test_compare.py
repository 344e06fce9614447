"""script/compare finds each way in which an executable can be broken, and nothing else."""

import contextlib
import io
import os
import shlex
import sys
import tempfile
import unittest
from pathlib import Path

import walks
from broken import WAYS
from compare import FRAMES, ROOT, Comparison, Stub, Workplace, answer, frames, pages

EXECUTABLE = os.environ.get("FAKETRACK", str(ROOT / ".build/release/faketrack"))

COMMANDS = [
    "replay walks/sample.gpx --photos none --format ndjson --to 1km",
    "replay walks/elevation-none.gpx --photos none --format ndjson",
    "replay walks/html.gpx --photos none", "replay walks/plain.gpx --photos none --quiet -o out.csv",
]


class CompareTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = cls.enterClassContext(tempfile.TemporaryDirectory())
        files = Path(cls.folder) / "files"
        files.mkdir()
        walks.write(files, ROOT)
        (place := Path(cls.folder) / "place").mkdir()
        cls.place = Workplace(place, files, cls.enterClassContext(Stub(answer)))

    def differing(self, executable, places=("run", "page", "frame")):
        """The places where an executable differs from the real one."""
        comparison = Comparison(EXECUTABLE, executable)
        with contextlib.redirect_stdout(io.StringIO()) as output:
            for command in COMMANDS if "run" in places else []:
                comparison.compare(command, lambda path: self.place.run(path, command))
            if "page" in places:
                comparison.compare("serve", lambda path: pages(self.place, path, "walks/plain.gpx"))
            if "frame" in places:
                comparison.compare("app", lambda path: frames(self.place, path, 80, 24, FRAMES[-2:]))
            self.assertEqual(comparison.finish(), "DIFFERENT" not in output.getvalue())
        lines = output.getvalue().splitlines()
        return {line.split()[1].rstrip(":") for line in lines if line.startswith("DIFFERENT")}

    def test_an_executable_does_not_differ_from_itself(self):
        self.assertEqual(self.differing(EXECUTABLE), set())

    def test_each_way_to_be_broken_is_found(self):
        for way, (place, _, _) in WAYS.items():
            with self.subTest(way):
                script = Path(self.folder) / way
                broken = shlex.join([sys.executable, str(Path(__file__).parent / "broken.py"), way, EXECUTABLE])
                script.write_text(f'#!/bin/sh\nexec {broken} "$@"\n')
                script.chmod(0o755)
                part = place if place in ("page", "frame") else "run"
                self.assertEqual(self.differing(str(script), [part]), set() if way.startswith("nothing") else {place})
