#!/usr/bin/env python3
# Needs: a driver with threads, layers
# Cases: OCL-025 OCL-026 OCL-028
"""`anycl devices -v` and `--json`: every fact of every device, also of one that tells next to nothing."""

import os
import unittest

from anycl_command import DRIVER, CommandTest

# What programs may rely on: the document of version 1 has at least these members for each device, whatever the driver.
NUMBERS = """global_memory_bytes max_allocation_bytes local_memory_bytes compute_units clock_mhz max_group_size
    address_bits""".split()
FLAGS = """fp64 fp16 correctly_rounded_divide_sqrt images host_unified_memory timestamps_trusted available
    has_compiler""".split()
TEXTS = """reason driver kind name vendor id platform platform_version driver_version opencl_version
    opencl_c_version""".split()
LISTS = """extensions extension_versions c_features opencl_c_versions intermediate_languages max_item_sizes known_faults
    warnings""".split()
OBJECTS = "queues atomics preferred_vector_widths native_vector_widths".split()
PERHAPS = """rank vendor_id uuid pci_place opencl opencl_c platform_opencl max_loop_iterations preferred_group_multiple
    non_uniform_groups sub_groups max_parameter_bytes command_buffer_version mutable_dispatch_version partitioning
    timer_resolution_ns local_memory_dedicated max_constant_bytes cache_bytes cache_line_bytes base_alignment_bytes
    error_correction little_endian svm usm image_limits""".split()
HAS = {  # facts that may be null and are not
    "pocl": {"svm", "partitioning", "image_limits", "command_buffer_version", "max_constant_bytes"},
    "intel": {"svm", "usm", "partitioning", "sub_groups", "image_limits", "uuid", "mutable_dispatch_version"},
    "rusticl": {"image_limits", "max_loop_iterations", "preferred_group_multiple"},
    "stub": {"cache_bytes", "base_alignment_bytes"},
}
LACKS = {
    "pocl": {"usm", "sub_groups", "uuid", "mutable_dispatch_version", "max_loop_iterations"},
    "intel": {"pci_place", "max_loop_iterations"},
    "rusticl": {"usm", "sub_groups", "uuid", "partitioning", "command_buffer_version"},
    "stub": {"image_limits", "sub_groups", "partitioning", "command_buffer_version", "pci_place"},
}


def under_layer(rules):
    return {"OPENCL_LAYERS": os.environ["ANYCL_TEST_LAYER_FILE"], "ANYCL_TEST_LAYER": rules}


def lines_of(run):
    """Name and value of each line of -v."""
    return dict(line.split(maxsplit=1) for line in run.stdout.splitlines() if len(line.split()) > 1)


