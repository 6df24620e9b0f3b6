#!/usr/bin/env python3
# Needs: no driver
# Cases: OCL-001 OCL-004 OCL-005 OCL-016 OCL-019 OCL-020 OCL-022 OCL-023
"""`anycl doctor` on made-up machines: broken loaders and driver files, drivers that hang and die, cards, device nodes."""

import ctypes
import grp
import os
import pathlib
import shutil
import subprocess
import time
import unittest

from anycl_command import SANITIZED, CommandTest, running
from driver_folder import BUILD, DriverFolder

LIMIT = "--limit=30" if SANITIZED else "--limit=3"  # of drivers that answer
NOT_READABLE = 0o000


class MachineTest(CommandTest):
    """The stub runs no self-test's kernel, so the examinations here are quick ones."""

    def setUp(self):
        super().setUp()
        self.drivers = DriverFolder(self.folder / "vendors")
        self.root = self.folder / "root"
        self.root.mkdir()

    def examine(self, *words, healthy, limit=LIMIT, env=None, **options):
        """The document on the drivers of the folder and on what is below the root."""
        environment = self.drivers.variables | (env or {})
        words = ["doctor", "--quick", limit, "--root", self.root, *words]
        document = self.document("anycl.doctor", *words, expect=0 if healthy else 1, env=environment, **options)
        self.assert_failures_have_advice(document)
        return document

    def start_anew(self):
        """With no driver, no card and no node."""
        for folder in [self.drivers.folder, self.root]:
            shutil.rmtree(folder)
        self.drivers = DriverFolder(self.drivers.folder)
        self.root.mkdir()

    def driver(self, document, name):
        (driver,) = [driver for driver in document["drivers"] if driver["name"] == name]
        return driver

    def only(self, checks, name):
        (check,) = [check for check in checks if check["check"] == name]
        return check

    def assert_works(self, driver):
        self.assertEqual({check["status"] for check in driver["checks"]}, {"ok"})
        self.assertEqual(len(driver["devices"]), 1)


