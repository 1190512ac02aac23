"""Fields and values as a terminal shows them."""

from __future__ import annotations

import json

from ginuri.registration.verdicts import shown
from ginuri.registry.record.record import Path

_NOTHING = "—"


def tell_field(path: Path) -> str:
    """Name a field by its path."""
    return ".".join(shown(step.strip()) for step in path if step.strip())


def tell_value(value: object) -> str:
    """Show a value: cut, and without what a terminal would obey."""
    if value is None:
        return _NOTHING
    return shown(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))
