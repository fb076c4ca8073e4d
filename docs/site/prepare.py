#!/usr/bin/python3
"""Puts the sources of the site together in a folder: the pages of docs/, and those made from code.

prepare.py FOLDER --lgn PROGRAM [--cpp PROGRAM] [--python FOLDER] [--version V] [--archive FOLDER]: blocks of the pages are filled with what these
programs print now (blocks.py). Other versions are listed as the archive holds them. From the program's own help comes the page of commands, from the headers a
page for each room, and one about the Python package where its sources are there.
"""

from __future__ import annotations

import argparse
import pathlib
import re
import shutil
import subprocess

from blocks import ROOT, Examples, fill

ROOMS = {
    "": "identify(): the whole way in one call",
    "core": "errors, small linear algebra, least squares",
    "data": "trajectories: times, channels, runs, gaps",
    "dynamics": "the structure of the generator",
    "flow": "from a generator to states: exp, Magnus, their derivatives",
    "identify": "from data and a structure to parameters",
    "physics": "from a generator to modes, uncertainty and energy",
    "model": "the model, its file, warnings",
    "design": "element values that meet targets",
    "report": "tables, plots, networks drawn, the page, other languages",
}
MATHJAX = pathlib.Path("/usr/share/javascript/mathjax")
#: Of MathJax what TeX in and SVG out need: 3 MB of 54.
MATHJAX_PARTS = [
    "MathJax.js",
    "config/TeX-AMS_SVG.js",
    "extensions",
    "jax/element",
    "jax/input/TeX",
    "jax/output/SVG/autoload",
    "jax/output/SVG/config.js",
    "jax/output/SVG/jax.js",
    "jax/output/SVG/fonts/TeX",
]
TAG = re.compile(r"^(\$\$ .*\\tag\{(\d+)\} \$\$)$", re.MULTILINE)
OUTSIDE = re.compile(r"\]\(\.\./([^)#]+)\)")


def pages(folder: pathlib.Path, examples: Examples | None) -> None:
    """The pages of docs/ with their blocks filled (as they stand, without examples), equations that can be linked to, and files that they link to."""
    for page in sorted((ROOT / "docs").glob("*.md")):
        text = page.read_text(encoding="utf-8")
        text = fill(text, examples)[0] if examples else text
        text = TAG.sub(r"(eq-\2)=\n\1", text)
        for outside in OUTSIDE.findall(text):
            target = folder / "files" / outside
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / outside, target)
        text = OUTSIDE.sub(r"](files/\1)", text)
        if page.name == "index.md":
            text += contents((ROOT / "python/lgn/__init__.py").exists())
        (folder / page.name).write_text(text, encoding="utf-8")
    for pictures in ("images", "reproduction"):
        shutil.copytree(ROOT / "docs" / pictures, folder / pictures)
    shutil.copytree(ROOT / "docs/site/static", folder / "static")
    for part in MATHJAX_PARTS:
        source, target = MATHJAX / part, folder / "static/mathjax" / part
        target.parent.mkdir(parents=True, exist_ok=True)
        (shutil.copytree if source.is_dir() else shutil.copy)(source, target)


def contents(python: bool) -> str:
    """The table of contents."""
    parts = {
        "Begin": ["tutorial", "tasks", "gallery", "coming-from", "glossary"],
        "Measure": ["sensors", "planning", "preparing", "files"],
        "Identify": ["structures", "report", "troubleshooting", "limitations", "wiring", "time-varying", "nonlinear", "responses", "design"],
        "Use": ["commands", "python", "cpp", "model-file", "building"],
        "Understand": ["theory", "paper", "architecture"],
        "What is reached": ["identification", "networks", "varying", "nonlinear-study", "design-study", "records", "peers", "peers-driven", "speed", "scale", "reproduction"],
        "API reference": ["api/index", *(["api/python"] if python else [])],
        "Versions": ["versions"],
    }
    listed = {name for names in parts.values() for name in names}
    pages_left = {page.stem for page in (ROOT / "docs").glob("*.md")} - listed - {"index"}
    parts["Understand"] += sorted(pages_left)  # a new page is found before somebody thinks of its place
    lines = []
    for caption, names in parts.items():
        lines += ["", "```{toctree}", ":hidden:", f":caption: {caption}", "", *names, "```", ""]
    return "\n".join(lines)


def versions(folder: pathlib.Path, version: str, archive: pathlib.Path) -> None:
    """The sites of other versions, which `scripts/docs-versions` has put into the archive."""
    others = sorted((site.name for site in archive.glob("*") if (site / "index.html").exists()), reverse=True)
    rows = [f'<li><a href="versions/{name}/index.html">{name}</a></li>' for name in others]
    text = f"# Versions of these pages\n\nYou are reading those of lgn **{version}**."
    text += " Other versions:\n\n<ul>" + "".join(rows) + "</ul>\n" if rows else " No other version has been released.\n"
    (folder / "versions.md").write_text(text, encoding="utf-8")


