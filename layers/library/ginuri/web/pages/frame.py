"""The headers of every page: it loads only the style, the script and the images of this host."""

from __future__ import annotations

import base64
import hashlib

from ginuri.registry.model import Representation
from ginuri.resolution.negotiation.negotiation import Preferences, choose
from ginuri.web.pages.assets import read_asset
from ginuri.web.response import Headers

_HTML = Representation(media_type="text/html")
_FORMATS = (Representation(media_type="application/json"), _HTML)
SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)


def style_in_page() -> str:
    """Return the style of every page, for a page that is read where nothing can be loaded."""
    return read_asset("style.css").content.decode()


def script_in_page() -> str:
    """Return the script of every page, for such a page."""
    return read_asset("page.js").content.decode()


def policy_in_page(*, has_form: bool = False, has_script: bool = False) -> str:
    """Return the policy of a page with its style and script included, which are allowed by their digests.

    Such a page may be read without headers, where browsers ignore `frame-ancestors`.
    """
    receiver = "'self'" if has_form else "'none'"
    script = f"script-src {_digest(script_in_page())}; " if has_script else ""
    style = f"style-src {_digest(style_in_page())}; "
    return f"default-src 'none'; {script}{style}base-uri 'none'; form-action {receiver}"


def _digest(text: str) -> str:
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode("ascii")
    return f"'sha256-{digest}'"


def prefers_page(preferences: Preferences) -> bool:
    """Return whether a page is preferred to JSON."""
    return choose(Preferences(accept=preferences.accept), _FORMATS) is _HTML


def page_headers(language: str = "en", *, forwards: bool = False) -> Headers:
    """Return the headers of a page; with `forwards`, its form may redirect to other hosts."""
    # A browser applies the policy also to the redirect of a form.
    wider = SECURITY_POLICY.replace("form-action 'self'", "form-action 'self' http: https:")
    return (
        ("Content-Type", "text/html; charset=utf-8"),
        ("Content-Language", language),
        ("Content-Security-Policy", wider if forwards else SECURITY_POLICY),
        ("X-Content-Type-Options", "nosniff"),
        ("Referrer-Policy", "no-referrer"),
    )
