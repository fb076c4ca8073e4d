#!/usr/bin/python3
"""numbers.py ROOT: every number in the prose of the pages comes from somewhere that this check has looked at.

Numbers with a decimal point or a power of ten count, outside of code. Each must stand
- in a code or output block of the same page, which blocks.py compares with what the examples print; or
- on a page that the same paragraph, list item or row links to (for a row, also the paragraph before its table), or there with
  more digits: pages that experiments write are the output files of their commands, docs/bench.json that of `make bench`; or
- in numbers.txt, a line `page | number | what it is`: definitions, values that an example was given, what a named test asserts.
  A `*` for the number leaves a page out.
A line of numbers.txt that no page needs is an error too. Pages that commands write are not read, nor is the theory.
"""

from __future__ import annotations

import pathlib
import re
import sys

NOT_READ = {"theory.md", "architecture.md"}
FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)#\s]+)?(?:#[^)]*)?\)")
NUMBER = re.compile(r"(?<![\w.])(?:\d[\d,]*\.\d+(?:e[-+]?\d+)?|\d+e[-+]?\d+)")
ANY_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?(?:e[-+]?\d+)?")


def made_by_a_command(text: str) -> bool:
    return "made by `" in text.lower().split("\n## ")[0]


def plain(text: str) -> str:
    """Prose without comments, code and equations; line breaks inside of tags and addresses too."""
    for pattern in (r"<!--.*?-->", r"\$\$.*?\$\$", r"``.*?``", r"`[^`]*`", r"<[^>]*>"):
        text = re.sub(pattern, " ", text, flags=re.DOTALL)
    return text


def places(prose: str) -> list[str]:
    """Paragraphs, list items and rows of tables."""
    blocks = []
    for paragraph in re.split(r"\n\s*\n", prose):
        blocks += re.split(r"\n(?=\||- |\d+\. )", paragraph)
    return blocks


def unit(number: str) -> float:
    """That of the last digit."""
    mantissa, _, power = number.partition("e")
    return 10.0 ** (int(power or 0) - len(mantissa.partition(".")[2]))


def agrees(number: str, others: set[str]) -> bool:
    """Whether it stands there, or a number that rounds to it."""
    value = float(number.replace(",", ""))
    return number in others or any(
        unit(other) < unit(number) and abs(value - float(other.replace(",", ""))) <= 0.5001 * unit(number) for other in others
    )


def numbers_in(text: str) -> set[str]:
    return set(ANY_NUMBER.findall(text))


def explained(root: pathlib.Path) -> dict[tuple[str, str], str]:
    lines = (root / "docs/site/numbers.txt").read_text(encoding="utf-8").splitlines()
    rows = [[part.strip() for part in line.split("|")] for line in lines if line.strip() and not line.startswith("#")]
    return {(page, number): reason for page, number, reason in rows}


def main() -> None:
    root = pathlib.Path(sys.argv[1]).resolve()
    listed = explained(root)
    used: set[tuple[str, str]] = set()
    problems = []
    pages = [root / "README.md", *sorted((root / "docs").glob("*.md"))]
    for page in pages:
        text = page.read_text(encoding="utf-8")
        if page.name in NOT_READ or (page.name, "*") in listed or (page.name != "README.md" and made_by_a_command(text)):
            continue
        shown = numbers_in("\n".join(FENCE.findall(text)))
        prose = FENCE.sub("\n\n", text)
        before: list[str] = []
        for place in places(prose):
            row = place.lstrip().startswith("|")
            links = LINK.findall(place) + (before if row else [])
            before = before if row else links
            found = NUMBER.findall(plain(LINK.sub("]", place)))
            if not found:
                continue
            linked: set[str] = set()
            for target in links:
                file = (page.parent / target) if target else page
                if file.suffix in (".md", ".json") and file.exists():
                    linked |= numbers_in(file.read_text(encoding="utf-8"))
            for number in found:
                key = (page.name, number)
                if number in shown or agrees(number, linked):
                    continue
                if key in listed:
                    used.add(key)
                else:
                    problems.append(f"{page.relative_to(root)}: where does {number} come from? “{' '.join(place.split())[:90]}…”")
    problems += [f"docs/site/numbers.txt: no page needs “{page} | {number}”" for page, number in listed if number != "*" and (page, number) not in used]
    print("\n".join(problems), file=sys.stderr, end="\n" if problems else "")
    sys.exit(bool(problems))


if __name__ == "__main__":
    main()