def commands(folder: pathlib.Path, lgn: str) -> None:
    """The help of every command."""

    def help_of(*words: str) -> str:
        return subprocess.run([lgn, *words, "--help"], capture_output=True, text=True, check=True).stdout.rstrip()

    text = "# The command line\n\nWhat `lgn COMMAND --help` prints.\n\n```text\n" + help_of() + "\n```\n"
    for command in re.findall(r"^  ([a-z][a-z-]*)  ", help_of(), re.MULTILINE):
        text += f"\n## lgn {command}\n\n```text\n{help_of(command)}\n```\n"
    (folder / "commands.md").write_text(text, encoding="utf-8")


def api(folder: pathlib.Path) -> None:
    """A page for each room, a section for each of its headers."""
    (folder / "api").mkdir()
    index = [
        "# The C++ library",
        "",
        "`#include <lgn/lgn.h>` has everything. Rooms stand in the order in which data flow; a room uses those",
        "before it. Comments cite the [theory](../theory.md) by the numbers of its equations.",
        "",
        "| room | what it is for |",
        "|---|---|",
    ]
    names = []
    for room, purpose in ROOMS.items():
        name = room or "front"
        names.append(name)
        index.append(f"| [`lgn/{room}`]({name}.md) | {purpose} |")
        headers = sorted((ROOT / "lgn" / room).glob("**/*.h" if room else "*.h"))
        text = [f"# lgn/{room}", "", purpose[0].upper() + purpose[1:] + ".", ""]
        for header in headers:
            if header.name.endswith("_internal.h") or header.name == "lgn.h":
                continue
            path = header.relative_to(ROOT)
            text += [f"## {path}", "", "```{doxygenfile} " + str(path), ":sections: " + SECTIONS, "```", ""]
        (folder / "api" / f"{name}.md").write_text("\n".join(text), encoding="utf-8")
    index += ["", "```{toctree}", ":hidden:", "", *names, "```", ""]
    (folder / "api/index.md").write_text("\n".join(index), encoding="utf-8")


SECTIONS = (
    "briefdescription detaileddescription innerclass enum typedef define func var "
    "public-attrib public-func public-static-attrib public-static-func public-type "
    "protected-func user-defined"
)


def python_page(folder: pathlib.Path, built: bool) -> None:
    """The Python package, from its docstrings; where it was not built, without what the extension defines."""
    source = ROOT / "python/lgn/__init__.py"
    if not source.exists():
        return
    names = re.search(r"__all__ = \[(.*?)\]", source.read_text(encoding="utf-8"), re.DOTALL)[1]
    listed = [name for name in re.findall(r'"(\w+)"', names) if not name.startswith("_")]
    if not built:
        sources = "".join(file.read_text(encoding="utf-8") for file in source.parent.glob("*.py"))
        compiled = " ".join(re.findall(r"^from \._lgn import (.*)$", sources, re.MULTILINE))
        listed = [name for name in listed if not re.search(rf"\b{name}\b", compiled)]
    classes = [name for name in listed if name[0].isupper()]
    functions = [name for name in listed if not name[0].isupper()]
    text = ["# The Python package", "", "`make python` installs it; `import lgn`.", ""]
    for heading, group, kind in (("Functions", functions, "autofunction"), ("Classes", classes, "autoclass")):
        text += [f"## {heading}", ""]
        for name in group:
            text += ["```{eval-rst}", f".. {kind}:: lgn.{name}"]
            text += ["   :members:"] if kind == "autoclass" else []
            # Its matrices are those of a class of its own, which has no page.
            text += ["   :inherited-members:"] if name == "Model" else []
            text += ["```", ""]
    (folder / "api" / "python.md").write_text("\n".join(text), encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description="puts the sources of the site together")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--lgn", required=True, help="the program")
    parser.add_argument("--cpp", help="the compiled example")
    parser.add_argument("--python", help="the folder of the built Python package")
    parser.add_argument("--keep-outputs", action="store_true", help="of examples, as the pages show them")
    parser.add_argument("--version", default="", help="of lgn")
    parser.add_argument("--archive", type=pathlib.Path, default=pathlib.Path("/nonexistent"), help="sites of other versions")
    arguments = parser.parse_args()
    shutil.rmtree(arguments.folder, ignore_errors=True)
    arguments.folder.mkdir(parents=True)
    pages(arguments.folder, None if arguments.keep_outputs else Examples(arguments))
    commands(arguments.folder, arguments.lgn)
    versions(arguments.folder, arguments.version, arguments.archive)
    api(arguments.folder)
    python_page(arguments.folder, arguments.python is not None)


if __name__ == "__main__":
    main()
