#!/usr/bin/env python3
"""Checks that every #include points sideways or down in the map of layers (docs/map.md).

usage: check_layers.py [FOLDER]      check the tree in FOLDER (default: this one); exit code 1 names each bad line
       check_layers.py --self-test   check the checker on a small bad tree
"""

import pathlib
import re
import sys
import tempfile

# A layer may include itself and those of a lower rank. Layers of one rank are blind to each other.
RANKS = {
    "base": 0,
    "device": 1,
    "context": 2,
    "program": 3,
    "memory": 3,
    "graph": 5,
    "algo": 6,
    "image": 7,
    "linalg": 7,
    "fft": 7,
    "nn": 7,
    "sim": 7,
    "interop": 8,
}
# The one header of `program` that `memory` knows: what a buffer looks like to a launch.
SEAMS = {("memory", "anycl/program/argument.hpp"), ("nn", "anycl/linalg/")}
PROGRAMS = ("tools", "examples", "bench")  # built on the public headers, like a user's code
PRIVATE_ALLOWED = {
    # The doctor finds drivers as the loader does, runs each alone under a time limit, and opens libraries by name
    # (tools/CMakeLists.txt).
    ("tools/anycl/doctor/cards.cpp", "lib/base/os_regular_file.hpp"),
    ("tools/anycl/doctor/driver_files.cpp", "lib/device/driver_files.hpp"),
    ("tools/anycl/doctor/driver_files.cpp", "lib/device/selection_terms.hpp"),
    ("tools/anycl/doctor/os_kernel_cache.cpp", "lib/base/environment.hpp"),
    ("tools/anycl/doctor/os_workplace.cpp", "lib/base/os_temporary_folder.hpp"),
    ("tools/anycl/doctor/workplace.hpp", "lib/base/os_folder_lock.hpp"),
    ("tools/anycl/doctor/workplace.hpp", "lib/base/os_temporary_folder.hpp"),
    ("tools/anycl/doctor/examination.cpp", "lib/base/environment.hpp"),
    ("tools/anycl/doctor/examination.cpp", "lib/base/os_child.hpp"),
    ("tools/anycl/doctor/examination.cpp", "lib/base/os_temporary_folder.hpp"),
    ("tools/anycl/doctor/examination.cpp", "lib/device/vendor_folder.hpp"),
    ("tools/anycl/doctor/examination_log.hpp", "lib/base/os_child.hpp"),
    ("tools/anycl/doctor/examined_process.cpp", "lib/base/os_child.hpp"),
    ("tools/anycl/doctor/examined_process.cpp", "lib/base/os_library.hpp"),
    ("tools/anycl/doctor/hardware.cpp", "lib/device/selection_terms.hpp"),
    ("tools/anycl/doctor/layers.cpp", "lib/base/os_library.hpp"),
    ("tools/anycl/doctor/library_fault.cpp", "lib/base/os_library.hpp"),
    ("tools/anycl/doctor/loader_identity.cpp", "lib/base/os_library.hpp"),
    ("tools/anycl/self_test/loader_functions.hpp", "lib/base/os_library.hpp"),
    # These put tables of their own behind the loader's: a driver that does nothing, one that writes down what it is asked.
    ("bench/bench_discovery.cpp", "lib/device/entry_points.hpp"),
    ("bench/bench_kernel_cache.cpp", "lib/device/device_record.hpp"),
    ("bench/bench_kernel_cache.cpp", "lib/device/entry_points.hpp"),
    ("bench/bench_kernel_cache.cpp", "lib/program/cache_entry.hpp"),
    ("bench/bench_kernel_cache.cpp", "lib/program/cache_folder.hpp"),
    ("bench/bench_launch.cpp", "lib/device/entry_points.hpp"),
    # The worker does the library's own work in another process.
    ("tools/worker/main.cpp", "lib/base/os_child.hpp"),
    ("tools/worker/main.cpp", "lib/device/trial_runner.hpp"),
    ("tools/worker/main.cpp", "lib/program/child_build.hpp"),
    # Compiled into the command a second time (tools/CMakeLists.txt).
    ("tools/anycl/argument_spec.cpp", "lib/base/scaled_number.hpp"),
    ("tools/anycl/cache_command.cpp", "lib/base/scaled_number.hpp"),
    ("tools/anycl/environment_help.cpp", "lib/base/scaled_number.hpp"),
    ("tools/anycl/npy.cpp", "lib/base/quote.hpp"),
    ("tools/anycl/printable.cpp", "lib/base/utf8.hpp"),
    ("tools/anycl/run_command.cpp", "lib/base/scaled_number.hpp"),
}
INTEROP = "include/anycl/interop/opencl.hpp"
PEERS = {"bench/first_result_raw.cpp"}  # written without anycl, to be measured beside it
UMBRELLA = "include/anycl/anycl.hpp"
GENERATED = {"anycl/export.hpp": "base", "anycl/version.hpp": "base", "anycl_kernels.hpp": "program"}

