#!/usr/bin/env python3
"""What starting costs: `anycl devices` beside `clinfo -l`, which does nothing but list the devices. Medians and their ratio.

    tests/drivers/with_driver pocl -- bench/bench_startup.py build/release/bin/anycl
"""

import statistics
import subprocess
import sys
import time

RUNS = 40


def milliseconds_of(*words):
    begin = time.perf_counter()
    subprocess.run(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    return (time.perf_counter() - begin) * 1e3


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: bench_startup.py ANYCL_COMMAND")
    # In turn, so that a busy machine slows both.
    pairs = [(milliseconds_of(sys.argv[1], "devices"), milliseconds_of("clinfo", "-l")) for _ in range(RUNS)]
    ours, theirs = (statistics.median(times) for times in zip(*pairs))
    print(f"anycl devices {ours:.1f} ms, clinfo -l {theirs:.1f} ms, ratio {ours / theirs:.2f}")


if __name__ == "__main__":
    main()
