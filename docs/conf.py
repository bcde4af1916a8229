"""The site, which needs the extra `aspdoku[docs]` and no network.

sphinx-build -W -d build/doctrees docs site
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import site_pages
from pygments.lexers.special import TextLexer

import aspdoku

project = "aspdoku"
release = aspdoku.__version__
html_title = f"aspdoku {release}"
extensions = ["myst_parser", "sphinx.ext.autodoc"]
exclude_patterns = ["examples"]
default_role = "code"
smartquotes = False  # two hyphens begin the name of an option
myst_heading_anchors = 4
# Code that Pygments cannot read, such as a part of a file, is shown as it is.
suppress_warnings = ["misc.highlighting_failure"]
autodoc_typehints = "none"
autodoc_default_options = {"members": True, "undoc-members": False}
html_theme = "furo"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_js_files = [("stage.js", {"defer": "defer"})]
html_copy_source = False
html_show_sphinx = False
html_show_search_summary = False  # a script cannot read other pages from a disk
html_theme_options = {
    "light_css_variables": {
        "color-brand-primary": "#0a6470",
        "color-brand-content": "#0a6470",
        "color-brand-visited": "#0a6470",
        "color-api-name": "#0a6470",
        "color-api-pre-name": "#0a6470",
        "color-background-primary": "#fffdf8",
        "color-background-secondary": "#f6f3ec",
        "color-foreground-primary": "#1e2026",
        "color-foreground-secondary": "#595c64",
        "color-foreground-muted": "#595c64",
        "color-warm": "#8a4600",
        "color-tag": "#f5c75d",
        "color-bad": "#b4232a",
    },
    "dark_css_variables": {
        "color-brand-primary": "#74c9cd",
        "color-brand-content": "#74c9cd",
        "color-brand-visited": "#74c9cd",
        "color-api-name": "#74c9cd",
        "color-api-pre-name": "#74c9cd",
        "color-background-primary": "#1b1e23",
        "color-background-secondary": "#14161a",
        "color-foreground-primary": "#ece9e1",
        "color-foreground-secondary": "#a9abb0",
        "color-foreground-muted": "#a9abb0",
        "color-warm": "#f0be62",
        "color-tag": "#e9b94f",
        "color-bad": "#ff8f83",
    },
}


def setup(app):
    """Let the generated pages be written before the sources are read, and the rest at the end."""
    app.add_lexer("mermaid", TextLexer)  # Pygments does not know it, and Sphinx 8.1 warns
    app.connect("config-inited", lambda app, _: site_pages.write_sources(Path(app.srcdir)))
    app.connect("source-read", site_pages.as_page_of_the_site)
    app.connect("autodoc-process-docstring", site_pages.as_restructured_text)
    app.connect("build-finished", site_pages.write_extras)