POSIX = re.compile(
    r"(sys|net|netinet|arpa)/.+\.h|(aio|dirent|dlfcn|fcntl|fnmatch|ftw|glob|grp|langinfo|link|netdb|poll|pthread|pwd|"
    r"sched|semaphore|signal|spawn|strings|syslog|termios|ucontext|unistd|utime|wordexp)\.h"
)
PRIVATE_LIBRARIES = re.compile(r"(spdlog|fmt|nlohmann|CLI|sodium)[/.]")
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]')


def layer_of(path):
    """The layer of a file of include/ or lib/, None for the umbrella header."""
    parts = path.parts[2:] if path.parts[0] == "include" else path.parts[1:]
    if len(parts) < 2:
        return None
    return parts[0]


def find_include(root, path, name):
    """The file of this tree that `name`, included by `path`, means; None for a system or generated header."""
    program_root = pathlib.Path(*path.parts[:2]) if path.parts[0] in PROGRAMS else path.parent
    for folder in (path.parent, program_root, pathlib.Path("include"), pathlib.Path("lib")):
        candidate = folder / name
        if (root / candidate).is_file():
            return candidate
    return None


def check_system_header(path, name):
    if name.startswith("CL/"):
        in_library = path.parts[0] == "lib" and layer_of(path) != "base"
        if not in_library and path.as_posix() not in {INTEROP, *PEERS}:
            return "an OpenCL header belongs in lib/device and above, or comes by anycl/interop/opencl.hpp"
    if POSIX.fullmatch(name) and not path.name.startswith("os"):
        return "a POSIX header belongs in lib/base/os*"
    if POSIX.fullmatch(name) and path.parts[0] == "lib" and layer_of(path) != "base":
        return "a POSIX header belongs in lib/base/os*"
    if path.parts[0] == "include" and PRIVATE_LIBRARIES.match(name):
        return "a public header keeps the libraries anycl is built on to itself"
    return None


def check_program(path, target):
    if target is None or (path.as_posix(), target.as_posix()) in PRIVATE_ALLOWED:
        return None
    if target.parts[0] not in ("include", path.parts[0]):
        return f"{path.parts[0]} uses public headers only"
    return None


def check_library(path, name, target):
    own = layer_of(path)
    if target is None and name not in GENERATED:
        if name.startswith("anycl/"):
            return "no such header"
        return None
    if target is not None and target.parts[0] not in ("include", "lib"):
        return f"the library does not know {target.parts[0]}"
    if path.parts[0] == "include" and target is not None and target.parts[0] != "include":
        return "a public header includes public headers only"
    if path.as_posix() == UMBRELLA:
        if target is not None and target.as_posix() == INTEROP:
            return "anycl.hpp brings no OpenCL headers"
        return None
    if target is not None and target.as_posix() == UMBRELLA:
        return "anycl.hpp is for users; include what you need"

    other = GENERATED[name] if target is None else layer_of(target)
    for layer in (own, other):
        if layer not in RANKS:
            return f"unknown layer '{layer}'; a new one gets its rank in tools/dev/check_layers.py"
    if any(own == layer and name.startswith(seam) for layer, seam in SEAMS):
        return None
    if own != other and RANKS[own] <= RANKS[other]:
        relation = "is beside" if RANKS[own] == RANKS[other] else "is above"
        return f"{other} {relation} {own}"
    return None


def check_include(root, path, name):
    target = find_include(root, path, name)
    problem = check_system_header(path, name)
    if problem is None and path.parts[0] in PROGRAMS:
        return check_program(path, target)
    if problem is None:
        return check_library(path, name, target)
    return problem


