#!/usr/bin/env python3
"""`anycl devices` starts nearly as fast as `clinfo -l`, which does nothing but list the devices."""

import shutil
import subprocess
import sys
import time

from anycl_command import COMMAND, DRIVER, SANITIZED, SKIPPED

LARGEST_RATIO = 1.3
ROUNDS = 5
RUNS = 15


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(SKIPPED)


def seconds_of(*words):
    begin = time.perf_counter()
    subprocess.run(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    return time.perf_counter() - begin


def best_times():
    """Taken in turn, so that a busy machine slows both."""
    pairs = [(seconds_of(COMMAND, "devices"), seconds_of("clinfo", "-l")) for _ in range(RUNS)]
    return tuple(min(times) for times in zip(*pairs))


def main():
    if DRIVER != "pocl":
        skip("start-up is compared on PoCL alone; other drivers take most of the time for themselves")
    if SANITIZED:
        skip("sanitizers take their time")
    if not shutil.which("clinfo"):
        skip("clinfo is not installed")
    for _ in range(ROUNDS):
        ours, theirs = best_times()
        ratio = ours / theirs
        print(f"anycl devices {ours * 1e3:.1f} ms, clinfo -l {theirs * 1e3:.1f} ms, ratio {ratio:.2f}")
        if ratio <= LARGEST_RATIO:
            return 0
    return 1


if __name__ == "__main__":
    sys.exit(main())
