"""Runs the Python tests of a folder, or the named ones, in two threads.

    run.py <folder> [module, class or test …]

Prints failures, the slowest tests, and as the last line how many passed and failed.
"""

import itertools
import sys
import time
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

THREADS = 2
SLOWEST = 10


class Result(unittest.TestResult):
    """Notes the seconds that each test takes."""

    def __init__(self):
        super().__init__()
        self.seconds = {}

    def startTest(self, test):
        super().startTest(test)
        self.seconds[test.id()] = -time.monotonic()

    def stopTest(self, test):
        self.seconds[test.id()] += time.monotonic()
        super().stopTest(test)


def flattened(suite):
    """The tests of a suite and of those in it."""
    for test in suite:
        yield from flattened(test) if isinstance(test, unittest.TestSuite) else [test]


def run(tests):
    result = Result()
    unittest.TestSuite(tests).run(result)
    return result


folder = Path(sys.argv[1]).resolve()
sys.path.insert(0, str(folder))
sys.dont_write_bytecode = True
unittest.TestCase.maxDiff = None

loader = unittest.TestLoader()
if len(sys.argv) > 2:
    suite = loader.loadTestsFromNames(sys.argv[2:])
else:
    suite = loader.discover(str(folder), pattern="test_*.py")
# The tests of a class share what it sets up.
classes = [list(tests) for _, tests in itertools.groupby(flattened(suite), type)]
seconds, failed, skipped = {}, set(), set()
with ThreadPoolExecutor(THREADS) as pool:
    for result in pool.map(run, sorted(classes, key=len, reverse=True)):
        seconds.update(result.seconds)
        skipped.update(test.id() for test, _ in result.skipped)
        for test, trace in result.failures + result.errors:
            failed.add(getattr(test, "test_case", test).id())
            print(f"FAILED {test}\n{trace}", flush=True)
for test in sorted(seconds, key=seconds.get, reverse=True)[:SLOWEST]:
    print(f"{seconds[test]:6.1f} s  {test}")
passed = len(seconds.keys() - failed - skipped)
print(f"{passed} passed, {len(failed)} failed")
sys.exit(0 if passed > 0 and not failed else 1)