class Drivers(MachineTest):
    def examine_beside_healthy(self, settings, limit=LIMIT):
        """The findings on a stub with these settings; the healthy one beside it must work."""
        self.drivers.add_stub("healthy").add_stub("odd", settings)
        document = self.examine(healthy=False, limit=limit)
        self.assert_works(self.driver(document, "healthy"))
        return self.driver(document, "odd")

    def assert_process_fails(self, driver, *texts):
        finding = self.only(driver["checks"], "process")
        self.assertEqual(finding["status"], "fail")
        for text in texts:
            self.assertIn(text, finding["text"])
        self.assertIn("odd.icd", finding["advice"])

    def test_a_driver_that_hangs_is_named_with_what_it_was_asked(self):
        hung = self.examine_beside_healthy("platforms=sleep:1000", limit="--limit=1")

        self.assert_process_fails(hung, "did not answer in 1 s while asking for platforms and devices")
        self.assertEqual(hung["devices"], [])

    def test_a_driver_that_takes_for_ever_to_load_is_named(self):
        hung = self.examine_beside_healthy("load=sleep:1000", limit="--limit=1")

        self.assert_process_fails(hung, "did not answer in 1 s while opening ", "libodd.so")

    def test_a_driver_that_aborts_is_named(self):
        for settings, step in [("load=abort", "opening"), ("platforms=abort", "asking for platforms")]:
            with self.subTest(settings):
                self.start_anew()

                self.assert_process_fails(self.examine_beside_healthy(settings), "Aborted", f"while {step}")

    def test_a_driver_without_platform_is_named(self):
        for settings in ["platforms=none", "platforms=error:-30", "load=fail"]:
            with self.subTest(settings):
                self.start_anew()
                odd = self.examine_beside_healthy(settings)

                self.assertEqual(self.only(odd["checks"], "platform")["status"], "fail")

    def test_a_driver_that_answers_nonsense_when_asked_for_its_devices_is_not_healthy(self):
        odd = self.examine_beside_healthy("device-count=4000000000")

        (failure,) = [check for check in odd["checks"] if check["status"] == "fail"]
        self.assertEqual(failure["check"], "platform")
        self.assertIn("list of devices has 4000000000 entries", failure["text"])
        self.assertEqual(odd["devices"], [])

    def test_a_build_that_crashes_is_told_on_its_device(self):
        self.drivers.add_stub("odd", "build=crash")
        document = self.document("anycl.doctor", "doctor", LIMIT, expect=1, env=self.drivers.variables)

        (device,) = self.driver(document, "odd")["devices"]
        text = self.only(device["checks"], "process")["text"]
        self.assertIn("ended with exit code" if SANITIZED else "Segmentation fault", text)
        self.assertIn("while running the self-test 'build' on stub device", text)

    def test_a_build_that_never_ends_is_told_on_its_device(self):
        self.drivers.add_stub("odd", "build=never")
        document = self.document("anycl.doctor", "doctor", "--limit=1", expect=1, env=self.drivers.variables)

        (device,) = self.driver(document, "odd")["devices"]
        self.assertIn("did not answer in 12 s while running", self.only(device["checks"], "process")["text"])

    def test_what_a_driver_prints_hides_no_finding(self):
        self.drivers.add_stub("odd", "chatter=loading...")

        driver = self.driver(self.examine(healthy=True), "odd")

        self.assert_works(driver)
        self.assertEqual([check["check"] for check in driver["checks"]], ["library", "platform"])

    def test_a_platform_without_devices_is_one_warning(self):
        self.drivers.add_stub("healthy").add_stub("odd", "devices=none;platform-name=Upgraded")

        document = self.examine(healthy=True)

        (warning,) = [check for check in self.driver(document, "odd")["checks"] if check["status"] == "warn"]
        self.assertIn("Upgraded", warning["text"])
        self.assertIn("has no device", warning["text"])

    def test_each_bad_driver_file_is_told_with_its_fault(self):
        not_a_library = self.write("libnothing.so", b"nothing")
        self.drivers.add_stub("healthy").add_file("lost", "/nowhere/libLost.so").add_file("bare", "libNowhere.so.3")
        self.drivers.add_file("empty", "").add_file("text", not_a_library).add_file("other", "libc.so.6")

        document = self.examine(healthy=False)

        self.assert_works(self.driver(document, "healthy"))
        for name, text, advice in [
            ("lost", "/nowhere/libLost.so", "again, or remove"),
            ("bare", "libNowhere.so.3", "absolute path"),
            ("empty", "is empty", "remove"),
            ("text", "libnothing.so", "again, or remove"),
            ("other", "not an OpenCL driver", "remove"),
        ]:
            finding = self.only(self.driver(document, name)["checks"], "library")
            self.assertEqual(finding["status"], "fail", name)
            self.assertIn(text, finding["text"])
            self.assertIn(advice, finding["advice"])

    def test_a_driver_file_that_names_a_loader_is_told(self):
        self.drivers.add_stub("healthy").add_file("loop", "libOpenCL.so.1")

        document = self.examine(healthy=False)

        self.assertIn("loader, not a driver", self.only(self.driver(document, "loop")["checks"], "library")["text"])

    def test_a_name_with_bytes_that_nobody_sees_is_told_with_the_remedy(self):
        self.drivers.add_stub("healthy")
        library = self.drivers.folder / "libhealthy.so"
        for name, text in [
            ("windows", f"{library}\r\n".encode()),
            ("mark", f"\ufeff{library}\n".encode()),
            ("blank", f"{library} \n".encode()),
        ]:
            (self.drivers.folder / f"{name}.icd").write_bytes(text)

        document = self.examine(healthy=False)

        for name, text in [("windows", "carriage return"), ("mark", "byte order mark"), ("blank", "blank")]:
            finding = self.only(self.driver(document, name)["checks"], "library")
            self.assertIn(text, finding["text"])
            subprocess.run(finding["advice"], shell=True, check=True)  # as told
            self.assert_works(self.driver(self.examine("--driver", name, healthy=True), name))

    def test_a_library_of_another_machine_is_told_as_that(self):
        self.drivers.add_stub("healthy")
        whole = (self.drivers.folder / "libhealthy.so").read_bytes()
        for name, place, value, text in [("machine", 18, 183, "aarch64, 64 bit"), ("class", 4, 1, "32 bit")]:
            library = self.write(f"lib{name}.so", whole[:place] + bytes([value]) + whole[place + 1 :])
            self.drivers.add_file(name, library)

            document = self.examine(healthy=False)

            finding = self.only(self.driver(document, name)["checks"], "library")
            self.assertIn(f"lib{name}.so is built for another machine", finding["text"])
            self.assertIn(text, finding["text"])
            self.assertIn(f"remove '{self.drivers.folder}/{name}.icd'", finding["advice"])

    def lacking(self, name):
        """A driver's library that asks for two that are not there."""
        library = self.drivers.add_stub(name).folder / f"lib{name}.so"
        content = library.read_bytes()
        for needed, missing in [(b"libstdc++.so.6\0", b"libstdcXX.so.6\0"), (b"libc.so.6\0", b"libX.so.6\0")]:
            self.assertIn(needed, content)
            content = content.replace(needed, missing)
        library.write_bytes(content)
        return library

    def test_all_libraries_that_are_missing_are_named(self):
        self.drivers.add_stub("healthy")
        self.lacking("lacking")

        finding = self.only(self.driver(self.examine(healthy=False), "lacking")["checks"], "library")

        for missing in ["libstdcXX.so.6", "libX.so.6"]:
            self.assertIn(missing, finding["text"])
        self.assertIn("install the packages", finding["advice"])

    def test_what_a_library_beside_lacks_is_named_and_not_that_one(self):
        self.lacking("lacking").rename(self.folder / "libstdcXX.so.6")
        self.lacking("lacking")

        document = self.examine(healthy=False, env={"LD_LIBRARY_PATH": str(self.folder)})

        text = self.only(self.driver(document, "lacking")["checks"], "library")["text"]
        self.assertIn("libX.so.6", text)
        self.assertNotIn("libstdcXX.so.6", text)

    def test_a_damaged_library_is_told_and_does_no_harm(self):
        self.drivers.add_stub("healthy")
        whole = (self.drivers.folder / "libhealthy.so").read_bytes()
        for length in [20, 64, 500, 4096]:
            self.drivers.add_file("cut", self.write("libcut.so", whole[:length]))

            finding = self.driver(self.examine("--driver", "cut", healthy=False), "cut")["checks"][0]

            self.assertIn("libcut.so", finding["text"])

    def test_a_library_that_is_no_file_is_not_waited_for(self):
        os.mkfifo(self.folder / "libfifo.so")
        self.drivers.add_stub("healthy").add_file("fifo", self.folder / "libfifo.so")

        document = self.examine(healthy=False, timeout=20, limit="--limit=60")

        text = self.only(self.driver(document, "fifo")["checks"], "library")["text"]
        self.assertIn("libfifo.so cannot be opened: it is no regular file", text)

    def test_a_link_to_nothing_is_told_as_that(self):
        self.drivers.add_stub("healthy")
        (self.drivers.folder / "gone.icd").symlink_to("/nowhere/gone.icd")

        finding = self.only(self.driver(self.examine(healthy=False), "gone")["checks"], "library")

        self.assertIn("a link to what is not there", finding["advice"])

    def test_a_vendor_folder_that_may_not_be_read_is_told_as_that(self):
        self.drivers.add_stub("healthy")
        self.drivers.folder.chmod(NOT_READABLE)
        self.addCleanup(self.drivers.folder.chmod, 0o700)
        options = {"preexec_fn": drop_file_capabilities} if os.geteuid() == 0 else {}

        finding = self.only(self.examine(healthy=False, **options)["machine"], "driver files")

        self.assertIn("cannot be read: Permission denied", finding["text"])
        self.assertIn(f"chmod a+rx '{self.drivers.folder}", finding["advice"])

    def test_a_machine_without_driver_is_told_what_to_install(self):
        for place in [self.drivers.folder, self.folder / "nowhere"]:
            with self.subTest(place):
                document = self.examine(healthy=False, env={"OCL_ICD_VENDORS": f"{place}/"})

                self.assertIn(str(place), self.only(document["machine"], "driver files")["text"])
                self.assertIn("pocl-opencl-icd", self.only(document["hardware"], "devices")["advice"])

    def test_a_child_of_the_command_starts_no_children(self):
        run = self.anycl("doctor", "--examine", "", timeout=20)

        self.assertIn("anycl doctor: ", run.stdout)

    def test_the_text_goes_on_past_a_driver_that_dies(self):
        self.drivers.add_stub("healthy").add_stub("a", "load=abort")

        run = self.anycl("doctor", "--quick", LIMIT, expect=1, env=self.drivers.variables)

        self.assertRegex(run.stdout, r"driver a, .*\n  FAIL  process +was ended by signal 6")
        self.assertRegex(run.stdout, r"driver healthy, .*\n  ok    library")
        self.assertRegex(run.stdout, r"\n\nnot healthy: 1 check failed, .*\n\Z")


