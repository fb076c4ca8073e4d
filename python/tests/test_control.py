"""Model.to_control with python-control itself, from the environment that `make peers` makes."""

from __future__ import annotations

import os
import pathlib
import subprocess

import pytest

import lgn

HERE = pathlib.Path(__file__).resolve().parent
PYTHON = HERE.parents[1] / "build" / "peers-control" / "bin" / "python"


@pytest.fixture(scope="module")
def run():
    """Runs a command of that environment's interpreter with this package, and returns what it did."""
    if not PYTHON.exists():
        pytest.skip("python-control is not there; `make peers` installs it")
    environment = {**os.environ, "PYTHONPATH": str(pathlib.Path(lgn.__file__).resolve().parents[1])}

    def call(*arguments: object) -> subprocess.CompletedProcess[str]:
        command = [str(PYTHON), "-B", *map(str, arguments)]
        return subprocess.run(command, capture_output=True, text=True, env=environment)

    if call("-c", "import lgn").returncode != 0:
        pytest.skip(f"the package was built for another interpreter than {PYTHON}")
    return call


@pytest.mark.parametrize("options", [{"structure": "sd"}, {"channels": ["v1", "v3"], "states": 6}])
def test_control(run, ringdown, tmp_path, options):
    lgn.fit(ringdown, **options).save(tmp_path / "model.json")
    done = run(HERE / "with_control.py", tmp_path / "model.json")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("python-control ")
