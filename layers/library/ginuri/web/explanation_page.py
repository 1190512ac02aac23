"""An explanation as a page: what was decided, then each step."""

from __future__ import annotations

import json
from collections.abc import Mapping
from html import escape
from typing import Any

from ginuri.web.pages import write_page

_STEPS = {
    "parse": "The identifier was read",
    "find": "The registry was asked",
    "host": "The host was looked at",
    "preferences": "The preferences were read",
    "decide": "It was decided",
}


def write_explanation(told: Mapping[str, Any]) -> bytes:
    """Write an explanation as a page, in UTF-8."""
    title = f"What a request for {told['identifier']} gets"
    location = told["location"]
    leads = f' <a href="{escape(location)}">{escape(location)}</a>' if location else ""
    steps = "".join(
        f"<li>{escape(_STEPS.get(each['step'], each['step']))}:\n{_code(each['result'])}</li>\n"
        for each in told["steps"]
    )
    body = (
        f'<p class="status">{told["status"]}</p>\n<h1>{escape(title)}</h1>\n'
        f"<p>{escape(told['outcome'])}{leads}</p>\n<ol>\n{steps}</ol>"
    )
    return write_page(title, body)


def _code(result: object) -> str:
    return f"<pre><code>{escape(json.dumps(result, indent=1))}</code></pre>"
