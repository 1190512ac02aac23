"""The outcome of a request for a guide, and its response."""

from __future__ import annotations

from http import HTTPStatus
from typing import assert_never

from ginuri.frozen import Frozen
from ginuri.i18n.translation import page_language
from ginuri.identifiers.service_paths import DOCS
from ginuri.resolution.negotiation.languages import read_languages
from ginuri.resolution.negotiation.preferences import Languages
from ginuri.web.headers import CORS, PERMANENT_SECONDS, PUBLISHED_SECONDS, cache
from ginuri.web.pages.frame import page_headers
from ginuri.web.pages.guides import list_guides, write_contents, write_found, write_guide
from ginuri.web.request import Request
from ginuri.web.response import Headers, Response

_START = f"/{DOCS}/"
_VARY: Headers = (("Vary", "Accept-Language"),)


class GiveGuide(Frozen):
    """200: a guide; without a name, the list of them."""

    name: str = ""


class SeeGuide(Frozen):
    """301: the address of a guide ends in a slash."""

    address: str


class NoSuchGuide(Frozen):
    """404: the guide does not exist."""

    path: str


def decide_guide(path: str) -> GiveGuide | SeeGuide | NoSuchGuide:
    """Decide the outcome of a request for `/docs` or a path below it."""
    name = path.removeprefix(_START.rstrip("/")).strip("/")
    if name and name not in list_guides():
        return NoSuchGuide(path)
    address = f"{_START}{name}/" if name else _START
    return GiveGuide(name) if path == address else SeeGuide(address)


def write_guide_response(outcome: GiveGuide | SeeGuide, request: Request, canonical_host: str) -> Response:
    """Write a guide, in the frame of the reader's language, or a redirect to it."""
    match outcome:
        case GiveGuide(name):
            languages = read_languages(request.preferences.accept_language)
            page = _write(name, request.parameters.get("q", "").strip(), canonical_host, languages)
            headers = (*page_headers(page_language(languages)), *_VARY, *cache(PUBLISHED_SECONDS), *CORS)
            return Response(HTTPStatus.OK, headers, page)
        case SeeGuide(address):
            headers = (("Location", address), *cache(PERMANENT_SECONDS), *CORS)
            return Response(HTTPStatus.MOVED_PERMANENTLY, headers)
        case _:
            assert_never(outcome)


def _write(name: str, text: str, canonical_host: str, languages: Languages) -> bytes:
    if name:
        return write_guide(name, canonical_host, languages)
    return write_found(text, languages) if text else write_contents(languages)
