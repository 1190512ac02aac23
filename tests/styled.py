"""Pages with their style included, for a browser that has the text of a page but not its host."""

from __future__ import annotations

from ginuri.web.pages.assets import asset_path
from ginuri.web.pages.frame import style_in_page

_LINK = f'<link rel="stylesheet" href="{asset_path("style.css")}">'


def styled(page: str) -> str:
    """Return a page that looks the same without its host."""
    assert _LINK in page
    return page.replace(_LINK, f"<style>{style_in_page()}</style>")