class Facts(CommandTest):
    def only_device(self, **options):
        (device,) = self.document("anycl.devices", "devices", **options)["devices"]
        return device

    def test_the_document_has_all_members_whatever_the_driver(self):
        device = self.only_device()

        self.assertEqual(set(device), {*NUMBERS, *FLAGS, *TEXTS, *LISTS, *OBJECTS, *PERHAPS})
        for kind, names in [(int, NUMBERS), (bool, FLAGS), (str, TEXTS), (list, LISTS), (dict, OBJECTS)]:
            for name in names:
                self.assertIs(type(device[name]), kind, name)

    def test_what_is_not_there_is_null(self):
        device = self.only_device()

        self.assertEqual({name for name in HAS[DRIVER] if device[name] is None}, set())
        self.assertEqual({name for name in LACKS[DRIVER] if device[name] is not None}, set())

    def test_each_fact_has_a_line_with_its_unit(self):
        device = self.only_device()
        lines = lines_of(self.anycl("devices", "-v"))

        known = {name for name, value in device.items() if value not in ("", []) and name != "warnings"}
        self.assertEqual({name.split(".")[0] for name in lines}, known)
        self.assertIn(f"({device['global_memory_bytes']})", lines["global_memory_bytes"])
        self.assertEqual(lines["address_bits"], "64 bits")
        self.assertTrue(lines["clock_mhz"].endswith(" MHz"))
        self.assertEqual(lines["fp64"], "yes" if device["fp64"] else "no")
        self.assertEqual(lines["usm"] if DRIVER != "intel" else "-", "-")
        self.assertRegex(lines["max_item_sizes"], r"^\d+ x \d+ x \d+$")

    def test_known_faults_are_told_by_name(self):
        names = {fault["name"] for fault in self.only_device()["known_faults"]}

        expected = {"pocl": "pocl_binary_query", "intel": "intel_binary_arguments", "rusticl": "rusticl_loop_end"}
        if DRIVER in expected:
            self.assertIn(expected[DRIVER], names)
            without = self.only_device(env={"ANYCL_QUIRKS": f"!{expected[DRIVER]}"})
            self.assertNotIn(expected[DRIVER], {fault["name"] for fault in without["known_faults"]})

    def test_a_device_that_hides_its_name_is_shown_with_a_note(self):
        hidden = under_layer("answer CL_DEVICE_NAME error=-30")

        run = self.anycl("devices", env=hidden)

        self.assertIn("unnamed device 0", run.stdout)
        self.assertIn("device 0 does not tell its name", run.stderr)
        self.assertEqual(self.only_device(env=hidden)["name"], "unnamed device 0")

    def test_a_device_that_hides_everything_is_shown_with_notes(self):
        # Those that make it usable: available, compiler. The layer fills what it fails with bytes 0xCC.
        rules = "; ".join(f"fail clGetDeviceInfo:{query} code=-30" for query in self.queries())

        device = self.only_device(env=under_layer(rules))
        run = self.anycl("devices", "-v", env=under_layer(rules))

        self.assertEqual(device["global_memory_bytes"], 0)
        self.assertEqual(device["opencl_version"], "")
        self.assertIsNone(device["svm"])
        self.assertIsNone(device["timer_resolution_ns"])
        self.assertIn("does not tell its version, its compute units, its memory", run.stderr)
        self.assertNotIn("14757395258967641292", run.stdout)  # 0xCCCC...
        self.assertNotIn("3435973836", run.stdout)

    @staticmethod
    def queries():
        return [
            f"CL_DEVICE_{name}"
            for name in """NAME VENDOR VENDOR_ID VERSION OPENCL_C_VERSION MAX_COMPUTE_UNITS MAX_CLOCK_FREQUENCY
            GLOBAL_MEM_SIZE MAX_MEM_ALLOC_SIZE LOCAL_MEM_SIZE MAX_WORK_GROUP_SIZE MAX_WORK_ITEM_SIZES
            PROFILING_TIMER_RESOLUTION ADDRESS_BITS GLOBAL_MEM_CACHE_SIZE SVM_CAPABILITIES""".split()
        ]

    def test_long_names_come_whole(self):
        device = self.only_device(env=under_layer("answer CL_DEVICE_NAME long=10000"))

        self.assertEqual(len(device["name"]), 10000)

    def test_a_driver_that_refuses_all_newer_queries_has_its_old_facts(self):
        newer = "NUMERIC_VERSION EXTENSIONS_WITH_VERSION OPENCL_C_ALL_VERSIONS OPENCL_C_FEATURES ILS_WITH_VERSION"
        more = "PREFERRED_WORK_GROUP_SIZE_MULTIPLE NON_UNIFORM_WORK_GROUP_SUPPORT DEVICE_ENQUEUE_CAPABILITIES"
        refused = "; ".join(f"answer CL_DEVICE_{name} error=-30" for name in f"{newer} {more}".split())

        device = self.only_device(env=under_layer(refused))

        self.assertEqual(device["opencl"].split(".")[0], "3")
        self.assertTrue(device["opencl_c"])
        self.assertEqual(device["opencl_c_versions"][-1], device["opencl_c"])
        self.assertEqual(device["c_features"], [])
        self.assertIsNone(device["non_uniform_groups"])
        self.assertGreater(device["global_memory_bytes"], 0)


if __name__ == "__main__":
    unittest.main()