class Loaders(MachineTest):
    def test_a_loader_that_is_no_library_is_named(self):
        self.drivers.add_stub("healthy")
        self.write("libOpenCL.so.1", b"not a library")

        document = self.examine(healthy=False, env={"LD_LIBRARY_PATH": str(self.folder)})

        loader = self.only(document["machine"], "loader")
        self.assertIn(f"{self.folder}/libOpenCL.so.1", loader["text"])
        self.assertIn(f"LD_LIBRARY_PATH='{self.folder}' brings in other libraries", loader["advice"])
        self.assertEqual(self.driver(document, "healthy")["checks"][0]["status"], "skip")

    def test_a_loader_without_a_symbol_is_named_with_the_symbol(self):
        loader = self.only(self.examine(healthy=False)["machine"], "loader")["text"].split(" (")[0]
        library = pathlib.Path(loader).read_bytes()
        self.write("libOpenCL.so.1", library.replace(b"\0clEnqueueFillBuffer\0", b"\0clEnqueueFillBuffe_\0"))

        document = self.examine(healthy=False, env={"LD_LIBRARY_PATH": str(self.folder)})

        text = self.only(document["machine"], "loader")["text"]
        self.assertIn(f"{self.folder}/libOpenCL.so.1", text)
        self.assertIn("clEnqueueFillBuffer", text)

    def test_the_loader_is_told_by_file_name_and_version(self):
        loader = self.only(self.examine(healthy=False)["machine"], "loader")["text"]

        self.assertRegex(loader, r"^/.*libOpenCL\.so.* \(.* \d+\.\d+\.\d+\)$")

    def test_a_single_driver_file_is_taken_in_place_of_the_folder(self):
        self.drivers.add_stub("healthy").add_stub("other")

        document = self.examine(healthy=True, env={"OCL_ICD_VENDORS": str(self.drivers.folder / "healthy.icd")})

        self.assertEqual([driver["name"] for driver in document["drivers"]], ["healthy"])

    def test_a_variable_that_the_loader_ignores_is_a_warning(self):
        self.drivers.add_stub("healthy")

        document = self.examine(healthy=True, env={"OCL_ICD_FILENAMES": "libother.so"})

        warned = [check["text"] for check in document["machine"] if check["status"] == "warn"]
        self.assertEqual(warned, ["OCL_ICD_FILENAMES is set, and ocl-icd ignores it"])

    def test_variables_in_force_are_told(self):
        document = self.examine(healthy=False, env={"ANYCL_LOG": "error", "CUDA_VISIBLE_DEVICES": "1", "UNRELATED": "x",
                                                    "ANYCL_DRIVERS": "!*"})

        told = {check["text"]: check["status"] for check in document["machine"] if check["check"] == "variable"}
        self.assertEqual(told["ANYCL_LOG='error'"], "ok")
        self.assertEqual(told["CUDA_VISIBLE_DEVICES='1' hides devices"], "warn")
        self.assertEqual(told["ANYCL_DRIVERS='!*' hides devices"], "warn")
        self.assertFalse(any("UNRELATED" in text for text in told))


