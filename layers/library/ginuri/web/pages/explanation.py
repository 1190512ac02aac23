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
    "parse": translatable("The identifier was read"),
    "find": translatable("The registry was asked"),
    "host": translatable("The host was looked at"),
    "preferences": translatable("The preferences were read"),
    "decide": translatable("It was decided"),
}


def write_explanation(told: Mapping[str, Any], outcome: type, languages: Languages = ()) -> bytes:
    """Write an explanation as a page, in UTF-8; the steps' results are data, and stay as they are."""
    title = message("What a request for {identifier} gets", identifier=told["identifier"])
    location = told["location"]
    leads = f' <a href="{escape(location)}">{escape(location)}</a>' if location else ""
    steps = "".join(
        f"<li>{as_html(_STEPS.get(each['step'], each['step']), languages)}:\n{_code(each['result'])}</li>\n"
        for each in told["steps"]
    )
    body = (
        f'<p class="status">{told["status"]}</p>\n<h1>{as_html(title, languages)}</h1>\n'
        f"<p>{as_html(_meaning(outcome), languages)}{leads}</p>\n"
        f'<p class="hint"><code>{escape(told["outcome"])}</code></p>\n<ol>\n{steps}</ol>'
    )
    return write_page(as_text(title, languages), body, language=page_language(languages))


def _meaning(outcome: type) -> Message:
    # What an outcome means stands where it is defined.
    return Message((outcome.__doc__ or outcome.__name__).partition("\n")[0])


def _code(result: object) -> str:
    return f"<pre><code>{escape(json.dumps(result, indent=1))}</code></pre>"
