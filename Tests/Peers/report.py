"""Counts checks and reports their results."""

import sys


class Report:
    def __init__(self):
        self.passed = self.failed = 0

    def check(self, name, is_met, detail=""):
        if is_met:
            self.passed += 1
        else:
            self.failed += 1
        print(f"{'ok' if is_met else 'FAILED'}: {name}{f' ({detail})' if detail else ''}", flush=True)

    def finish(self):
        """Prints the count and ends the process, with 1 if a check failed."""
        print(f"{self.passed} passed, {self.failed} failed")
        sys.exit(1 if self.failed else 0)