class Layers(MachineTest):
    LAYER = BUILD / "lib" / "libanycl_crashing_layer.so"

    def examine_under(self, *layers, crash, healthy=False):
        self.drivers.add_stub("healthy")
        variables = {"OPENCL_LAYERS": ":".join(map(str, layers)), "ANYCL_CRASHING_LAYER": crash}
        return self.examine(healthy=healthy, env=variables)

    def test_a_layer_that_does_nothing_is_no_fault(self):
        document = self.examine_under(self.LAYER, crash="never", healthy=True)

        self.assert_works(self.driver(document, "healthy"))

    def test_a_layer_that_crashes_is_blamed_and_no_driver(self):
        driver = self.driver(self.examine_under(self.LAYER, crash="devices"), "healthy")

        self.assertEqual(len(driver["devices"]), 1)
        (failure,) = [check for check in driver["checks"] if check["status"] == "fail"]
        self.assertEqual(failure["check"], "layer")
        self.assertIn(f"{self.LAYER} ends the process, which does well without it", failure["text"])
        self.assertIn("was ended by signal 6 (Aborted) while asking for platforms and devices", failure["text"])
        self.assertIn("OPENCL_LAYERS", failure["advice"])

    def test_of_several_layers_the_one_that_crashes_is_named(self):
        other = self.write("libother.so", self.LAYER.read_bytes().replace(b"_CRASHING_", b"_TAME_____"))

        driver = self.driver(self.examine_under(other, self.LAYER, crash="devices"), "healthy")

        text = self.only(driver["checks"], "layer")["text"]
        self.assertTrue(text.startswith(str(self.LAYER)), text)

    def test_a_layer_that_crashes_with_the_loader_is_told_once(self):
        document = self.examine_under(self.LAYER, crash="init")

        told = [check for check in document["machine"] if check["check"] == "layer" and check["status"] == "fail"]
        of_driver = self.driver(document, "healthy")["checks"]
        told += [check for check in of_driver if check["status"] == "fail"]
        self.assertEqual([check["check"] for check in told], ["layer"])
        self.assertEqual(len(self.driver(document, "healthy")["devices"]), 1)

    def test_a_driver_that_crashes_without_layers_too_is_blamed_itself(self):
        self.drivers.add_stub("odd", "platforms=abort")

        document = self.examine_under(self.LAYER, crash="never")

        self.assertEqual(self.only(self.driver(document, "odd")["checks"], "process")["status"], "fail")
        self.assert_works(self.driver(document, "healthy"))


KHRONOS = pathlib.Path(os.environ.get("ANYCL_ORACLE_PYTHON", "/nowhere/oracle/bin/python")).parents[2] / "intel" / "lib"


