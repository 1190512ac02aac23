"""An explanation as a page: what was decided, then each step."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from ginuri.identifiers.messages import Message, message, translatable
from ginuri.resolution.negotiation.negotiation import Languages
from ginuri.web.pages.environment import write_page

_STEPS = {
    "parse": translatable("Identifier parsed"),
    "find": translatable("Registry searched"),
    "host": translatable("Host"),
    "preferences": translatable("Preferences"),
    "decide": translatable("Decision"),
}


def write_explanation(
    told: Mapping[str, Any], written: str, meaning: Message, languages: Languages = ()
) -> bytes:
    """Write an explanation of what was asked as a page, in UTF-8; the steps' results stay as they are."""
    steps = [
        {"words": _STEPS[each["step"]], "result": json.dumps(each["result"], indent=1)}
        for each in told["steps"]
    ]
    title = message("How {identifier} is resolved", identifier=told["identifier"] or written)
    return write_page(
        "explanation", languages, **{**told, "steps": steps, "meaning": meaning, "title": title}
    )
