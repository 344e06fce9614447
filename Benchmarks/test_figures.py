"""Tests script/figures on copies of the documents."""

import json
import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent


class FiguresTests(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.root = pathlib.Path(scratch.name)
        for name in ("script/figures", "Benchmarks/figures.json", "Benchmarks/figures.md", "README.md",
                     "docs/guide.docc/Screens.md", "docs/performance.md", "docs/scale.md", "docs/reliability.md"):
            (self.root / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, self.root / name)
        self.figures()

    def figures(self, *arguments):
        return subprocess.run(
            [self.root / "script/figures", *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def edit(self, name, old, new):
        text = (self.root / name).read_text()
        self.assertIn(old, text)
        (self.root / name).write_text(text.replace(old, new, 1))

    def expect_difference(self, name):
        result = self.figures("--check")
        self.assertEqual(result.returncode, 1)
        self.assertIn(f"--- {name}", result.stdout)
        self.figures()
        self.assertEqual(self.figures("--check").returncode, 0)

    def test_changed_figure_in_a_document(self):
        self.edit("docs/scale.md", " MB of GPX a second", "1 MB of GPX a second")
        self.expect_difference("docs/scale.md")

    def test_changed_record(self):
        record = json.loads((self.root / "Benchmarks/figures.json").read_text())
        record["faults_day"]["cases"] += 1
        (self.root / "Benchmarks/figures.json").write_text(json.dumps(record))
        self.expect_difference("docs/reliability.md")

    def test_removed_block(self):
        self.edit("README.md", "<!-- figures: speed -->", "")
        self.assertEqual(self.figures("--check").returncode, 1)

    def test_compared_ratios(self):
        record = {
            f"{part}.{name}": value
            for part, figures in json.loads((self.root / "Benchmarks/figures.json").read_text()).items()
            for name, value in figures.items() if name.endswith("ratio")}
        known = record["replay.csv_ratio"]
        for factor, code in ((1.9, 0), (2.1, 1)):
            run = record | {"replay.csv_wall": 1, "replay.csv_ratio": factor * known}
            self.assertIn(f"{factor * known:.3f}, recorded {known:.3f}", self.compare(run, code))
        del record["replay.csv_ratio"]
        self.assertIn("FAILED: replay.csv_ratio", self.compare(record, 1))

    def compare(self, run, code):
        (self.root / "run").write_text("".join(f"{key} {value}\n" for key, value in run.items()))
        result = self.figures("--compare", self.root / "run")
        self.assertEqual(result.returncode, code, result.stdout)
        return result.stdout


if __name__ == "__main__":
    unittest.main()
