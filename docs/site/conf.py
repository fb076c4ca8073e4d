"""How Sphinx makes the site; scripts/docs calls it on the pages that prepare.py has put together."""

import os
import re

project = "lgn"
author = "The lgn authors"
copyright = author
version = release = os.environ.get("LGN_VERSION", "")

extensions = ["myst_parser", "sphinx.ext.mathjax", "breathe", "sphinx.ext.autodoc"]
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 3
myst_update_mathjax = False
suppress_warnings = ["myst.header"]  # pages that experiments write begin with a line before their title

html_theme = "furo"
html_title = f"lgn {version}"
html_static_path = [os.environ.get("LGN_STATIC", "static")]
html_css_files = ["site.css"]
html_extra_path = [os.environ["LGN_EXTRA"]] if "LGN_EXTRA" in os.environ else []  # reports, sites of other versions
templates_path = ["templates"]
html_sidebars = {
    "**": [
        "sidebar/brand.html",
        "sidebar/search.html",
        "sidebar/versions.html",
        "sidebar/scroll-start.html",
        "sidebar/navigation.html",
        "sidebar/scroll-end.html",
    ]
}
html_copy_source = False
html_show_sphinx = False
html_show_search_summary = False  # a page opened from a file may not fetch another
pygments_style = "friendly"
highlight_language = "none"

# Equations as SVG from the copy of MathJax in the site: no network, and no fonts that a browser may refuse to load
# from a file.
mathjax_path = "mathjax/MathJax.js?config=TeX-AMS_SVG"
mathjax2_config = {
    "tex2jax": {"ignoreClass": "highlight|document", "processClass": "math"},
    "messageStyle": "none",
    "showMathMenu": False,
    "menuSettings": {"zoom": "None"},
    "SVG": {"linebreaks": {"automatic": True, "width": "container"}, "scale": 95},
}

breathe_projects = {"lgn": os.environ.get("LGN_DOXYGEN", "")}
breathe_default_project = "lgn"
breathe_default_members = ("members", "undoc-members")
breathe_show_include = False

autodoc_member_order = "bysource"
autodoc_typehints = "none"  # signatures would hardly be readable
autodoc_mock_imports = ["lgn._lgn"] if os.environ.get("LGN_MOCK") == "yes" else []

CITATION = re.compile(r"theory,\s+Eq\.\s+(\d+)")
OWN_CITATION = re.compile(r"Eq\.\s+(\d+)")


def link_equations(app, pagename, templatename, context, doctree):
    """"theory, Eq. 12" leads to the equation, on every page."""
    if not context.get("body"):
        return
    own = pagename == "theory"
    page = "" if own else "../" * pagename.count("/") + "theory.html"
    context["body"] = (OWN_CITATION if own else CITATION).sub(
        lambda match: f'<a class="reference internal" href="{page}#eq-{match[1]}">{match[0]}</a>',
        context["body"],
    )


ARGUMENT = re.compile(r"^[a-z]\w*(?:, [a-z]\w*)*: \S")


def read_as_markdown(app, what, name, thing, options, lines):
    """Docstrings quote code by single backticks, mean an underscore by an underscore, and list arguments line by line."""
    result = []
    listing = False
    for line in lines:
        code = line.lstrip().startswith((">>>", "..."))
        if not code:
            parts = re.split(r"(`[^`]+`)", line)
            line = "".join(
                f"`{part}`" if part.startswith("`") else re.sub(r"(\w)_(?!\w)", r"\1\\_", part) for part in parts
            )
        if ARGUMENT.match(line) and (listing or not (result and result[-1].strip())):
            line, listing = "- " + line, True
        elif line.strip() and listing:
            line = "  " + line
        else:
            listing = False
        result.append(line)
    lines[:] = result


def setup(app):
    app.connect("html-page-context", link_equations)
    app.connect("autodoc-process-docstring", read_as_markdown)