@unittest.skipUnless((KHRONOS / "libOpenCL.so.1").exists(), "no loader of Khronos on this machine; run ./scripts/test")
class KhronosLoader(MachineTest):
    def examine_under_it(self, **env):
        self.drivers.add_stub("healthy")
        return self.examine(healthy="OCL_ICD_VENDORS" not in env, env={"LD_LIBRARY_PATH": str(KHRONOS), **env})

    def test_its_drivers_are_examined(self):
        document = self.examine_under_it()

        loader = self.only(document["machine"], "loader")
        self.assertIn("Khronos OpenCL ICD Loader", loader["text"])
        self.assertEqual(loader["status"], "warn")
        self.assertIn("found by LD_LIBRARY_PATH", loader["text"])
        self.assert_works(self.driver(document, "healthy"))

    def test_libraries_named_by_a_variable_are_drivers_too(self):
        library = DriverFolder(self.folder / "other").add_stub("other").folder / "libother.so"

        document = self.examine_under_it(OCL_ICD_FILENAMES=str(library))

        self.assert_works(self.driver(document, str(library)))

    def test_a_single_file_in_place_of_the_folder_is_told(self):
        document = self.examine_under_it(OCL_ICD_VENDORS=str(self.drivers.folder / "healthy.icd"))

        self.assertIn("takes a folder", self.only(document["machine"], "driver files")["text"])


class TemporaryFiles(MachineTest):
    def setUp(self):
        super().setUp()
        self.place = self.folder / "tmp"
        self.place.mkdir()

    def examine_here(self):
        return self.examine("--driver", "healthy", healthy=True, env={"TMPDIR": str(self.place)})

    def start_one_that_hangs(self):
        """A run whose driver takes for ever, as soon as that is being examined."""
        environment = os.environ | self.drivers.variables | {"TMPDIR": str(self.place)}
        words = ["doctor", "--quick", "--limit=100", "--driver", "hanging"]
        process = self.enterContext(running(*words, env=environment, stdout=subprocess.DEVNULL))
        waited_until = time.monotonic() + 60
        while not any(name.endswith("hanging.icd") for _, _, names in os.walk(self.place) for name in names):
            self.assertLess(time.monotonic(), waited_until)
            time.sleep(0.01)
        return process

    def test_what_a_killed_run_left_is_removed_by_the_next(self):
        self.drivers.add_stub("healthy").add_stub("hanging", "load=sleep:1000")
        process = self.start_one_that_hangs()

        process.kill()
        process.wait()
        left = list(self.place.iterdir())
        self.examine_here()

        self.assertEqual(len(left), 1)
        self.assertEqual(list(self.place.iterdir()), [])

    def test_what_belongs_to_others_stays(self):
        self.drivers.add_stub("healthy").add_stub("hanging", "load=sleep:1000")
        for name in ["anycl-master", "anycl-ABCDEF"]:
            (self.place / name).mkdir(mode=0o700)
        (self.place / "anycl-LINKED").symlink_to(self.folder)
        self.start_one_that_hangs()
        before = sorted(self.place.iterdir())

        self.examine_here()

        self.assertEqual(sorted(self.place.iterdir()), before)
        self.assertEqual(len(before), 4)

    def test_without_a_place_for_them_the_examination_goes_on(self):
        self.drivers.add_stub("healthy")
        for place in [self.folder / "missing", self.write("file", b"")]:
            with self.subTest(place):
                document = self.examine(healthy=True, env={"TMPDIR": str(place)})

                finding = self.only(document["machine"], "temporary files")
                self.assertEqual(finding["status"], "warn")
                self.assertIn("set TMPDIR", finding["text"])
                self.assert_works(self.driver(document, "healthy"))


class Remembered(MachineTest):
    """What programs were told of drivers, and believe until they forget it."""

    def setUp(self):
        super().setUp()
        self.cache = self.folder / "cache"
        self.variables = {"ANYCL_PROBE": "", "ANYCL_PROBE_LIMIT": "30", "ANYCL_CACHE": "",
                          "ANYCL_CACHE_DIR": str(self.cache)}

    def remembered(self, healthy=True, **env):
        document = self.examine(healthy=healthy, env=self.variables | env)
        return {
            driver["name"]: check for driver in document["drivers"] for check in driver["checks"]
            if check["check"] == "remembered"
        }

    def try_drivers(self):
        self.anycl("devices", env=self.drivers.variables | self.variables)

    def mend(self, name):
        (self.drivers.folder / f"lib{name}.so.settings").write_text("")

    def test_a_driver_that_is_left_out_though_it_works_again_is_told_with_the_way_back(self):
        self.drivers.add_stub("healthy").add_stub("odd", "platforms=abort")
        self.try_drivers()
        self.mend("odd")

        found = self.remembered()
        self.anycl("cache", "clear", env=self.variables)
        forgotten = self.remembered()

        self.assertEqual(set(found), {"odd"})
        self.assertEqual(found["odd"]["status"], "warn")
        self.assertIn("programs leave it out, as it was tried before: ", found["odd"]["text"])
        self.assertIn("signal 6", found["odd"]["text"])
        self.assertIn("anycl cache clear", found["odd"]["advice"])
        self.assertEqual(forgotten, {})

    def test_a_compiler_that_failed_is_told_too(self):
        self.drivers.add_stub("healthy").add_stub("odd", "build=crash;platform-name=Odd one")
        self.try_drivers()

        found = self.remembered()

        self.assertEqual(set(found), {"odd"})
        self.assertIn("only by name, whose compiler failed before", found["odd"]["text"])

    def test_nothing_is_told_where_nothing_is_believed(self):
        self.drivers.add_stub("healthy").add_stub("odd", "platforms=abort")
        before = self.remembered(healthy=False)
        self.try_drivers()

        self.assertEqual(before, {})
        for mode in ["child", "inline"]:
            self.assertEqual(self.remembered(healthy=False, ANYCL_PROBE=mode), {})

    def test_looking_changes_nothing(self):
        self.drivers.add_stub("healthy").add_stub("odd", "platforms=abort")
        self.remembered(healthy=False)
        self.assertFalse(self.cache.exists())
        self.try_drivers()
        for file in self.cache.iterdir():
            os.utime(file, (1e9, 1e9))

        self.remembered(healthy=False)

        self.assertEqual({file.stat().st_mtime for file in self.cache.iterdir()}, {1e9})


