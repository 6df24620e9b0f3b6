#!/usr/bin/env python3
# Needs: a driver with compiler, threads
# Cases: OCL-100 OCL-101
"""`anycl cache`: what is stored is told, checked and removed."""

import os
import time
import unittest

from anycl_command import CommandTest, noise_png


class Cache(CommandTest):
    def setUp(self):
        super().setUp()
        self.cache = self.folder / "kernels"
        self.env = {"ANYCL_CACHE_DIR": str(self.cache), "ANYCL_CACHE": "on"}
        self.photo = self.write("photo.png", noise_png(17, 31))

    def filter(self, pipeline="sobel"):
        self.anycl("image", "run", pipeline, self.photo, "-o", self.folder / "out.png", env=self.env)

    def entries(self):
        return sorted(path for path in self.cache.iterdir() if path.suffix == ".bin")

    def cached(self, *words, **options):
        return self.anycl("cache", *words, env=self.env, **options)

    def told(self, *words, schema="anycl.cache", **options):
        return self.document(schema, "cache", *words, env=self.env, **options)

    def test_the_path_is_one_line_whether_it_is_there_or_not(self):
        self.assertEqual(self.cached("path").stdout, f"{self.cache}\n")
        self.assertEqual(self.told("path", schema="anycl.cache.path")["folder"], str(self.cache))
        self.assertFalse(self.cache.exists())

    def test_an_empty_cache_is_no_error_and_is_not_made(self):
        for command in ["list", "stats", "verify", "prune", "clear"]:
            self.cached(command)
        self.assertEqual(self.told("list")["programs"], [])
        self.assertFalse(self.cache.exists())

    def test_each_program_is_told(self):
        self.filter("sobel | median(3)")

        document = self.told("list")

        sizes = [entry.stat().st_size for entry in self.entries()]
        self.assertEqual(len(document["programs"]), len(sizes))
        self.assertEqual(document["bytes"], sum(sizes))
        self.assertEqual(document["limit"], 1 << 30)
        self.assertEqual(document["damaged"], [])
        by_source = {program["source"]: program for program in document["programs"]}
        sobel = by_source["image/sobel.cl"]
        self.assertIn("sobel", " ".join(sobel["kernels"]))
        self.assertLess(abs(sobel["used"] - time.time()), 3600)
        for member in "file device platform driver_version library_version".split():
            self.assertTrue(sobel[member], member)
        self.assertIn("options", sobel)
        lines = self.cached("list").stdout.splitlines()
        self.assertEqual(len(lines), 2 + len(sizes))
        self.assertRegex(lines[0], r"last used +size +source +kernels +device +driver")
        self.assertRegex(lines[-1], rf"^{len(sizes)} programs, [0-9.]+ KiB of 1.00 GiB$|MiB of")

    def test_statistics(self):
        self.filter()
        text = self.cached("stats").stdout
        self.assertIn(str(self.cache), text)
        self.assertRegex(text, r"programs +1\n")
        self.assertRegex(text, r"1 for +\S")

    def test_damaged_files_are_found_and_removed(self):
        self.filter("sobel | median(3)")
        damaged = self.entries()[0]
        damaged.write_bytes(damaged.read_bytes()[:-1])

        run = self.cached("verify", expect=1)
        self.assertIn("1 are damaged", run.stdout)
        self.assertIn(damaged.name, run.stderr)
        self.assertEqual([entry["file"] for entry in self.told("verify", expect=1)["damaged"]], [damaged.name])
        before = len(self.entries())
        self.assertIn("1 programs removed", self.cached("prune").stdout)

        self.assertEqual(len(self.entries()), before - 1)
        self.cached("verify")

    def test_pruning_keeps_what_was_used_last(self):
        self.filter("sobel")
        (old,) = self.entries()
        os.utime(old, (0, 0))
        self.filter("median(3)")
        (new,) = set(self.entries()) - {old}

        removed = self.told("prune", "--limit", str(new.stat().st_size), schema="anycl.cache.removed")

        self.assertEqual(removed["count"], 1)
        self.assertEqual(self.entries(), [new])

    def test_the_limit_in_force_is_what_pruning_goes_by(self):
        self.filter()
        self.assertEqual(self.told("prune", schema="anycl.cache.removed")["count"], 0)
        self.env["ANYCL_CACHE_LIMIT"] = "1K"
        self.assertEqual(self.told("list")["limit"], 1024)
        self.assertEqual(self.told("prune", schema="anycl.cache.removed")["count"], 1)

    def test_clear_removes_all_programs_and_the_next_run_builds(self):
        self.filter()
        self.cached("clear")
        self.assertEqual(self.entries(), [])
        self.filter()
        self.assertEqual(len(self.entries()), 1)

    def test_clear_forgets_drivers_that_were_tried(self):
        self.cache.mkdir(mode=0o700)
        for name in ["probe-1", "probe-2"]:
            (self.cache / name).write_text("not again")
            (self.cache / name).chmod(0o600)
        self.assertEqual(self.cached("prune").stdout, "0 programs removed, 0 B\n")
        self.assertTrue((self.cache / "probe-1").exists())

        run = self.cached("clear")

        self.assertEqual(run.stdout, "0 programs removed, 0 B\n2 drivers forgotten; each is tried again\n")
        self.assertEqual(list(self.cache.iterdir()), [])
        self.assertEqual(self.cached("clear").stdout, "0 programs removed, 0 B\n")

    def test_programs_are_exported_for_all_users(self):
        self.filter()
        place = self.folder / "for" / "all"

        told = self.told("export", str(place), schema="anycl.cache.exported")

        self.assertEqual((told["count"], told["folder"]), (1, str(place)))
        self.assertEqual([file.name for file in place.glob("*.bin")], [file.name for file in self.entries()])
        self.assertEqual(place.stat().st_mode & 0o777, 0o755)
        again = self.anycl("cache", "export", "all", env=self.env, cwd=place.parent).stdout
        self.assertEqual(again, f"1 programs copied to {place}\n")
        self.refused("cache", "export", says="FOLDER")
        self.refused("cache", "export", "", says="the name of FOLDER is empty")
        self.refused("cache", "export", str(self.cache), says="is the cache itself", env=self.env)

    def test_bad_requests(self):
        self.refused("cache", says="--help")
        self.refused("cache", "burn", says="--help")
        for limit in ["x", "-1", "1.5G", "5 K", "1k"]:
            self.refused("cache", "prune", f"--limit={limit}", says=["--limit", limit], env=self.env)

    def test_a_folder_that_is_not_the_users_alone(self):
        self.cache.mkdir()
        self.cache.chmod(0o777)
        for command in ["list", "stats", "verify", "prune", "clear"]:
            self.refused("cache", command, says=str(self.cache), env=self.env)

    def test_it_needs_no_driver(self):
        nothing = self.folder / "no drivers"
        nothing.mkdir()
        self.filter()
        self.env |= {"OCL_ICD_VENDORS": str(nothing)}
        self.assertEqual(len(self.told("list")["programs"]), 1)

    def test_names_cannot_drive_the_terminal(self):
        self.env["ANYCL_CACHE_DIR"] = str(self.folder / "bell\a\x1b[31m")
        os.mkdir(self.env["ANYCL_CACHE_DIR"], 0o700)
        text = self.cached("stats").stdout
        self.assertNotIn("\x1b", text)
        self.assertIn("\\x1b", text)


if __name__ == "__main__":
    unittest.main()
