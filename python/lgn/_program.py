"""The program that comes with the package."""

from __future__ import annotations

import os
import pathlib
import shutil

from ._errors import Error


def find_program() -> str:
    """The program `lgn`: what LGN_PROGRAM names, the one in this package, or the one on the path."""
    named = os.environ.get("LGN_PROGRAM")
    if named:
        return named
    inside = pathlib.Path(__file__).parent / "bin" / "lgn"
    if inside.is_file():
        return str(inside)
    found = shutil.which("lgn")
    if found and not pathlib.Path(found).read_bytes().startswith(b"#!"):
        return found
    raise Error("the program lgn is not there", "install it with `make install`, or set LGN_PROGRAM")
