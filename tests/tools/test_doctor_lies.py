#!/usr/bin/env python3
# Needs: a driver with compiler, layers
# Cases: OCL-007 OCL-008 OCL-025 OCL-026 OCL-028
"""`anycl doctor` on a driver that the test layer makes lie and fail: each fault shows where it is, and nowhere else."""

import os
import unittest

from anycl_command import DRIVER, CommandTest


class Lies(CommandTest):
    def checks(self, rules, *, healthy=True, quick=False):
        """Of the driver and its device, under a layer with these rules: {name: check}."""
        layer = {"OPENCL_LAYERS": os.environ["ANYCL_TEST_LAYER_FILE"], "ANYCL_TEST_LAYER": rules}
        words = ["doctor", *(["--quick"] if quick else [])]
        document = self.document("anycl.doctor", *words, env=layer, expect=0 if healthy else 1)
        self.assert_failures_have_advice(document)
        self.assertIn("libanycl_test_layer.so", self.named(document["machine"])["layer"]["text"])
        (driver,) = document["drivers"]
        found = self.named(driver["checks"])
        for device in driver["devices"]:
            found |= self.named(device["checks"]) | {"device": device}
        return found

    @staticmethod
    def named(checks):
        return {check["check"]: check for check in checks}

    @staticmethod
    def failed(checks):
        return {name for name, check in checks.items() if check.get("status") == "fail"}

    def test_one_wrong_byte_fails_one_self_test_that_says_where(self):
        for read, name in [(1, "build"), (2, "char"), (10, "float")]:
            with self.subTest(name):
                checks = self.checks(f"corrupt clEnqueueReadBuffer byte=0 at={read}", healthy=False)

                self.assertEqual(self.failed(checks), {name})
                self.assertRegex(checks[name]["text"], r"expected \S+, got \S+")

    def test_when_the_first_kernel_fails_the_others_are_not_tried(self):
        for rules in ["fail clBuildProgram code=-11", "corrupt clEnqueueReadBuffer byte=0"]:
            with self.subTest(rules):
                checks = self.checks(rules, healthy=False)

                self.assertEqual(self.failed(checks), {"build"})
                self.assertEqual(checks["stored build"]["text"], "the first kernel does not work")

    def test_a_context_that_cannot_be_made_is_told(self):
        checks = self.checks("fail clCreateContext code=-6", healthy=False)

        self.assertEqual(self.failed(checks), {"context"})
        self.assertIn("CL_OUT_OF_HOST_MEMORY", checks["context"]["text"])

    def test_a_device_that_is_lost_on_the_way_fails_what_follows(self):
        checks = self.checks("lost after=400 code=-36", healthy=False)

        self.assertEqual(checks["build"]["status"], "ok")
        self.assertIn("stored build", self.failed(checks))

    def test_missing_features_are_passed_by_with_the_reason(self):
        checks = self.checks("answer fp64=absent; answer fp16=absent; answer CL_DEVICE_IMAGE_SUPPORT number=0")

        for name, reason in [("double", "no fp64"), ("half", "no fp16"), ("images", "has none")]:
            self.assertEqual(checks[name]["status"], "skip")
            self.assertIn(reason, checks[name]["text"])

    def test_groups_of_one_are_enough(self):
        checks = self.checks("answer CL_DEVICE_MAX_WORK_ITEM_SIZES list=1,1,1")

        self.assertEqual(checks["barriers"]["text"], "right in groups of 1")

    def test_time_stamps_that_cannot_be_right_are_a_warning(self):
        for clock in ["zero", "reversed", "tick", "untouched"]:
            with self.subTest(clock):
                self.assertEqual(self.checks(f"clock {clock}")["timers"]["status"], "warn")

    def test_limits_with_which_nothing_can_run_are_no_health(self):
        for rule, text in [
            ("MAX_WORK_GROUP_SIZE number=0", "groups of 0 work-items"),
            ("MAX_WORK_ITEM_SIZES list=0,0,0", "groups of 0 x 0 x 0 work-items"),
            ("GLOBAL_MEM_SIZE number=0", "no memory"),
            ("MAX_MEM_ALLOC_SIZE number=0", "buffers of 0 bytes"),
            ("LOCAL_MEM_SIZE number=0", "no local memory"),
        ]:
            with self.subTest(rule):
                facts = self.checks(f"answer CL_DEVICE_{rule}", healthy=False, quick=True)["facts"]

                self.assertEqual(facts["status"], "fail")
                self.assertIn(text, facts["text"])

    def test_limits_that_no_device_has_are_a_warning(self):
        for rule in [
            f"MAX_COMPUTE_UNITS number={2**32 - 1}",
            f"MAX_WORK_GROUP_SIZE number={2**63}",
            f"GLOBAL_MEM_SIZE number={2**63}",
            f"MAX_MEM_ALLOC_SIZE number={2**63}",
            f"LOCAL_MEM_SIZE number={2**63}",
            "ADDRESS_BITS number=17",
        ]:
            with self.subTest(rule):
                facts = self.checks(f"answer CL_DEVICE_{rule}", quick=True)["facts"]

                self.assertEqual(facts["status"], "warn")
                self.assertIn("cannot be right", facts["text"])

    def test_a_list_of_devices_that_is_refused_is_a_failure(self):
        checks = self.checks("fail clGetDeviceIDs code=-5", healthy=False, quick=True)

        self.assertEqual(checks["platform"]["status"], "fail")
        self.assertIn("CL_OUT_OF_RESOURCES", checks["platform"]["text"])

    def test_a_queue_that_does_not_come_to_its_end_fails_the_test_that_used_it(self):
        checks = self.checks("fail clFinish code=-36 at=2", healthy=False)

        self.assertEqual(self.failed(checks), {"char"})
        self.assertIn("clFinish", checks["char"]["text"])

    def test_a_binary_that_is_refused_is_a_warning(self):
        checks = self.checks("fail clCreateProgramWithBinary code=-42")

        self.assertEqual(checks["stored build"]["status"], "warn")
        self.assertIn("refuses its own binary", checks["stored build"]["text"])

    def test_a_device_that_is_not_available_is_not_tried(self):
        checks = self.checks("answer CL_DEVICE_AVAILABLE number=0", healthy=False)

        self.assertEqual(self.failed(checks), {"facts"})
        self.assertNotIn("build", checks)

    def test_a_platform_without_devices_is_a_warning(self):
        checks = self.checks("fail clGetDeviceIDs code=-1", healthy=False)  # there is no other

        self.assertEqual(checks["platform"]["status"], "warn")
        self.assertIn("has no device", checks["platform"]["text"])

    def test_texts_come_whole_or_not_at_all(self):
        hidden = self.checks("answer CL_DEVICE_NAME error=-30", quick=True)
        long = self.checks("answer CL_DEVICE_NAME long=10000", quick=True)

        self.assertEqual(hidden["device"]["name"], "unnamed device 0")
        self.assertIn("does not tell its name", hidden["platform"]["text"])
        self.assertEqual(len(long["device"]["name"]), 10000)

    def test_a_driver_that_refuses_all_newer_queries_is_healthy(self):
        newer = "NUMERIC_VERSION EXTENSIONS_WITH_VERSION OPENCL_C_ALL_VERSIONS OPENCL_C_FEATURES ILS_WITH_VERSION"

        checks = self.checks("; ".join(f"answer CL_DEVICE_{name} error=-30" for name in newer.split()))

        self.assertEqual(checks["float"]["status"], "ok")

    def test_a_layer_that_is_not_there_is_a_warning(self):
        missing = {"OPENCL_LAYERS": f"{self.folder}/libnone.so:/dev/null"}

        document = self.document("anycl.doctor", "doctor", "--quick", env=missing)

        layers = [check for check in document["machine"] if check["check"] == "layer"]
        self.assertEqual([layer["status"] for layer in layers], ["warn", "warn"])
        self.assertIn("libnone.so cannot be opened", layers[0]["text"])

    def test_a_known_fault_is_a_warning_with_its_reason(self):
        checks = self.checks("")

        self.assertEqual(checks["long loop"]["status"] == "warn", DRIVER == "rusticl")
        if DRIVER == "rusticl":
            self.assertIn("end after 65535 iterations", checks["long loop"]["text"])


if __name__ == "__main__":
    unittest.main()
