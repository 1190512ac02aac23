"""An explanation as a page: what was decided, then each step."""

from __future__ import annotations

import json
from collections.abc import Mapping
from html import escape
from typing import Any

from ginuri.i18n.translation import as_html, as_text, page_language
from ginuri.identifiers.messages import Message, message, translatable
from ginuri.resolution.negotiation.negotiation import Languages
from ginuri.web.pages.frame import write_page

_STEPS = {
    "parse": translatable("Identifier parsed"),
    "find": translatable("Registry searched"),
    "host": translatable("Host"),
    "preferences": translatable("Preferences"),
    "decide": translatable("Decision"),
}


def write_explanation(told: Mapping[str, Any], meaning: Message, languages: Languages = ()) -> bytes:
    """Write an explanation as a page, in UTF-8; the steps' results are data, and stay as they are."""
    title = message("How {identifier} is resolved", identifier=told["identifier"])
    location = told["location"]
    leads = f' <a href="{escape(location)}">{escape(location)}</a>' if location else ""
    steps = "".join(
        f"<li>{as_html(_STEPS[each['step']], languages)}:\n{_code(each['result'])}</li>\n"
        for each in told["steps"]
    )
    body = (
        f'<p class="status">{told["status"]}</p>\n<h1>{as_html(title, languages)}</h1>\n'
        f"<p>{as_html(meaning, languages)}{leads}</p>\n"
        f'<p class="hint"><code>{escape(told["outcome"])}</code></p>\n<ol>\n{steps}</ol>'
    )
    return write_page(as_text(title, languages), body, language=page_language(languages))


def _code(result: object) -> str:
    return f"<pre><code>{escape(json.dumps(result, indent=1))}</code></pre>"
