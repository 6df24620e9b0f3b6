"""Folders of driver files for the anycl command to see: stub drivers, each with settings of its own, and others."""

import os
import pathlib
import shutil

BUILD = pathlib.Path(os.environ.get("ANYCL_TEST_BUILD", ""))


class DriverFolder:
    """A vendor folder, for the variable OCL_ICD_VENDORS; tests/stub_icd/README.md has the settings of stubs."""

    def __init__(self, folder):
        self.folder = folder
        self.folder.mkdir()

    def add_stub(self, name, settings=""):
        library = self.folder / f"lib{name}.so"
        shutil.copy(BUILD / "lib" / "libanycl_stub.so", library)
        (self.folder / f"lib{name}.so.settings").write_text(settings)
        return self.add_file(name, library)

    def add_file(self, name, library):
        (self.folder / f"{name}.icd").write_text(f"{library}\n")
        return self

    @property
    def variables(self):
        return {"OCL_ICD_VENDORS": f"{self.folder}/", "OCL_ICD_FILENAMES": "", "ANYCL_STUB": ""}
