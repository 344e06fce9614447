"""Runs the browser tests; the last line says how many passed and failed."""

import sys
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.dont_write_bytecode = True

loader = unittest.TestLoader()
if len(sys.argv) > 1:
    suite = loader.loadTestsFromNames(sys.argv[1:])
else:
    suite = loader.discover(str(HERE), pattern="test_*.py")
result = unittest.TextTestRunner(verbosity=2).run(suite)
failed = len({str(test).split(" (")[0] + str(test) for test, _ in result.failures + result.errors})
print(f"{result.testsRun - failed} passed, {failed} failed")
sys.exit(0 if failed == 0 and result.testsRun > 0 else 1)
