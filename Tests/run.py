"""Runs the Python tests of a folder, or those of them that are named; the last line says how many passed and failed.

    run.py <folder> [module, class or test …]
"""

import sys
import unittest
from pathlib import Path

folder = Path(sys.argv[1]).resolve()
sys.path.insert(0, str(folder))
sys.dont_write_bytecode = True

loader = unittest.TestLoader()
if len(sys.argv) > 2:
    suite = loader.loadTestsFromNames(sys.argv[2:])
else:
    suite = loader.discover(str(folder), pattern="test_*.py")
result = unittest.TextTestRunner(verbosity=2).run(suite)
failed = len({str(test).split(" (")[0] + str(test) for test, _ in result.failures + result.errors})
print(f"{result.testsRun - failed} passed, {failed} failed")
sys.exit(0 if failed == 0 and result.testsRun > 0 else 1)
