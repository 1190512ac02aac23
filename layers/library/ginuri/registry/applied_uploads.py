"""An upload whose rows are all registered, as the registry remembers it beside its records."""

from __future__ import annotations

from collections.abc import Mapping

from ginuri.frozen import Frozen


class AppliedUpload(Frozen):
    """The proof that an upload was applied; a table restored to an earlier moment has lost it."""

    key: str
    version: str
    put: str
    """When it was put, RFC 3339 in UTC with milliseconds."""
    processed: str
    """When its last row was registered, RFC 3339 in UTC."""
    counts: Mapping[str, int]
    """The number of verdicts by outcome."""
