#!/usr/bin/env python3
# Needs: a driver with compiler
"""`anycl doctor` on a healthy driver: what it says, and what programs may rely on in its document."""

import os
import unittest

from anycl_command import DRIVER, CommandTest

SELF_TESTS = [
    *"build char uchar short ushort int uint long ulong float double half atomics".split(),
    *("local atomics", "barriers", "local memory", "sub-groups", "odd copies", "64-bit indices", "images"),
    *("long loop", "timers", "stored build"),
]
SKIPPED = {
    "pocl": {"half", "sub-groups"},
    "intel": set(),
    "rusticl": {"double", "half", "sub-groups"},
    "oclgrind": {"half", "sub-groups"},
}
SPLIT = os.environ.get("ANYCL_TEST_DRIVER") == "pocl-split"
IMAGES_ABORT = unittest.skipIf(SPLIT, "PoCL 3.1 aborts where an image is written in a context of sub-devices")
WARNED = {"rusticl": {"long loop", "timers"}, "oclgrind": {"stored build"}}


class Doctor(CommandTest):
    def examined(self, **options):
        """The document, and all devices in it."""
        document = self.document("anycl.doctor", "doctor", **options)
        return document, [device for driver in document["drivers"] for device in driver["devices"]]

    @IMAGES_ABORT
    def test_a_healthy_driver_passes_every_self_test_or_says_why_not(self):
        document, devices = self.examined()

        self.assertTrue(document["healthy"])
        self.assertTrue(devices)
        for device in devices:
            self.assertEqual(device["driver"], DRIVER)
            checks = {check["check"]: check for check in device["checks"]}
            self.assertEqual(list(checks), ["facts", *SELF_TESTS])
            for status, expected in [("skip", SKIPPED[DRIVER]), ("warn", WARNED.get(DRIVER, set()))]:
                found = {name for name, check in checks.items() if check["status"] == status}
                self.assertEqual(found, expected, checks)

    @IMAGES_ABORT
    def test_the_document_has_all_members(self):
        document, devices = self.examined()

        self.assertEqual(
            set(document), {"schema", "version", "healthy", "counts", "machine", "drivers", "hardware"}
        )
        self.assertEqual(set(document["counts"]), {"ok", "warn", "fail", "skip"})
        for driver in document["drivers"]:
            self.assertEqual(set(driver), {"name", "file", "library", "checks", "devices"})
        for device in devices:
            facts = {"name", "driver", "kind", "id", "pci_place", "vendor_id", "driver_version"}
            self.assertEqual(set(device), facts | {"checks"})
        checks = [*document["machine"], *document["hardware"]]
        for holder in [*document["drivers"], *devices]:
            checks += holder["checks"]
        for check in checks:
            self.assertEqual(set(check), {"check", "status", "text", "advice"})
        for status, count in document["counts"].items():
            self.assertEqual(count, sum(check["status"] == status for check in checks))

    @IMAGES_ABORT
    def test_the_text_is_short_and_ends_with_the_verdict(self):
        brief = self.anycl("doctor")
        whole = self.anycl("doctor", "--verbose")

        self.assertEqual(brief.stderr, "")
        self.assertRegex(brief.stdout, r"\n\nhealthy: \d+ ok, \d+ warnings?, \d+ skipped\n\Z")
        self.assertRegex(brief.stdout, r"\n  ok +checks +facts, build, char, ")
        self.assertRegex(whole.stdout, r"\n  ok +barriers +right in groups of 1, 3, 7, ")
        self.assertLess(len(brief.stdout.splitlines()), len(whole.stdout.splitlines()))

    def test_without_self_tests_nothing_is_built(self):
        _, devices = self.examined_quickly()

        for device in devices:
            self.assertEqual([check["check"] for check in device["checks"]], ["facts"])

    def examined_quickly(self):
        document = self.document("anycl.doctor", "doctor", "--quick")
        return document, [device for driver in document["drivers"] for device in driver["devices"]]

    @IMAGES_ABORT
    def test_nothing_is_left_behind(self):
        self.anycl("doctor", env={"TMPDIR": str(self.folder)})

        self.assertEqual(self.contents(), {})

    def test_one_driver_can_be_asked_for_by_the_name_of_its_file(self):
        (driver, *_), _ = self.examined_quickly()[0]["drivers"], None

        document = self.document("anycl.doctor", "doctor", "--quick", "--driver", driver["name"])

        by_glob = self.document("anycl.doctor", "doctor", "--quick", "--driver", driver["name"][:2].upper() + "*")

        self.assertEqual([found["name"] for found in document["drivers"]], [driver["name"]])
        self.assertEqual([found["name"] for found in by_glob["drivers"]], [driver["name"]])
        self.refused("doctor", "--driver", "nonsense", says=["no driver is called 'nonsense'", driver["name"]])

    def test_bad_limits_are_refused(self):
        for limit in ["0", "-1", "x", "3601", ""]:
            with self.subTest(limit):
                self.refused("doctor", f"--limit={limit}", says="--limit")


if __name__ == "__main__":
    unittest.main()
