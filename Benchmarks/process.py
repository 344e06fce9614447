"""Runs programs and measures them."""

import os
import sys
import time
from dataclasses import dataclass


@dataclass
class Usage:
    """Wall and CPU time in seconds, peak memory in bytes, and thread switches of a process."""

    wall: float
    cpu: float
    memory: int
    switches: int


def run(command, output=os.devnull, environment=None):
    """Runs a command to its end with its output in a file; a failure ends this program."""
    start = time.monotonic()
    child = os.fork()
    if child == 0:
        os.dup2(os.open(output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), 1)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        os.execvpe(command[0], command, environment or os.environ)
    _, status, usage = os.wait4(child, 0)
    wall = time.monotonic() - start
    if status != 0:
        sys.exit(f"{command} failed with {status}")
    return Usage(
        wall, usage.ru_utime + usage.ru_stime,
        usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024),
        usage.ru_nvcsw + usage.ru_nivcsw)
