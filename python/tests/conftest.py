"""What the tests share: the program beside the package, and the data that come with it."""

from __future__ import annotations

import json
import os
import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def ringdown() -> str:
    return str(ROOT / "examples" / "ringdown.csv")


@pytest.fixture(scope="session")
def program():
    """Runs the program and returns its standard output."""
    path = os.environ.get("LGN_PROGRAM")
    if not path or not os.path.exists(path):
        pytest.skip("LGN_PROGRAM does not name the program")

    def run(*arguments: object) -> str:
        command = [path, *map(str, arguments)]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    return run


@pytest.fixture(scope="session")
def fit_json(program):
    """What `lgn fit --json` says, as a dictionary."""
    return lambda *arguments: json.loads(program("fit", *arguments, "--json"))
