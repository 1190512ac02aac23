"""The original date of a resource: its creation or publication before its registration."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

NAMES = ("created", "issued")
"""The properties for it, the first before the second."""
_is_date = re.compile(r"[0-9]{4}(?:-[0-9]{2}(?:-[0-9]{2}(?:T[0-9:.+Z\-]+)?)?)?").fullmatch


def original_date(properties: Mapping[str, str | Sequence[str]]) -> tuple[str, str] | None:
    """Return the property with the original date, and the date; None if there is none.

    A year, a month, a day or a moment (W3C-DTF), as Dublin Core has them.

    >>> original_date({"issued": "1985-10-30", "created": "in the autumn"})
    ('issued', '1985-10-30')
    """
    for name in NAMES:
        stated = properties.get(name, ())
        for text in (stated,) if isinstance(stated, str) else stated:
            if _is_date(text):
                return name, text
    return None
