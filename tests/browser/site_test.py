"""Opens the site of the documentation in headless Chromium, as its readers do.

site_test.py SITE [--keep-screenshots]: every page on a phone, some on a desk: nothing wider than the window, every picture
there, no message on the console, nothing asked of a network. The search finds what it should, reports of the gallery open and
draw, and other versions of the pages are listed. Exit status 0 when all of that holds.
"""

import base64
import pathlib
import sys

from report_test import check, check_soon, failures, open_browser, requests_of, resize
from selenium.webdriver.support.ui import WebDriverWait

PHONE, DESK = 390, 1440
ON_A_DESK = ("index", "tutorial", "gallery", "structures")
BROKEN_PICTURES = "return [...document.images].filter(i => !i.complete || i.naturalWidth === 0).map(i => i.src)"
WIDEST = """
return [...document.querySelectorAll('article *')].filter(e => e.getBoundingClientRect().right > innerWidth + 1
  && !e.closest('pre, table, div.math, .highlight, mjx-container, svg')).slice(0, 3).map(e => e.outerHTML.slice(0, 80))
"""


def open_page(browser, address, what, site):
    browser.get(address)
    for entry in browser.get_log("browser"):
        check(False, f"{what}: the console says {entry['message']}")
    outside = [a for a in requests_of(browser) if not a.startswith((f"file://{site}/", "data:", "chrome:", "blob:"))]
    check(not outside, f"{what}: asks for {outside}")


def check_page(browser, site, name, width, screenshots):
    what = f"{name} at {width} pixels"
    resize(browser, width)
    open_page(browser, f"file://{site}/{name}.html", what, site)
    page_width = browser.execute_script("return document.documentElement.scrollWidth")
    check(page_width <= width, f"{what}: is {page_width} wide, by {browser.execute_script(WIDEST)}")
    WebDriverWait(browser, 30).until(lambda b: b.execute_script("return document.readyState") == "complete")
    broken = browser.execute_script(BROKEN_PICTURES)
    check(not broken, f"{what}: pictures are missing: {broken}")
    if screenshots:
        image = browser.execute_cdp_cmd("Page.captureScreenshot", {"format": "png"})
        (site.parent / f"{name}-{width}.png").write_bytes(base64.b64decode(image["data"]))


def check_search(browser, site, word, expected):
    open_page(browser, f"file://{site}/search.html?q={word}", f"search for {word}", site)
    results = "return [...document.querySelectorAll('#search-results li a')].map(a => a.getAttribute('href'))"
    # Results come one by one, until a line says that all are there.
    finished = "return document.body.innerText.includes('Search finished')"
    WebDriverWait(browser, 120).until(lambda b: b.execute_script(finished))
    found = browser.execute_script(results)
    check(any(expected in address for address in found), f"search for {word}: {expected} is not among {found[:8]}")


def check_gallery(browser, site):
    resize(browser, DESK)
    browser.get(f"file://{site}/gallery.html")
    links = browser.execute_script("return [...document.querySelectorAll('.gallery a')].map(a => a.href)")
    check(len(links) >= 10, f"gallery: has {len(links)} reports")
    for link in links:
        name = link.rsplit("/", 1)[1]
        open_page(browser, link, f"gallery, {name}", site)
        heading = "Poles that moved" if name.startswith("design") else "Model validation"
        check(heading in browser.find_element("tag name", "body").text, f"gallery, {name}: is a report")
        check_soon(browser, lambda: browser.execute_script("return lgnCharts.size") > 0, f"gallery, {name}: draws")


def check_versions(browser, site):
    """Of an older version that was put there before the site was made."""
    resize(browser, DESK)
    browser.get(f"file://{site}/index.html")
    browser.find_element("css selector", ".sidebar-versions a").click()
    links = browser.execute_script("return [...document.querySelectorAll('article li a')].map(a => a.href)")
    check(any("versions/0.0.9/index.html" in link for link in links), f"versions: 0.0.9 is not among {links}")
    for link in links:
        open_page(browser, link, "versions", site)
        check("0.0.9" in browser.find_element("tag name", "body").text, "versions: the older site opens")


def main():
    site = pathlib.Path(sys.argv[1]).resolve()
    if not (site / "index.html").exists():
        print("skipped: the site was not built")
        return 77
    screenshots = "--keep-screenshots" in sys.argv
    pages = sorted(path.stem for path in site.glob("*.html") if path.stem not in ("genindex", "search"))
    browser = open_browser()
    try:
        for name in pages:
            check_page(browser, site, name, PHONE, screenshots)
        for name in ON_A_DESK:
            check_page(browser, site, name, DESK, screenshots)
        check_search(browser, site, "damping", "glossary")
        check_search(browser, site, "oscilloscope", "tasks")
        check_search(browser, site, "n4sid", "coming-from")
        check_gallery(browser, site)
        check_versions(browser, site)
    finally:
        browser.quit()
    print(f"{len(pages)} pages: {len(failures)} checks failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
