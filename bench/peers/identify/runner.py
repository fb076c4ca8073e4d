"""The methods, and how each is run: in a process of its own, with one thread."""

from __future__ import annotations

import ast
import dataclasses
import json
import os
import pathlib
import subprocess
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
METHODS = HERE.parent / "methods"
BUILD = pathlib.Path(os.environ.get("LGN_BUILD", HERE.parents[2] / "build")).resolve()
LIMIT = 120  # seconds of processor time for one data set, the choice of settings included


@dataclasses.dataclass
class Method:
    module: str
    package: str = ""  # on PyPI; none: ours
    setting: str = ""  # where several are shown

    @property
    def key(self):
        return f"{self.module}:{self.setting}" if self.setting else self.module

    def words(self):
        """What it is called, and what it is given: the docstring of its module."""
        text = ast.get_docstring(ast.parse((METHODS / f"{self.module}.py").read_text(encoding="utf-8")))
        title, _, given = text.partition("\n\n")
        return title, " ".join(given.split())

    def command(self, files):
        python = BUILD / "peers/bin/python" if self.package else "/usr/bin/python3"
        return [python, "-B", HERE / "serve.py", self.key, str(LIMIT), *files]


ALL = [
    Method("lgn_auto"),
    Method("lgn_sd"),
    Method("lgn_full"),
    Method("pydmd_bopdmd", "PyDMD"),
    Method("pydmd_total", "PyDMD"),
    Method("pydmd_dmd", "PyDMD"),
    Method("control_era", "control"),
    Method("nfoursid_runs", "nfoursid"),
    Method("pysindy_weak", "pysindy"),
    Method("pysindy_known", "pysindy"),
    Method("pyoma2_ssi", "pyOMA_2"),
]
AMBIENT = [
    Method("lgn_ambient"),
    *(Method("pyoma2_cov", "pyOMA_2", rows) for rows in ("10", "20", "30")),
    *(Method("pyoma2_dat", "pyOMA_2", rows) for rows in ("10", "20", "30")),
]
DRIVEN = [
    Method("lgn_driven"),
    Method("nfoursid_driven", "nfoursid"),
    Method("control_markov", "control"),
    Method("slicot_n4sid", "octave-control"),
    Method("slicot_moesp", "octave-control"),
    Method("scipy_output_error", "scipy"),
]


def octave_control():
    """The version of Octave's package control, which holds SLICOT; nothing where it is not there."""
    code = "pkg load control; p = pkg('list', 'control'); printf('%s', p{1}.version)"
    try:
        said = subprocess.run(["octave-cli", "--quiet", "--eval", code], capture_output=True, text=True)
    except FileNotFoundError:
        return {}
    return {"octave-control": said.stdout.strip()} if said.returncode == 0 else {}


def installed():
    """Versions of the peers' packages by name; empty where there is no environment."""
    python = BUILD / "peers/bin/python"
    if not python.exists():
        return {}
    code = "import importlib.metadata as m; print(*(f'{d.name}=={d.version}' for d in m.distributions()))"
    said = subprocess.run([python, "-c", code], capture_output=True, text=True, check=True).stdout
    return {**dict(word.split("==") for word in said.split()), **octave_control()}


def run(method, files):
    """What the method found in every file; where its process ended early, why."""
    environment = {**os.environ, "PYTHONPATH": str(BUILD / "python")}
    if method.package:
        del environment["PYTHONPATH"]
    for variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "PYTHONHASHSEED"):
        environment[variable] = "1"
    with tempfile.TemporaryFile() as log:
        done = subprocess.run(method.command(files), stdout=subprocess.PIPE, stderr=log, env=environment, cwd=BUILD)
        # What packages print by themselves is no answer.
        found = [json.loads(line) for line in done.stdout.splitlines() if line.startswith(b"{")]
        if len(found) < len(files):
            log.seek(0)
            last = log.read().decode(errors="replace").strip().splitlines()[-1:]
            problem = (last or [f"ended with status {done.returncode}"])[0]
            found += [{"problem": problem}] * (len(files) - len(found))
    return found
