"""Pages without the marks at possible line breaks in long names."""

from __future__ import annotations

import re

_BREAKS = re.compile(r'<span class="whole">([^<]*)</span>|<wbr>')


def unbroken(page: str) -> str:
    """Return a page with its names as they are."""
    return _BREAKS.sub(lambda found: found[1] or "", page)
