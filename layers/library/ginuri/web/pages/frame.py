"""The headers of every page, and its style: no script, and nothing is loaded but images of this host."""

from __future__ import annotations

import base64
import hashlib
from importlib.resources import files

from ginuri.web.response import Headers

STYLE = files("ginuri.web.pages").joinpath("style.css").read_text(encoding="utf-8")
_DIGEST = base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode("ascii")
POLICY_IN_PAGE = f"default-src 'none'; style-src 'sha256-{_DIGEST}'; base-uri 'none'; form-action 'none'"
"""For a page that is read without headers, where browsers ignore `frame-ancestors`."""
SECURITY_POLICY = f"{POLICY_IN_PAGE}; frame-ancestors 'none'"
"""The style is inline and is allowed by its digest, so the policy needs no other exception."""


def page_headers(language: str = "en", *, form_action: str = "'none'", has_images: bool = False) -> Headers:
    """Return the headers of a page in a language; `form_action` is where it may submit a form to.

    Only a page that has images may load them, from this host: otherwise nothing is loaded at all.
    """
    policy = SECURITY_POLICY.replace("form-action 'none'", f"form-action {form_action}")
    if has_images:
        policy = f"{policy}; img-src 'self'"
    return (
        ("Content-Type", "text/html; charset=utf-8"),
        ("Content-Language", language),
        ("Content-Security-Policy", policy),
        ("X-Content-Type-Options", "nosniff"),
        ("Referrer-Policy", "no-referrer"),
    )
