#!/usr/bin/python3
"""comments.py FOLDER: copies the headers of lgn/ there, as Doxygen should read them.

In the comments of the headers an equation is a line that is indented by four, and a table is a line with a gap in it and
those indented under it. Doxygen would run both into the sentence before; here they are marked as they stand.
"""

from __future__ import annotations

import pathlib
import re
import shutil
import sys

from blocks import ROOT

COMMENT = re.compile(r"^(\s*)///(?!<)( ?)(.*)$")
LIST = re.compile(r"^\s*(?:[*-]|\d+\.) ")
TABLE = re.compile(r"^\S+ {2,}\S")


def marked(text: str) -> str:
    """The text with equations and tables in its comments marked."""
    result: list[str] = []
    as_it_stands = in_list = in_table = False
    margin = ""
    for line in [*text.split("\n"), ""]:
        match = COMMENT.match(line)
        said = match[3] if match else ""
        indented = said.startswith("    ")
        if not said.startswith(" "):
            in_list = False
        in_list = in_list or bool(LIST.match(said))
        in_table = bool(TABLE.match(said)) or (in_table and indented)
        literal = match is not None and (in_table or (indented and not in_list))
        if literal != as_it_stands:
            margin = match[1] if literal else margin
            result.append(f"{margin}/// @{'verbatim' if literal else 'endverbatim'}")
        as_it_stands = literal
        result.append(line)
    return "\n".join(result[:-1])


def main() -> None:
    folder = pathlib.Path(sys.argv[1])
    shutil.rmtree(folder, ignore_errors=True)
    for header in sorted((ROOT / "lgn").rglob("*.h")):
        if header.name.endswith("_internal.h"):
            continue
        copy = folder / header.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(marked(header.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
