"""Opens reports of every kind in headless Chromium, as their readers do.

report_test.py PROGRAM FOLDER [--keep-screenshots]: makes data and reports with PROGRAM in FOLDER, and checks of
each: no message on the console, no request but for the page itself, every plot drawn, zoom and legend at work,
nothing wider than the window on a phone and on a desk. Exit status 0 when all of that holds.
"""

import base64
import json
import math
import pathlib
import random
import subprocess
import sys

from selenium import webdriver
from selenium.common.exceptions import TimeoutException
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.support.ui import WebDriverWait

WIDTHS = (390, 1440)

# Whether a canvas shows more than one colour.
INKED = """
const canvas = arguments[0];
const data = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
const seen = new Set();
for (let k = 0; k < data.length; k += 4) seen.add(data[k] << 24 | data[k + 1] << 16 | data[k + 2] << 8 | data[k + 3]);
return seen.size;
"""

failures = []


def check(holds, what):
    if not holds:
        failures.append(what)
        print("FAILED:", what)


def soon(browser, holds):
    """Whether it comes to hold: a page answers a click when it next draws, on a busy machine late."""
    try:
        return WebDriverWait(browser, 60, poll_frequency=0.05).until(lambda _: holds())
    except TimeoutException:
        return False


def check_soon(browser, holds, what):
    check(soon(browser, holds), what)


def run(program, *words, cwd):
    subprocess.run([str(program), *words], cwd=cwd, check=True, stdout=subprocess.DEVNULL)


def write_ambient(path):
    """Two oscillators, 1 and 2.3 Hz, moved by white noise, in two channels at 20 samples per second."""
    noise, rows = random.Random(1), ["t,y1,y2"]
    states = [[0.0, 0.0], [0.0, 0.0]]
    for k in range(4000):
        for state, (radius, angle) in zip(states, ((0.99, 0.314), (0.98, 0.723))):
            drive = noise.gauss(0, 1)
            state[:] = [2 * radius * math.cos(angle) * state[0] - radius**2 * state[1] + drive, state[0]]
        a, b = states[0][0], states[1][0]
        rows.append(f"{k * 0.05:.2f},{a + b:.6f},{a - 0.5 * b:.6f}")
    path.write_text("\n".join(rows) + "\n")


def make_reports(program, folder):
    """One report of each kind: name → what its page must say."""
    def lgn(*words):
        run(program, *words, cwd=folder)

    lgn("generate", "oscillator", "--noise", "2%", "--t1", "30", "--dt", "0.1", "-o", "two.csv")
    lgn("fit", "two.csv", "--holdout", "0.25", "--quiet", "--report", "two.html")
    lgn("generate", "ladder", "--sections", "50", "--t1", "60", "--dt", "0.05", "--noise", "1%", "--trajectories", "2",
        "-o", "hundred.csv", "--truth", "truth.json")
    lgn("report", "truth.json", "hundred.csv", "-o", "hundred.html")
    lgn("generate", "ltv-oscillator", "--noise", "1%", "--t1", "40", "-o", "varying.csv")
    lgn("fit", "varying.csv", "--structure", "ltv-sd", "--quiet", "--report", "varying.html")
    lgn("generate", "ladder", "--sections", "3", "--t1", "8", "--dt", "2", "--noise", "20%", "-o", "warned.csv")
    lgn("fit", "warned.csv", "--structure", "full", "--quiet", "--report", "warned.html")
    lgn("generate", "ladder", "--sections", "3", "--t1", "30", "--dt", "0.1", "--noise", "1%", "--x0", "e1", "-o", "hidden.csv")
    lgn("fit", "hidden.csv", "--channels", "v1,v2,v3", "--states", "6", "--quiet", "--report", "hidden.html")
    lgn("generate", "mass-spring", "--masses", "2", "--damping", "0.2", "--input", "random", "--noise", "2%", "--t1", "80", "--dt", "0.2",
        "-o", "driven.csv")
    lgn("fit", "driven.csv", "--channels", "q1,q2", "--states", "4", "--hold", "zoh", "--quiet", "--report", "driven.html")
    write_ambient(folder / "ambient.csv")
    lgn("fit", "ambient.csv", "--record", "ambient", "--quiet", "--report", "ambient.html")
    return {
        "ambient": ["Stabilisation diagram", "Power spectral density of the data by Welch's method", "Spectra"],
        "driven": ["Response to inputs", "static gain", "u → q1, magnitude", "u → q2, step response", "q1, coherence of the data"],
        "hidden": ["Stabilisation diagram", "Singular values of the Hankel matrix", "phase collinearity", "Modal assurance",
                   "Spectra", "Click or tap a pole"],
        "two": ["One undamped oscillation", "validation", "Structures considered"],
        "hundred": ["49 damped oscillations and two exponential decays", "channels 1 to 6 of 100"],
        "varying": ["The generator varies", "Modes of the mean generator", "Floquet"],
        "warned": ["Warnings", "underdetermined", "measure more samples"],
    }


