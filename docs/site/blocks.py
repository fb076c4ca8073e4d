#!/usr/bin/python3
"""Fills the fenced blocks of a page from the examples, so that no code and no number is pasted by hand.

A block is preceded by one of

    <!-- code: examples/tutorial.sh [fit] -->      the lines under the comment `# [fit]`
    <!-- output: examples/tutorial.sh [fit] -->    what these lines print
    <!-- output: examples/tutorial.cpp -->         what the whole program prints
    <!-- output: examples/tutorial.sh [fit] without "structure" "…" -->
                                                   without the paragraphs that begin so, an ellipsis in their place

Files that an example writes into its folder are shown without it: `"$out/model.json"` as `model.json`.

blocks.py --lgn PROGRAM [--cpp PROGRAM] [--python FOLDER] [--write] PAGE… checks the pages against the
examples, or rewrites them. Output of a program that was not given is left as it is. Code must agree
to the letter; in output numbers may differ by what another processor's rounding does, and run times
by anything.
"""

from __future__ import annotations

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
MARKED = re.compile(
    r"(?P<head><!-- (?P<kind>code|output): (?P<file>\S+?)(?: \[(?P<part>\w+)\])?"
    r"(?: without (?P<without>[^>\n]+))? -->\n+```\w*\n)"
    r"(?P<body>.*?)(?P<tail>^```$)",
    re.MULTILINE | re.DOTALL,
)
LABEL = re.compile(r"^\s*(?:#|//) \[(\w+)\]\n", re.MULTILINE)
NUMBER = re.compile(r"(?<!\w)\d+(?:\.\d+)?(?:e[-+]\d+)?(?![0-9a-fA-F])")
OWN_FILE = re.compile(r'"\$(?:out|data|gallery)/([^"]+)"')
SECONDS = re.compile(r"\d[\d.e+-]* s$", re.MULTILINE)


def parts(text: str) -> dict[str, str]:
    """The text under each label, without the indentation that its lines share."""
    found = LABEL.split(text)
    sections = {}
    for name, body in zip(found[1::2], found[2::2]):
        lines = body.strip("\n").split("\n")
        margin = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
        sections[name] = "\n".join(line[margin:] for line in lines) + "\n"
    return sections


class Examples:
    """The examples, and what they print; each runs once."""

    def __init__(self, programs: argparse.Namespace) -> None:
        self._programs = programs
        self._printed: dict[str, dict[str | None, str]] = {}

    def code(self, file: str, part: str | None) -> str:
        text = (ROOT / file).read_text(encoding="utf-8")
        return OWN_FILE.sub(r"\1", parts(text)[part] if part else text)

    def output(self, file: str, part: str | None) -> str | None:
        """Nothing where the program that runs the example was not given."""
        if file not in self._printed:
            self._printed[file] = self._run(file)
        return self._printed[file].get(part)

    def _run(self, file: str) -> dict[str | None, str]:
        script = (ROOT / file).read_text(encoding="utf-8")
        environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
        ending = pathlib.Path(file).suffix
        given = {".sh": self._programs.lgn, ".py": self._programs.python, ".cpp": self._programs.cpp}[ending]
        if given is None:
            return {}
        given = str(pathlib.Path(given).resolve())
        with tempfile.TemporaryDirectory() as folder:
            environment["TUTORIAL"] = folder
            if ending == ".sh":
                environment["LGN"] = given
                command = ["sh", "-c", LABEL.sub(r'echo "@@\1"\n', script)]
            elif ending == ".py":
                environment["PYTHONPATH"] = given
                environment["PYTHONDONTWRITEBYTECODE"] = "1"
                command = ["/usr/bin/python3", "-c", LABEL.sub(r'print("@@\1")\n', script)]
            else:
                command = [given]
            done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
            printed = done.stdout.replace(folder + "/", "")
        if done.returncode != 0:
            sys.exit(f"{file}: exit status {done.returncode}\n{done.stderr}")
        pieces = re.split(r"^@@(\w+)\n", printed, flags=re.MULTILINE)
        return {None: pieces[0], **dict(zip(pieces[1::2], pieces[2::2]))}


def trimmed(printed: str, beginnings: list[str]) -> str:
    """What was printed, with an ellipsis in place of the paragraphs that begin so."""
    paragraphs = printed.strip("\n").split("\n\n")
    kept = ["…" if any(part.startswith(word) for word in beginnings) else part for part in paragraphs]
    return "\n\n".join(part for k, part in enumerate(kept) if k == 0 or (part, kept[k - 1]) != ("…", "…"))


def alike(printed: str, shown: str) -> bool:
    """The same words; numbers within 2% or one unit of their last digit but one."""
    printed, shown = SECONDS.sub("S s", printed), SECONDS.sub("S s", shown)
    words = [re.sub(r"[─ ]+", " ", NUMBER.sub("N", text)) for text in (printed, shown)]
    if words[0] != words[1]:
        return False

    def unit(number: str) -> float:
        mantissa, _, power = number.partition("e")
        return 10.0 ** (int(power or 0) - len(mantissa.partition(".")[2]))

    pairs = zip(NUMBER.findall(printed), NUMBER.findall(shown))
    return all(abs(float(a) - float(b)) <= max(0.02 * abs(float(b)), 10 * unit(b)) for a, b in pairs)


def fill(page: str, examples: Examples) -> tuple[str, list[str]]:
    """The page with its blocks filled, and which of them were not as they should be."""
    wrong: list[str] = []

    def renew(match: re.Match[str]) -> str:
        kind, file, part = match["kind"], match["file"], match["part"]
        text = examples.code(file, part) if kind == "code" else examples.output(file, part)
        if text is None:
            return match[0]
        if match["without"]:
            text = trimmed(text, re.findall(r'"([^"]+)"', match["without"]))
        text = text.strip("\n") + "\n"
        same = match["body"] == text if kind == "code" else alike(text, match["body"])
        if same:  # another run's seconds are no reason to change a page
            return match[0]
        wrong.append(f"{kind} of {file}" + (f" [{part}]" if part else ""))
        return match["head"] + text + match["tail"]

    return MARKED.sub(renew, page), wrong


def main() -> None:
    parser = argparse.ArgumentParser(description="fills or checks the blocks of pages")
    parser.add_argument("--lgn", help="the program, for scripts")
    parser.add_argument("--cpp", help="the compiled example")
    parser.add_argument("--python", help="the folder of the Python package")
    parser.add_argument("--write", action="store_true", help="write the pages instead of checking them")
    parser.add_argument("pages", nargs="+", type=pathlib.Path)
    arguments = parser.parse_args()
    examples = Examples(arguments)
    failed = False
    for page in arguments.pages:
        filled, wrong = fill(page.read_text(encoding="utf-8"), examples)
        if arguments.write:
            page.write_text(filled, encoding="utf-8")
            continue
        for what in wrong:
            print(f"{page}: not the {what}; `make tutorial` writes it", file=sys.stderr)
            failed = True
    sys.exit(failed)


if __name__ == "__main__":
    main()
