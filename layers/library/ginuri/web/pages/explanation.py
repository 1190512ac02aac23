"""An explanation as a page: the decision, then each step."""

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
    explanation: Mapping[str, Any], written: str, meaning: Message, languages: Languages = ()
) -> bytes:
    """Write an explanation as a page, in UTF-8; the results of the steps are not translated."""
    steps = [
        {"words": _STEPS[step["step"]], "result": json.dumps(step["result"], indent=1)}
        for step in explanation["steps"]
    ]
    title = message("How {identifier} is resolved", identifier=explanation["identifier"] or written)
    return write_page(
        "explanation", languages, **{**explanation, "steps": steps, "meaning": meaning, "title": title}
    )