def open_browser():
    options = webdriver.ChromeOptions()
    for flag in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    return webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)


def resize(browser, width, height=900):
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                            {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600})


def requests_of(browser):
    addresses = []
    for entry in browser.get_log("performance"):
        message = json.loads(entry["message"])["message"]
        if message["method"] == "Network.requestWillBeSent":
            addresses.append(message["params"]["request"]["url"])
    return addresses


def show_all(browser, width):
    """Makes the window as high as the page, so that every plot comes near it."""
    height = browser.execute_script("return document.documentElement.scrollHeight")
    resize(browser, width, height)
    wanted = "return document.querySelectorAll('figure[data-plot]').length === " \
             "[...document.querySelectorAll('figure[data-plot]')].filter(f => lgnCharts.has(f.dataset.plot)).length"
    WebDriverWait(browser, 120).until(lambda b: b.execute_script(wanted))


def plot_canvas(browser, plot):
    canvas = browser.find_element("css selector", f"figure[data-plot='{plot}'] canvas")
    browser.execute_script("arguments[0].scrollIntoView({ block: 'center' })", canvas)
    return canvas


def drag(browser, canvas, x0, x1, y0=0, y1=0):
    ActionChains(browser).move_to_element_with_offset(canvas, x0, y0).click_and_hold() \
        .move_to_element_with_offset(canvas, x1, y1).release().perform()


def x_range(browser, plot):
    return browser.execute_script("const x = lgnCharts.get(arguments[0]).scales.x; return [x.min, x.max]", plot)


def drag_range(browser, plot, y0=0, y1=0):
    """What a plot shows before a drag over its middle, and after."""
    canvas, before = plot_canvas(browser, plot), x_range(browser, plot)
    drag(browser, canvas, -60, 60, y0, y1)
    soon(browser, lambda: x_range(browser, plot) != before)
    return before, x_range(browser, plot)


def check_zoom(browser, name):
    """A drag shows a part of the time in every plot of time, and the button shows all again."""
    before, after = drag_range(browser, "signal-1")
    check(before[0] < after[0] < after[1] < before[1], f"{name}: dragging shows a part, {before} to {after}")
    if browser.execute_script("return 'residual-1' in report.plots"):
        check_soon(browser, lambda: x_range(browser, "residual-1") == after, f"{name}: other plots of time follow")
    browser.find_element("css selector", "figure[data-plot='signal-1'] button").click()
    check_soon(browser, lambda: x_range(browser, "signal-1") == before, f"{name}: the button shows all again")
    before, after = drag_range(browser, "poles", -60, 60)
    check(after[1] - after[0] < before[1] - before[0], f"{name}: the pole map zooms")
    check(x_range(browser, "signal-1") != after, f"{name}: and alone")
    ActionChains(browser).double_click(plot_canvas(browser, "poles")).perform()
    check_soon(browser, lambda: x_range(browser, "poles") == before, f"{name}: a double click shows all again")


def check_legend(browser, name):
    place = browser.execute_script(
        "const c = lgnCharts.get('signal-1'), box = c.legend.legendHitBoxes.at(-1), area = c.canvas.getBoundingClientRect();"
        "return [box.left + box.width / 2 - area.width / 2, box.top + box.height / 2 - area.height / 2]")
    shown = "const c = lgnCharts.get('signal-1'); return c.data.datasets.filter((d, k) => c.isDatasetVisible(k)).length"
    before = browser.execute_script(shown)
    canvas = plot_canvas(browser, "signal-1")
    ActionChains(browser).move_to_element_with_offset(canvas, *map(int, place)).click().perform()
    check_soon(browser, lambda: browser.execute_script(shown) == before - 1, f"{name}: an entry of the legend hides its curve")
    ActionChains(browser).move_to_element_with_offset(canvas, *map(int, place)).click().perform()
    check_soon(browser, lambda: browser.execute_script(shown) == before, f"{name}: and shows it again")


def check_pages_of_channels(browser, name):
    buttons = {b.text: b for b in browser.find_elements("css selector", "#signals .bar button")}
    buttons["after ›"].click()
    check_soon(browser, lambda: "channels 7 to 12 of 100" in browser.find_element("id", "signals").text, f"{name}: the next channels")
    browser.find_element("css selector", "#signals input").send_keys("v50")
    WebDriverWait(browser, 120).until(lambda b: b.execute_script("return lgnCharts.has('signal-99')"))
    check_soon(browser, lambda: "channels 1 to 1 of 1" in browser.find_element("id", "signals").text, f"{name}: a channel by its name")
    run_choice = browser.find_element("css selector", "#signals select")
    browser.execute_script("arguments[0].value = 1; arguments[0].onchange()", run_choice)
    WebDriverWait(browser, 120).until(lambda b: b.execute_script("return lgnCharts.has('signal-99-run-2')"))


