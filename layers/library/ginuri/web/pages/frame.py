"""The frame of every page: one style, no script, nothing loaded from elsewhere."""

from __future__ import annotations

import base64
import hashlib
from html import escape
from importlib.resources import files

from ginuri.i18n.translation import translate
from ginuri.web.response import Headers

STYLE = files("ginuri.web.pages").joinpath("style.css").read_text(encoding="utf-8")
_DIGEST = base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode("ascii")
SECURITY_POLICY = (
    f"default-src 'none'; style-src 'sha256-{_DIGEST}'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""The style stands in the page and is allowed by its digest: no exception for anything else is needed."""

_SEARCH = (
    '<link rel="search" type="application/opensearchdescription+xml" href="/opensearch.xml" title="ginuri">\n'
)


def page_headers(language: str = "en") -> Headers:
    """Give the headers of every page, whose own words are in this language."""
    return (
        ("Content-Type", "text/html; charset=utf-8"),
        ("Content-Language", language),
        ("Content-Security-Policy", SECURITY_POLICY),
        ("X-Content-Type-Options", "nosniff"),
        ("Referrer-Policy", "no-referrer"),
    )


def write_page(  # noqa: PLR0913  one place in the frame each
    title: str, body: str, *, language: str = "en", head: str = "", banner: str = "", footer: str = ""
) -> bytes:
    """Put a body into the frame; the title is text, the language `en` or `es`, all else is HTML already.

    `head` goes into the head, `banner` above the content (a link to the host where there is none), `footer`
    below it.
    """
    above = banner or f'<p class="home"><a href="/">{translate("About this host", language)}</a></p>'
    closing = f"<footer>\n{footer}\n</footer>\n" if footer else ""
    return (
        f'<!doctype html>\n<html lang="{escape(language)}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"<title>{escape(title)}</title>\n{_SEARCH}{head}<style>{STYLE}</style>\n</head>\n<body>\n"
        f'<a class="skip" href="#content">{translate("Skip to the content", language)}</a>\n'
        f'<header>\n{above}\n</header>\n<main id="content">\n{body}\n</main>\n{closing}</body>\n</html>\n'
    ).encode()
