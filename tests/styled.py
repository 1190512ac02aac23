"""Pages with their style in them, for a browser that has the text of a page and not its host."""

from __future__ import annotations

from ginuri.web.pages.assets import asset_path
from ginuri.web.pages.frame import style_in_page

_LINK = f'<link rel="stylesheet" href="{asset_path("style.css")}">'


def styled(page: str) -> str:
    """Return a page that needs nothing from its host to look as it does there."""
    assert _LINK in page
    return page.replace(_LINK, f"<style>{style_in_page()}</style>")