class KernelCache(MachineTest):
    def setUp(self):
        super().setUp()
        self.drivers.add_stub("healthy")
        self.cache = self.folder / "cache"

    def finding(self, **env):
        document = self.examine(healthy=True, env={"ANYCL_CACHE_DIR": str(self.cache), "ANYCL_CACHE": "", **env})
        return self.only(document["machine"], "kernel cache")

    def test_a_folder_that_is_not_there_is_fine_and_stays_away(self):
        self.assertEqual(self.finding()["status"], "ok")
        self.assertFalse(self.cache.exists())

    def test_programs_are_counted(self):
        self.cache.mkdir(mode=0o700)

        finding = self.finding()

        self.assertEqual(finding["status"], "ok")
        self.assertRegex(finding["text"], f"^{self.cache}: 0 programs, 0 B of .* free$")

    def test_damaged_files_are_named(self):
        self.cache.mkdir(mode=0o700)
        (self.cache / f"{'0' * 64}.bin").write_bytes(b"junk")

        finding = self.finding()

        self.assertEqual(finding["status"], "warn")
        self.assertIn("1 are damaged: 0000", finding["text"])
        self.assertIn("anycl cache prune", finding["advice"])

    def test_a_place_that_cannot_be_written_to_is_a_warning(self):
        plain = self.write("plain", b"")  # not a folder: not even root makes files in it

        self.assertIn("plain cannot be written to", self.finding(ANYCL_CACHE_DIR=f"{plain}/cache")["text"])
        self.assertEqual(self.finding(ANYCL_CACHE_DIR=f"{plain}/cache", ANYCL_CACHE="readonly")["status"], "ok")

    def test_a_folder_of_others_is_a_warning(self):
        self.cache.mkdir()
        self.cache.chmod(0o777)

        self.assertIn("writable by others", self.finding()["text"])

    def test_a_cache_that_is_off_is_not_judged(self):
        self.assertEqual(self.finding(ANYCL_CACHE="off")["status"], "skip")