# Where the first stable pole stands in its canvas, from the middle, and what it is.
STABLE_POLE = """
const chart = lgnCharts.get('stabilisation'), box = chart.canvas.getBoundingClientRect();
const k = chart.data.datasets.findIndex(set => set.label === 'stable pole'), point = chart.getDatasetMeta(k).data[0];
return [point.x - box.width / 2, point.y - box.height / 2, report.poles[chart.data.datasets[k].items[0]].title];
"""


def check_poles(browser, name):
    """A click on a pole shows what it is, and its shape; frequencies zoom together."""
    canvas = plot_canvas(browser, "stabilisation")
    x, y, title = browser.execute_script(STABLE_POLE)
    ActionChains(browser).move_to_element_with_offset(canvas, round(x), round(y)).click().perform()
    panel = browser.find_element("id", "pole")
    check_soon(browser, lambda: title in panel.text, f"{name}: a click on a pole shows {title!r}")
    check("stable" in title and "ζ" in title, f"{name}: its damping stands there: {title!r}")
    for channel in ("v1", "v2", "v3"):
        check(channel in panel.text, f"{name}: the shape of the pole in {channel}")
    WebDriverWait(browser, 120).until(lambda b: b.execute_script("return lgnCharts.has('pole-shape')"))
    check_soon(browser, lambda: browser.execute_script(INKED, plot_canvas(browser, "pole-shape")) > 3, f"{name}: draws the shape of the pole")
    _, part = drag_range(browser, "stabilisation")
    plot_canvas(browser, "spectrum-1")
    check_soon(browser, lambda: x_range(browser, "spectrum-1") == part, f"{name}: spectra show the part of the diagram")
    choice = browser.find_element("css selector", "#shapes select")
    browser.execute_script("arguments[0].value = 1; arguments[0].onchange()", choice)
    plot_canvas(browser, "complexity-2")
    WebDriverWait(browser, 120).until(lambda b: b.execute_script("return lgnCharts.has('complexity-2')"))


def check_response(browser, name):
    """Bode plots zoom together over frequency, and responses over time for themselves."""
    before, step = x_range(browser, "phase-1"), x_range(browser, "step-1")
    _, part = drag_range(browser, "magnitude-1")
    check(before[0] < part[0] < part[1] < before[1], f"{name}: dragging shows a part of the frequencies, {before} to {part}")
    for plot in ("phase-1", "coherence-1", "magnitude-2"):
        check_soon(browser, lambda: x_range(browser, plot) == part, f"{name}: {plot} follows")
    check(x_range(browser, "step-1") == step, f"{name}: the step response does not")


def check_page(browser, folder, name, words, width, screenshots):
    what = f"{name} at {width} pixels"
    resize(browser, width)
    browser.get(f"file://{folder}/{name}.html")
    show_all(browser, width)
    text = browser.find_element("tag name", "body").text
    for word in words:
        check(word in text, f"{what}: says {word!r}")
    check(browser.execute_script("return document.documentElement.scrollWidth") <= width, f"{what}: fits the window")
    small = browser.execute_script(
        "return [...document.querySelectorAll('p, li, td, th, pre, code, button, select, span')]"
        ".filter(e => parseFloat(getComputedStyle(e).fontSize) < 12).length")
    check(small == 0, f"{what}: no text below 12 pixels")
    for canvas in browser.find_elements("tag name", "canvas"):
        check_soon(browser, lambda: browser.execute_script(INKED, canvas) > 3, f"{what}: draws {canvas.get_attribute('aria-label')}")
    if screenshots:
        image = browser.execute_cdp_cmd("Page.captureScreenshot", {"format": "png"})
        (folder / f"{name}-{width}.png").write_bytes(base64.b64decode(image["data"]))
    resize(browser, width)
    if width == WIDTHS[-1]:
        check_zoom(browser, what)
        check_legend(browser, what)
        if name == "hidden":
            check_poles(browser, what)
        if name == "driven":
            check_response(browser, what)
        if name == "hundred":
            check_pages_of_channels(browser, what)
    for entry in browser.get_log("browser"):
        check(False, f"{what}: the console says {entry['message']}")
    outside = [a for a in requests_of(browser) if not a.startswith(f"file://{folder}/{name}.html")
               and not a.startswith(("data:", "chrome:"))]
    check(not outside, f"{what}: asks for {outside}")


def main():
    program, folder = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    pages = make_reports(program, folder)
    browser = open_browser()
    try:
        for name, words in pages.items():
            check((folder / f"{name}.html").stat().st_size < 10e6, f"{name}: below 10 MB")
            for width in WIDTHS:
                check_page(browser, folder, name, words, width, "--keep-screenshots" in sys.argv)
    finally:
        browser.quit()
    print(f"{len(pages)} reports at {len(WIDTHS)} widths: {len(failures)} checks failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
