"""The documentation: its generated pages and its checks. `make docs` runs __main__.py."""

from __future__ import annotations

import re

from infra.local import ROOT

FOLDER = ROOT / "docs"
CONTENTS = [
    FOLDER / name
    for name in re.findall(
        r"^ *- (\S+\.md)$", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"), re.MULTILINE
    )
]
"""The pages of the site in the order of its contents."""
PAGES = [*CONTENTS, *sorted(ROOT.glob("*.md"))]
"""Every page in Markdown: those of the site, and those at the top of the repository."""
WIDTH = 120
"""The greatest length of a line of prose."""