def check_tree(root):
    """Returns the number of files read and one line per bad include."""
    files = 0
    problems = []
    for top in ("include", "lib") + PROGRAMS:
        for file in sorted((root / top).rglob("*")):
            if file.suffix not in (".hpp", ".cpp", ".h", ".inl"):
                continue
            files += 1
            path = file.relative_to(root)
            for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), start=1):
                match = INCLUDE.match(line)
                problem = match and check_include(root, path, match.group(1))
                if problem:
                    problems.append(f"{path}:{number}: {match.group(1)}: {problem}")
    return files, problems


# path: [(include, problem or None)]
SELF_TEST = {
    "include/anycl/base/error.hpp": [("<string>", None), ('"anycl/export.hpp"', None), ("<fmt/format.h>", "keeps")],
    "include/anycl/device/device.hpp": [('"anycl/base/error.hpp"', None), ("<CL/cl.h>", "OpenCL header")],
    "include/anycl/context/queue.hpp": [('"anycl/memory/buffer.hpp"', "memory is above context")],
    "include/anycl/program/argument.hpp": [('"anycl/context/queue.hpp"', None)],
    "include/anycl/program/kernel.hpp": [('"anycl/memory/buffer.hpp"', "memory is beside program")],
    "include/anycl/memory/buffer.hpp": [
        ('"anycl/program/argument.hpp"', None),
        ('"anycl/program/kernel.hpp"', "program is beside memory"),
        ('"device/table.hpp"', "public headers only"),
    ],
    "include/anycl/interop/opencl.hpp": [("<CL/cl.h>", None), ('"anycl/memory/buffer.hpp"', None)],
    "include/anycl/anycl.hpp": [('"anycl/memory/buffer.hpp"', None), ('"anycl/interop/opencl.hpp"', "no OpenCL")],
    "lib/base/os_file.cpp": [("<fcntl.h>", None), ("<sys/stat.h>", None), ("<CL/cl.h>", "OpenCL header")],
    "lib/base/log.cpp": [("<unistd.h>", "POSIX"), ("<spdlog/spdlog.h>", None), ('"device/table.hpp"', "above")],
    "lib/device/table.hpp": [("<CL/cl_ext.h>", None), ('"anycl/anycl.hpp"', "for users"), ('"anycl/no.hpp"', "no such")],
    "lib/device/os_pci.cpp": [("<unistd.h>", "POSIX"), ('"table.hpp"', None), ('"anycl_kernels.hpp"', "above")],
    "lib/extra/thing.cpp": [('"anycl/base/error.hpp"', "unknown layer")],
    "lib/image/run.cpp": [('"anycl_kernels.hpp"', None), ('"anycl/interop/opencl.hpp"', "interop is above image")],
    "tools/anycl/image/main.cpp": [('"anycl/anycl.hpp"', None), ('"device/table.hpp"', "public headers only")],
    "tools/anycl/table.cpp": [('"table.hpp"', None), ("<unistd.h>", "POSIX"), ('"anycl/interop/opencl.hpp"', None)],
    "tools/anycl/table.hpp": [],
    "lib/device/entry_points.hpp": [],
    "bench/bench_launch.cpp": [('"device/entry_points.hpp"', None), ('"device/table.hpp"', "public headers only")],
    "examples/first.cpp": [("<anycl/anycl.hpp>", None), ("<CL/cl.h>", "OpenCL header")],
}


def self_test():
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for name, includes in SELF_TEST.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text("".join(f"#include {include}\n" for include, _ in includes), encoding="utf-8")
        _, problems = check_tree(root)

    failures = 0
    for name, includes in SELF_TEST.items():
        for number, (include, want) in enumerate(includes, start=1):
            got = [problem for problem in problems if problem.startswith(f"{name}:{number}:")]
            right = bool(got and want in got[0]) if want else not got
            if not right:
                failures += 1
                print(f"{name}: #include {include}: wanted {want or 'no complaint'}, got {got or 'none'}")
    return failures


def main(arguments):
    if arguments == ["--self-test"]:
        failures = self_test()
        print(f"check_layers self-test: {failures} wrong answers")
        return 1 if failures else 0
    root = pathlib.Path(arguments[0]) if arguments else pathlib.Path(__file__).resolve().parents[2]
    files, problems = check_tree(root)
    print("\n".join(problems + [f"{files} files, {len(problems)} includes against the layers"]))
    return 1 if problems or not files else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
