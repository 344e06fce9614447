"""A count or size that differs from the record fails the check."""

import contextlib
import io
import json
import unittest
from collections import Counter

import cost

RECORD = json.loads((cost.ROOT / "Benchmarks/cost.json").read_text())


class CostTests(unittest.TestCase):
    def compare(self, factor=1.0, workload="read dense", record=RECORD, sizes=None,
                expected=()):
        counts = {workload: Counter({"$s4main3fooyyF": int(RECORD["workloads"]["read dense"] * factor)})}
        with contextlib.redirect_stdout(io.StringIO()) as text:
            failures = cost.compare(record, {}, counts, sizes or {}, expected)
        return failures, text.getvalue()

    def test_recorded_count(self):
        for factor in (1, 1.019, 0.951):
            self.assertEqual(self.compare(factor)[0], 0)

    def test_growth(self):
        failures, text = self.compare(1.021)
        self.assertEqual(failures, 1)
        self.assertIn(f"of {RECORD['workloads']['read dense']:,}", text)
        self.assertIn("foo()", text)

    def test_decline(self):
        failures, text = self.compare(0.94)
        self.assertEqual(failures, 1)
        self.assertIn("script/cost --update", text)

    def test_changed_record(self):
        changed = {**RECORD, "workloads": {"read dense": RECORD["workloads"]["read dense"] // 2}}
        self.assertEqual(self.compare(record=changed)[0], 1)

    def test_unknown_workload(self):
        self.assertEqual(self.compare(workload="new")[0], 1)

    def test_missing_workload(self):
        failures, text = self.compare(expected=["read dense", "removed"])
        self.assertEqual(failures, 1)
        self.assertIn("removed", text)

    def test_limits(self):
        name, limit = next(iter(RECORD["limits"].items()))
        self.assertEqual(self.compare(sizes={name: limit})[0], 0)
        self.assertEqual(self.compare(sizes={name: limit + 1})[0], 1)

    def test_functions_of_a_profile(self):
        profile = "fn=(1) a\n10 5\ncfn=(2) b\ncalls=1 0\n+1 7\nfn=(2)\n* 7\nfn=(1)\n-2 1\n"
        self.assertEqual(cost.functions(profile), {"a": 6, "b": 7})
