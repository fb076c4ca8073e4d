"""For pip: CMake builds the extension and the program, setuptools makes the wheel."""

from __future__ import annotations

import os
import pathlib
import re
import shutil
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

root = pathlib.Path(__file__).resolve().parent


class CMakeBuild(build_ext):
    """Builds with CMake and installs its component `python`, or takes it from the folder LGN_STAGE, where it is already."""

    def run(self) -> None:
        folder = pathlib.Path(self.build_temp).resolve()
        # In place, the package is imported from its sources.
        target = root / "python" if self.inplace else pathlib.Path(self.build_lib).resolve()
        if "LGN_STAGE" in os.environ:
            shutil.copytree(os.environ["LGN_STAGE"], target, dirs_exist_ok=True)
            return
        configure = ["cmake", "-S", str(root), "-B", str(folder), "-DCMAKE_BUILD_TYPE=Release"]
        configure += ["-G", "Ninja"] if shutil.which("ninja") else []
        configure += [f"-DPython_EXECUTABLE={sys.executable}", "-DLGN_BUILD_PYTHON=ON"]
        configure += ["-DLGN_BUILD_TESTS=OFF", "-DLGN_NEURAL=OFF", "-DLGN_WERROR=OFF"]
        jobs = os.environ.get("JOBS", str(os.cpu_count() or 2))
        subprocess.run(configure, check=True)
        build = ["cmake", "--build", str(folder), "--target", "lgn-package", "--parallel", jobs]
        subprocess.run(build, check=True)
        install = ["cmake", "--install", str(folder), "--component", "python", "--prefix", str(target)]
        subprocess.run(install, check=True)


version = re.search(r"project\(lgn VERSION ([0-9.]+)", (root / "CMakeLists.txt").read_text())
assert version is not None
setup(
    version=version.group(1),
    packages=["lgn"],
    package_dir={"lgn": "python/lgn"},
    package_data={"lgn": ["py.typed", "*.pyi"]},
    ext_modules=[Extension("lgn._lgn", sources=[])],
    cmdclass={"build_ext": CMakeBuild},
)
