#!/usr/bin/python3
"""check_pages.py ROOT: every link of README.md and docs/*.md, read as they are, leads to a file and a heading that are there.

Links to the reports of the gallery are left out: the site alone has them, and check_links.py looks at those.
"""

from __future__ import annotations

import pathlib
import re
import sys

FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r'\]\(([^)\s]+)\)|(?:href|src)="([^"]+)"')


def place_of(heading: str) -> str:
    """What hosts of repositories call it."""
    return re.sub(r"[^\w\- ]", "", re.sub(r"[`*_]", "", heading.strip()).lower()).replace(" ", "-")


def main() -> None:
    root = pathlib.Path(sys.argv[1]).resolve()
    problems = []
    for page in [root / "README.md", *sorted((root / "docs").glob("*.md"))]:
        for pair in LINK.findall(FENCE.sub("", page.read_text(encoding="utf-8"))):
            link = pair[0] or pair[1]
            if re.match(r"https?:|gallery/", link):
                continue
            file, _, place = link.partition("#")
            target = page.parent / file if file else page
            if not target.exists():
                problems.append(f"{page.relative_to(root)}: there is no {link}")
            elif place and target.suffix == ".md":
                headings = re.findall(r"^#+ (.*)$", target.read_text(encoding="utf-8"), re.MULTILINE)
                if place not in map(place_of, headings):
                    problems.append(f"{page.relative_to(root)}: there is no heading {link}")
    print("\n".join(problems), file=sys.stderr, end="\n" if problems else "")
    sys.exit(bool(problems))


if __name__ == "__main__":
    main()
