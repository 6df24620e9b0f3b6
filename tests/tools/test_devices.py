#!/usr/bin/env python3
# Needs: a driver with compiler, threads
"""`anycl devices`, `--version` and the help texts."""

import subprocess
import unittest

from anycl_command import DRIVER, CommandTest, running


class Devices(CommandTest):
    def test_the_table_ranks_the_device_of_this_driver_first(self):
        run = self.anycl("devices")

        headline, first, *_ = run.stdout.splitlines()
        self.assertEqual(headline.split()[:4], ["rank", "driver", "kind", "device"])
        self.assertEqual(first.split()[:2], ["0", DRIVER])

    def test_the_document_holds_what_the_table_shows(self):
        document = self.document("anycl.devices", "devices")

        first = document["devices"][0]
        self.assertEqual((first["rank"], first["driver"]), (0, DRIVER))
        self.assertGreater(first["global_memory_bytes"], 0)
        self.assertGreater(first["compute_units"], 0)
        self.assertTrue(first["reason"])

    def test_a_loop_limit_is_told_below_the_table(self):
        run = self.anycl("devices")

        told = "loops of a work-item end after 65535 iterations" in run.stderr
        self.assertEqual(told, DRIVER == "rusticl")

    def test_a_malformed_selection_is_refused(self):
        for selection in ["a:b:c:d", ",", "!", "cpu:0:x", "::"]:
            with self.subTest(selection):
                self.refused("devices", env={"ANYCL_DEVICES": selection}, says="ANYCL_DEVICES")

    def test_a_selection_that_leaves_nothing_says_why(self):
        none = {"ANYCL_DEVICES": f"!{DRIVER}"}

        run = self.anycl("devices", expect=3, env=none)
        document = self.document("anycl.devices", "devices", expect=3, env=none)

        self.assertRegex(run.stderr, r"anycl: no device left to use: [^\n]*left out by ANYCL_DEVICES[^\n]*\n\Z")
        self.assertIn("left out by ANYCL_DEVICES", run.stdout)  # the table is there all the same
        self.assertEqual({device["rank"] for device in document["devices"]}, {None})

    def test_a_device_left_out_keeps_its_reason_in_the_table(self):
        document = self.document("anycl.devices", "devices", env={"ANYCL_DEVICES": f"{DRIVER}:0"})

        for device in document["devices"][1:]:
            self.assertIsNone(device["rank"])
            self.assertTrue(device["reason"])

    def test_a_machine_without_driver_has_no_device(self):
        nothing = {"OCL_ICD_VENDORS": f"{self.folder}/"}

        self.refused("devices", code=3, env=nothing, says="no OpenCL platform")
        document = self.document("anycl.error", "devices", expect=3, env=nothing)

        self.assertEqual(document["error"]["exit_code"], 3)
        self.assertEqual(document["error"]["kind"], "no_device")


class Version(CommandTest):
    def test_library_loader_and_drivers_are_named(self):
        lines = self.anycl("--version").stdout.splitlines()

        self.assertRegex(lines[0], r"^anycl +\d+\.\d+\.\d+$")
        self.assertRegex(lines[1], r"^loader +/.*OpenCL")
        self.assertRegex(lines[2], r"^driver +\S")

    def test_a_machine_without_driver_has_a_version(self):
        run = self.anycl("--version", env={"OCL_ICD_VENDORS": f"{self.folder}/"})

        self.assertIn("driver  none", run.stdout)

    def test_a_broken_loader_is_named_and_no_failure(self):
        self.write("libOpenCL.so.1", b"not a library")
        broken = {"LD_LIBRARY_PATH": str(self.folder)}

        self.assertIn("libOpenCL.so.1", self.anycl("--version", env=broken).stdout)
        self.assertIsNone(self.document("anycl.version", "--version", env=broken)["loader"])
        self.refused("devices", code=3, env=broken, says="libOpenCL.so.1")


class Help(CommandTest):
    def test_each_command_has_help_with_examples(self):
        for words in [[], ["devices"], ["doctor"], ["build"], ["run"], ["cache"], ["image"], ["image", "run"], ["image", "filters"], ["image", "scene"]]:
            with self.subTest(words):
                run = self.anycl(*words, "--help")

                self.assertEqual(run.stderr, "")
                self.assertIn("Example", run.stdout)

    def test_help_of_run_lists_every_filter_with_its_formula(self):
        filters = self.document("anycl.image.filters", "image", "filters")["filters"]
        text = " ".join(self.anycl("image", "run", "--help").stdout.split())

        self.assertEqual({"gaussian", "median", "sobel", "equalize"} - {entry["name"] for entry in filters}, set())
        for entry in filters:
            self.assertIn(entry["formula"], text)

    def test_environment_variables_show_what_is_in_force(self):
        text = self.anycl("--help", "env", env={"ANYCL_LOG": "error", "ANYCL_CACHE": "junk"}).stdout

        names = "DEVICES DRIVERS PROBE PROBE_LIMIT WORKER BUILD BUILD_MEMORY BUILD_LIMIT LOG CACHE CACHE_DIR SYSTEM_CACHE_DIR QUIRKS TEARDOWN_LIMIT"
        for name in [f"ANYCL_{name}" for name in names.split()]:
            self.assertIn(f"\n{name}\n", text)
        self.assertIn("in force: 'error'", text)
        self.assertIn("'junk' is set, which is not understood", text)

    def test_words_that_mean_nothing_are_refused(self):
        for words in [[], ["devices", "--bogus"], ["nonsense"], ["image"], ["--help", "nonsense"], ["devices", "x"]]:
            with self.subTest(words):
                self.refused(*words, says="--help'")

    def test_bad_usage_with_json_is_a_document(self):
        document = self.document("anycl.error", "devices", "--bogus", expect=2)

        self.assertEqual(document["error"]["exit_code"], 2)

    def test_a_reader_that_takes_nothing_is_a_failure(self):
        with open("/dev/full", "wb") as full, running("image", "filters", stdout=full, stderr=subprocess.PIPE) as anycl:
            _, message = anycl.communicate(timeout=60)

        self.assertEqual(anycl.returncode, 2)
        self.assertIn(b"stdout", message)


if __name__ == "__main__":
    unittest.main()
