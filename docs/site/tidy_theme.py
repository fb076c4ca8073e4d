#!/usr/bin/python3
"""tidy_theme.py SITE: the theme as Debian packages it, so that it works from a folder too.

Its style sheet asks the web server for normalize.css, and its script imports another as a module, which browsers refuse
to do from files: both are put in place of what asks for them.
"""

from __future__ import annotations

import pathlib
import re
import sys

NORMALIZE = pathlib.Path("/usr/share/javascript/normalize.css/normalize.css")


def main() -> None:
    static = pathlib.Path(sys.argv[1]) / "_static"
    sheet = static / "styles/furo.css"
    text = sheet.read_text(encoding="utf-8")
    sheet.write_text(re.sub(r"@import url\(/javascript/normalize\.css/normalize\.css\);", lambda _: NORMALIZE.read_text(encoding="utf-8"), text), encoding="utf-8")
    script, part = static / "scripts/furo.js", static / "scripts/gumshoe-patched.js"
    text = script.read_text(encoding="utf-8")
    imports = 'import Gumshoe from "./gumshoe-patched.js";'
    if imports in text:
        own = text.replace(imports, "")
        script.write_text(f"{part.read_text(encoding='utf-8')}\n(function () {{\n{own}\n}})();\n", encoding="utf-8")


if __name__ == "__main__":
    main()