class Cards(MachineTest):
    def add_card(self, place, vendor, device="0x1234", pci_class="0x030000", module=None):
        folder = self.root / "sys/bus/pci/devices" / place
        folder.mkdir(parents=True)
        for name, text in [("vendor", vendor), ("device", device), ("class", pci_class)]:
            (folder / name).write_text(f"{text}\n")
        if module:
            (folder / "driver").symlink_to(f"../../../bus/pci/drivers/{module}")

    def add_node(self, name):
        node = self.root / "dev" / name
        node.parent.mkdir(parents=True, exist_ok=True)
        node.write_bytes(b"")

    def card(self, place, document):
        (card,) = [check for check in document["hardware"] if place in check["text"]]
        return card

    def test_a_card_without_driver_is_told_what_to_install(self):
        self.drivers.add_stub("healthy")
        for place, vendor, package in [
            ("0000:01:00.0", "0x10de", "nvidia-opencl-icd"),
            ("0000:02:00.0", "0x1002", "mesa-opencl-icd"),
            ("0000:00:02.0", "0x8086", "intel-opencl-icd"),
        ]:
            with self.subTest(place):
                self.add_card(place, vendor, "0x1234")

                card = self.card(place, self.examine(healthy=True))

                self.assertEqual(card["status"], "warn")
                self.assertIn(f"{vendor[2:]}:1234", card["text"])
                self.assertIn(package, card["advice"])

    def test_a_card_whose_driver_answers_is_fine(self):
        self.drivers.add_stub("nvidia", "devices=nvidia-rtx-3090")
        self.add_card("0000:01:00.0", "0x10de", "0x2204")

        card = self.card("0000:01:00.0", self.examine(healthy=True))

        self.assertEqual(card["status"], "ok")
        self.assertIn("driver nvidia", card["text"])

    def test_a_card_whose_kernel_module_is_not_loaded_is_told_to_load_it(self):
        for installed, module, text in [
            (False, None, "its kernel module nvidia is not loaded"),
            (True, None, "its kernel module nvidia is not loaded"),
            (True, "nouveau", "the kernel drives it by nouveau, not by nvidia"),
        ]:
            with self.subTest(installed=installed, module=module):
                self.start_anew()
                if installed:
                    self.drivers.add_stub("nvidia-opencl", "platforms=none")
                self.add_card("0000:01:00.0", "0x10de", module=module)

                card = self.card("0000:01:00.0", self.examine(healthy=False))

                self.assertIn(text, card["text"])
                self.assertIn("sudo modprobe nvidia", card["advice"])
                self.assertIn("reboot", card["advice"])
                self.assertEqual("install nvidia-opencl-icd" in card["advice"], not installed)

    def test_a_card_without_its_drivers_package_is_told_to_install_that_alone(self):
        self.add_card("0000:01:00.0", "0x10de", module="nvidia")

        document = self.examine(healthy=False)

        card = self.card("0000:01:00.0", document)
        self.assertIn("none of its maker is installed", card["text"])
        self.assertNotIn("modprobe", card["advice"])
        self.assertIn("-1001", self.only(document["hardware"], "devices")["text"])
        self.assertIn("as told above", self.only(document["hardware"], "devices")["advice"])

    def test_a_card_without_device_node_is_told_so(self):
        for vendor, module, name, node in [
            ("0x10de", "nvidia", "nvidia-opencl", "nvidia0"),
            ("0x1002", "amdgpu", "amdocl64", "dri/renderD128"),
            ("0x8086", "xe", "igdrcl", "dri/renderD129"),
        ]:
            with self.subTest(vendor):
                self.start_anew()
                self.drivers.add_stub(name, "devices=none")
                self.add_card("0000:01:00.0", vendor, module=module)

                before = self.card("0000:01:00.0", self.examine(healthy=False))
                self.add_node(node)
                after = self.card("0000:01:00.0", self.examine(healthy=False))

                self.assertIn("has no device node (/dev/", before["text"])
                self.assertIn(f"is not seen by driver {name}, which is installed", after["text"])
                self.assertIn("reboot", after["advice"])

    def test_a_card_set_aside_for_a_virtual_machine_is_told_so(self):
        self.drivers.add_stub("healthy")
        self.add_card("0000:01:00.0", "0x10de", module="vfio-pci")

        self.assertIn("virtual machine", self.card("0000:01:00.0", self.examine(healthy=True))["text"])

    def test_of_two_cards_and_one_device_one_is_not_seen(self):
        for model, vendor, module, seen in [
            ("nvidia-rtx-3090", "0x10de", "nvidia", "0000:01:00.0"),  # it tells its place
            ("nvidia-gtx-1060", "0x10de", "nvidia", "0000:05:00.0"),
            ("amd-rx-7900-xtx", "0x1002", "amdgpu", "0000:01:00.0"),  # its place is no card's: it may be any
        ]:
            with self.subTest(model):
                self.start_anew()
                self.drivers.add_stub("one", f"devices={model}")
                for place in ["0000:01:00.0", "0000:05:00.0"]:
                    self.add_card(place, vendor, module=module)

                document = self.examine(healthy=True)

                for place in ["0000:01:00.0", "0000:05:00.0"]:
                    self.assertEqual(self.card(place, document)["status"], "ok" if place == seen else "warn")
                (unseen,) = [card for card in document["hardware"] if card["status"] == "warn"]
                self.assertIn("driver one answers for another card alone", unseen["text"])

    def test_two_drivers_of_one_card_do_not_stand_for_two(self):
        self.drivers.add_stub("placed", "devices=amd-vega-8").add_stub("elsewhere", "devices=amd-rx-7900-xtx")
        for place in ["0000:09:00.0", "0000:0a:00.0"]:
            self.add_card(place, "0x1002", module="amdgpu")

        document = self.examine(healthy=True)

        self.assertEqual(self.card("0000:0a:00.0", document)["status"], "ok")
        self.assertIn("is not seen", self.card("0000:09:00.0", document)["text"])

    def test_accelerators_of_amd_are_cards_and_those_of_intel_are_not(self):
        self.drivers.add_stub("healthy")
        self.add_card("0000:01:00.0", "0x1002", "0x74a1", pci_class="0x120000")
        self.add_card("0000:00:0b.0", "0x8086", "0x7d1d", pci_class="0x120000")

        (card,) = self.examine(healthy=True)["hardware"]

        self.assertIn("AMD card 1002:74a1", card["text"])

    def test_nothing_that_lies_there_is_waited_for(self):
        self.drivers.add_stub("healthy")
        self.add_card("0000:01:00.0", "0x10de")
        for name in ["vendor", "class", "device"]:
            folder = self.root / "sys/bus/pci/devices" / f"no {name}"
            shutil.copytree(self.root / "sys/bus/pci/devices/0000:01:00.0", folder)
            (folder / name).unlink()
            os.mkfifo(folder / name)
        (self.root / "dev/dri").mkdir(parents=True)
        os.mkfifo(self.root / "dev/dri/renderD128")
        os.mkfifo(self.root / "dev/nvidia0")

        document = self.examine(healthy=True, timeout=30)

        self.assertIn("10de:1234", self.card("0000:01:00.0", document)["text"])

    def test_a_root_that_is_no_folder_is_refused(self):
        for root in [self.folder / "nowhere", self.write("file", b"")]:
            self.refused("doctor", "--quick", "--root", root, says=["--root", str(root), "is no folder"])

    def test_a_processor_of_the_same_maker_is_no_driver_for_a_card(self):
        self.drivers.add_stub("xeon", "devices=intel-xeon")
        self.add_card("0000:00:02.0", "0x8086", "0x9a49")

        self.assertEqual(self.card("0000:00:02.0", self.examine(healthy=True))["status"], "warn")

    def test_what_cannot_compute_is_not_mentioned(self):
        self.drivers.add_stub("healthy")
        self.add_card("0000:03:00.0", "0x1af4", "0x1050")  # a virtual machine's display
        self.add_card("0000:04:00.0", "0x10de", "0x10f0", pci_class="0x040300")  # sound of a graphics card

        self.assertEqual(self.examine(healthy=True)["hardware"], [])

    def test_no_card_is_judged_by_one_driver_alone(self):
        self.drivers.add_stub("healthy").add_stub("nvidia", "devices=nvidia-rtx-3090")
        self.add_card("0000:01:00.0", "0x10de", "0x2204")

        self.assertEqual(self.examine("--driver", "healthy", healthy=True)["hardware"], [])


