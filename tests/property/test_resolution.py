"""The resolution services answer every query like a GET."""

from __future__ import annotations

import json
import time
from typing import Any
from urllib.parse import urljoin

from hypothesis import given
from hypothesis import strategies as st

from ginuri.descriptions.writer import DescriptionWriter
from ginuri.identifiers import parse
from ginuri.memory import MemoryContentStore, MemoryRegistry
from ginuri.resolution.finder import RememberingFinder
from ginuri.service.describe import Collaborators, answer
from ginuri.service.resolve import answer as dereference
from ginuri.urn_services.decision import Service
from ginuri.web.answers.descriptions import DescriptionResponses
from ginuri.web.answers.identifiers import IdentifierResponses
from ginuri.web.events import read_request
from ginuri.web.response import Response, write_gateway
from tests.builders import MAP, register, rest_event
from tests.property.strategies import HEADER_TEXTS, IDENTIFIERS

HOST, SECRET = "resources.example.org", "secret"
_REGISTRY = MemoryRegistry()
_USING = Collaborators(
    RememberingFinder(_REGISTRY, time.monotonic),
    _REGISTRY,
    _REGISTRY,
    DescriptionResponses(DescriptionWriter().write),
    HOST,
)
_FILE = {"key": "m.tif", "version": "v1", "length": 11, "sha256": "ab" * 32, "stored": "2011-08-25T17:29:00Z"}
register(_REGISTRY, "urn:foo:", record="namespace")
register(_REGISTRY, "uri-gin/azgs/", record="authority")
register(
    _REGISTRY,
    MAP,
    properties={"identifier": "urn:foo:map"},
    representations=[
        {"part": "m.pdf", "media_type": "application/pdf", "location": "https://example.org/m.pdf"},
        {"part": "m.tif", "media_type": "image/tiff", "file": _FILE},
    ],
)
register(
    _REGISTRY,
    "urn:foo:two",
    kind="document",
    representations=[
        {"media_type": "text/html", "language": "de", "location": "https://example.org/de"},
        {"media_type": "text/plain", "language": "en", "location": "https://example.org/en"},
    ],
)
register(_REGISTRY, "urn:foo:map", record="alias", stands_for=[MAP])
register(_REGISTRY, "urn:foo:either", record="alias", stands_for=[MAP, "urn:foo:two"])
register(_REGISTRY, "urn:foo:gone", status="retired")
register(_REGISTRY, "urn:foo:thing", title={"en": "A thing"})
NAMES = st.sampled_from(
    [
        MAP,
        f"{MAP}m.pdf",
        f"{MAP}m.tif",
        f"{MAP}m",
        MAP.upper().replace("URI-GIN", "uri-gin"),
        *(f"urn:foo:{each}" for each in ("", "map", "MAP", "two", "either", "gone", "thing", "none")),
        "uri-gin/azgs/",
        "urn:bar:x",
    ]
)
LANGUAGES = st.sampled_from(["de", "en", "fr", "*", "en;q=0.1, de"])


def _ask(service: str, query: str, **headers: str) -> Response:
    sent = {"Host": HOST, "X-Ginuri-Edge": SECRET, "X-Ginuri-Query": query}
    sent |= {name.replace("_", "-"): value for name, value in headers.items()}
    response = answer(read_request(rest_event(f"/uri-res/{service}", headers=sent), SECRET), _USING).response
    written = write_gateway(response, "GET")
    assert written["statusCode"] < 500
    for values in written["multiValueHeaders"].values():
        assert all(value.isascii() and value.isprintable() for value in values)
    json.dumps(written)
    return response


def _get(name: str, **headers: str) -> Response:
    sent = {"Host": HOST} | {key.replace("_", "-"): value for key, value in headers.items()}
    finder = RememberingFinder(_REGISTRY, time.monotonic)
    store = MemoryContentStore()
    store.files["m.tif", "v1"] = b"hello world"
    return dereference(
        read_request(rest_event(f"/{name}", headers=sent)), finder, IdentifierResponses(store, HOST)
    ).response


def _header(response: Response, name: str) -> Any:
    return dict(response.headers).get(name)


def _uris(response: Response) -> list[str]:
    assert _header(response, "Content-Type") == "text/uri-list"
    return response.body.decode("ascii").split("\r\n")[1:-1]


@given(
    st.sampled_from([*Service]) | st.text(),
    st.text() | IDENTIFIERS | NAMES | HEADER_TEXTS,
    st.dictionaries(st.sampled_from(["Accept", "Accept_Language"]), HEADER_TEXTS),
)
def test_any_service_accepts_any_text(service: str, query: str, headers: dict[str, str]) -> None:
    response = _ask(service, query, **headers)

    assert response.status in {200, 300, 303, 400, 404, 406, 410}


@given(NAMES, LANGUAGES)
def test_n2l_redirects_as_a_get_does(name: str, languages: str) -> None:
    asked, got = _ask("N2L", name, Accept_Language=languages), _get(name, Accept_Language=languages)

    if got.status == 200:  # it is a record of this registry, so its location is its own
        assert (asked.status, _header(asked, "Location")) == (303, f"/{name}")
    else:
        assert asked.status == (got.status if got.status in {300, 404, 406, 410} else 303)
        assert _header(asked, "Location") == _header(got, "Location")


@given(NAMES, LANGUAGES)
def test_the_location_of_n2l_is_the_first_of_n2ls(name: str, languages: str) -> None:
    one, listed = (_ask(each, name, Accept_Language=languages) for each in ("N2L", "N2Ls"))

    if one.status == 303:
        assert urljoin(f"http://{HOST}/", _header(one, "Location")) == _uris(listed)[0]
        assert len({*_uris(listed)}) == len(_uris(listed))


@given(NAMES, NAMES)
def test_two_registered_synonyms_name_each_other(one: str, other: str) -> None:
    names = [_ask("N2Ns", each) for each in (one, other)]

    if [each.status for each in names] == [200, 200]:
        of_one, of_other = ([parse(uri) for uri in _uris(each)] for each in names)
        assert parse(one) not in of_one
        if {one, other} == {MAP, "urn:foo:map"}:
            assert parse(other) in of_one
            assert parse(one) in of_other
