#!/usr/bin/python3
"""tidy_xml.py XML: Doxygen's description of the headers as Breathe and Sphinx can take it.

Functions, enums and aliases move from their namespace to the files that declare them: Breathe would show them inside a
declaration of the namespace, once for each file, and take the second for a mistake. Text that stands as it was
(comments.py) loses the slashes of its comment. Designated initialisers go: Sphinx 5 cannot parse them.
"""

from __future__ import annotations

import pathlib
import re
import sys
import textwrap
import xml.etree.ElementTree as ET


def tidy(file: pathlib.Path) -> None:
    tree = ET.parse(file)
    for verbatim in tree.getroot().iter("verbatim"):
        lines = [re.sub(r"^\s*/// ?", "", line) for line in (verbatim.text or "").split("\n")]
        verbatim.text = textwrap.dedent("\n".join(lines)).strip("\n ")
    for member in tree.getroot().iter("memberdef"):
        for initializer in member.findall("initializer"):
            if "{." in "".join(initializer.itertext()):
                member.remove(initializer)
    tree.write(file, encoding="utf-8", xml_declaration=True)


def main() -> None:
    folder = pathlib.Path(sys.argv[1])
    for kind in ("struct", "class", "namespace"):
        for file in folder.glob(f"{kind}*.xml"):
            tidy(file)
    members: dict[str, list[tuple[str, ET.Element]]] = {}
    for namespace in folder.glob("namespace*.xml"):
        for section in ET.parse(namespace).getroot().iter("sectiondef"):
            for member in section.findall("memberdef"):
                location = member.find("location")
                declared = location.get("declfile") or location.get("file")
                members.setdefault(declared, []).append((section.get("kind"), member))
    for file in folder.glob("*_8h.xml"):
        tree = ET.parse(file)
        compound = tree.getroot().find("compounddef")
        for namespace in compound.findall("innernamespace"):
            compound.remove(namespace)
        # A class inside another is shown there.
        outer = {inner.text for inner in compound.findall("innerclass")}
        for inner in compound.findall("innerclass"):
            if inner.text.rpartition("::")[0] in outer:
                compound.remove(inner)
        where = compound.find("location").get("file")
        for kind in ("enum", "typedef", "func", "var"):
            found = [member for of, member in members.get(where, []) if of == kind]
            if found:
                section = ET.Element("sectiondef", kind=kind)
                section.extend(found)
                compound.insert(list(compound).index(compound.find("briefdescription")), section)
        tree.write(file, encoding="utf-8", xml_declaration=True)


if __name__ == "__main__":
    main()