class DeviceNodes(MachineTest):
    def setUp(self):
        super().setUp()
        self.drivers.add_stub("healthy")

    def add_node(self, name, mode):
        node = self.root / "dev" / name
        node.parent.mkdir(parents=True, exist_ok=True)
        node.write_bytes(b"")
        node.chmod(mode)
        return node

    def nodes(self, **options):
        """Of a user who may not pass file modes by, as root may."""
        if os.geteuid() == 0:
            options["preexec_fn"] = drop_file_capabilities
        document = self.examine(**options)
        return [check for check in document["machine"] if check["check"] == "device node"]

    def test_nodes_that_open_are_fine(self):
        for name in ["dri/renderD128", "kfd", "nvidia0"]:
            self.add_node(name, 0o666)
        self.add_node("tty7", NOT_READABLE)

        self.assertEqual([node["status"] for node in self.nodes(healthy=True)], ["ok", "ok", "ok"])

    def test_a_node_that_does_not_open_is_named(self):
        node = self.add_node("dri/renderD128", NOT_READABLE)

        (finding,) = self.nodes(healthy=False)

        self.assertEqual(finding["status"], "fail")
        self.assertIn(f"{node} cannot be opened: Permission denied", finding["text"])
        if os.getegid() == 0:
            self.assertIn("install its driver's package again", finding["advice"])  # nobody is to join root's group
        else:
            self.assertIn("give its group", finding["advice"])

    @unittest.skipIf(os.geteuid() != 0, "only root can give a node to a group that it is not in")
    def test_a_group_without_a_name_is_one_of_another_system(self):
        names = {entry.gr_gid for entry in grp.getgrall()}
        group = next(number for number in range(4321, 5321) if number not in names)
        node = self.add_node("dri/renderD128", 0o660)
        os.chown(node, 1, group)

        (finding,) = self.nodes(healthy=False)

        self.assertIn(f"--group-add {group}", finding["advice"])

    @unittest.skipIf(os.geteuid() != 0, "only root can give a node to a group that it is not in")
    def test_the_group_to_join_is_named(self):
        group = next(entry for entry in grp.getgrall() if entry.gr_gid not in os.getgroups() and entry.gr_gid != 0)
        node = self.add_node("dri/renderD128", 0o660)
        os.chown(node, 1, group.gr_gid)

        (finding,) = self.nodes(healthy=False)

        self.assertIn(f"join the group '{group.gr_name}'", finding["advice"])
        self.assertIn(f"usermod -a -G {group.gr_name} ", finding["advice"])


def drop_file_capabilities():
    """Takes CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH from what this process starts."""
    for capability in [1, 2]:
        ctypes.CDLL(None).prctl(24, capability, 0, 0, 0)  # PR_CAPBSET_DROP


if __name__ == "__main__":
    unittest.main()
