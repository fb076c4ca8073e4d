#!/usr/bin/python3
"""check_links.py SITE: every link inside the site leads to a file and a place that are there, and none is loaded from a network."""

from __future__ import annotations

import html.parser
import pathlib
import sys
import urllib.parse


class Page(html.parser.HTMLParser):
    """The places of a page, what it links to, and what it loads."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.places: set[str] = set()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        given = dict(attributes)
        for name in ("id", "name"):
            if given.get(name):
                self.places.add(str(given[name]))
        if tag == "a" and given.get("href"):
            self.links.append(str(given["href"]))
        for name in ("src", "data"):
            if given.get(name):
                self.loads.append(str(given[name]))
        if tag == "link" and given.get("rel") in ("stylesheet", "preload", "icon"):
            self.loads.append(str(given["href"]))


def main() -> None:
    site = pathlib.Path(sys.argv[1]).resolve()
    pages = {path: Page(path.read_text(encoding="utf-8")) for path in site.rglob("*.html")}
    problems = []
    for path, page in pages.items():
        where = path.relative_to(site)
        for link in page.links + page.loads:
            url = urllib.parse.urlsplit(link)
            if url.scheme in ("http", "https") or url.netloc:
                if link in page.loads:
                    problems.append(f"{where}: loads {link} from a network")
                continue
            if url.scheme:
                continue
            target = (path.parent / urllib.parse.unquote(url.path)).resolve() if url.path else path
            if not target.exists():
                problems.append(f"{where}: there is no {link}")
            elif url.fragment and target in pages:
                place = urllib.parse.unquote(url.fragment)
                if place not in pages[target].places and place != "top":
                    problems.append(f"{where}: there is no place {link}")
    print("\n".join(problems), file=sys.stderr, end="\n" if problems else "")
    size = sum(file.stat().st_size for file in site.rglob("*") if file.is_file())
    links = sum(len(page.links) for page in pages.values())
    print(f"{len(pages)} pages, {links} links, {size / 1e6:.1f} MB")
    sys.exit(bool(problems))


if __name__ == "__main__":
    main()
