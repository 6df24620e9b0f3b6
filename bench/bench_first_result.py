#!/usr/bin/env python3
"""From a process's start to its first result: anycl with a warm cache beside the same program written with OpenCL alone,
which makes it from a binary, and beside anycl with an empty cache. They take turns; medians and ratios.

    tests/drivers/with_driver pocl -- bench/bench_first_result.py build/test/bin
"""

import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

WARM_RUNS = 31
COLD_RUNS = 5


def milliseconds_of(words, caches):
    """`caches`: folder of the caches, anycl's and PoCL's own."""
    env = os.environ | {"ANYCL_CACHE_DIR": str(caches / "anycl"), "POCL_CACHE_DIR": str(caches / "pocl")}
    begin = time.perf_counter()
    done = subprocess.run(words, env=env, stdout=subprocess.PIPE, check=True, text=True)
    took = (time.perf_counter() - begin) * 1e3
    if done.stdout != "5\n":
        sys.exit(f"{words[0]}: computed {done.stdout!r}, not 5")
    return took


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: bench_first_result.py FOLDER_OF_PROGRAMS")
    programs = pathlib.Path(sys.argv[1]).resolve()
    ours = [programs / "first_result_anycl"]
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        theirs = [programs / "first_result_raw", folder / "binary"]
        colds = []
        for run in range(COLD_RUNS):
            cold = folder / str(run)
            cold.mkdir()
            (cold / "pocl").mkdir()
            colds.append(milliseconds_of(ours, cold))
        milliseconds_of([*ours, "store"], cold)
        milliseconds_of(theirs, cold)
        pairs = [(milliseconds_of(ours, cold), milliseconds_of(theirs, cold)) for _ in range(WARM_RUNS)]
    warm, raw = (statistics.median(times) for times in zip(*pairs))
    cold = statistics.median(colds)
    print(f"warm {warm:.1f} ms, raw {raw:.1f} ms, ratio {warm / raw:.2f}; cold {cold:.1f} ms, {cold / warm:.1f} times warm")


if __name__ == "__main__":
    main()
