"""The service's own paths answer every request: no 5xx, no broken header."""

from __future__ import annotations

import base64
import json
import time
from collections.abc import Callable
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from ginuri.descriptions.writer import DescriptionWriter
from ginuri.identifiers import parse
from ginuri.memory import MemoryRegistry
from ginuri.resolution.finder import RememberingFinder
from ginuri.service.describe import Collaborators, answer
from ginuri.service.resolve import answer as dereference
from ginuri.web.answers.descriptions import DescriptionResponses
from ginuri.web.answers.identifiers import IdentifierResponses
from ginuri.web.answers.services import NoContent
from ginuri.web.events import read_request
from ginuri.web.response import write_gateway
from tests.builders import MAP, register, rest_event
from tests.property.strategies import HEADER_TEXTS, IDENTIFIERS, PATHS

HOST = "resources.example.org"
_REGISTRY = MemoryRegistry()
register(_REGISTRY, "uri-gin/azgs/", record="authority")
register(_REGISTRY, MAP, representations=[{"part": "m.pdf", "location": "https://example.org/m.pdf"}])
_USING = Collaborators(
    RememberingFinder(_REGISTRY, time.monotonic),
    _REGISTRY,
    _REGISTRY,
    DescriptionResponses(DescriptionWriter().write),
    HOST,
)
register(_REGISTRY, "uri-gin/azgs/doc/", record="resource-type", dereference="content")
register(
    _REGISTRY,
    "uri-gin/azgs/doc/guide",
    representations=[
        {
            "part": f".{tag}",
            "language": tag,
            "profile": f"urn:{tag}",
            "location": f"https://example.org/{tag}",
        }
        for tag in ("en", "de")
    ],
)
register(_REGISTRY, "uri-gin/azgs/doc/Guide/", status="retired")
register(_REGISTRY, "uri-gin/usgs/", record="authority", answered_by="id.usgs.example")
register(_REGISTRY, "uri-gin/azgs/either", record="alias", stands_for=[MAP, "uri-gin/azgs/doc/guide"])
_REGISTERED = [
    MAP,
    f"{MAP}m.pdf",
    f"{MAP}m",
    "uri-gin/azgs/",
    "uri-gin/azgs/doc/",
    "uri-gin/azgs/doc/guide",
    "uri-gin/azgs/doc/guide.de",
    "uri-gin/azgs/doc/Guide/",
    "uri-gin/azgs/either",
    "uri-gin/usgs/doc/x",
]
_WRITINGS: list[Callable[[str], str]] = [
    str,
    lambda name: name.rstrip("/"),
    lambda name: f"{name}/",
    lambda name: f"{name}).",
    lambda name: name.upper().replace("URI-GIN", "uri-gin"),
    lambda name: name.replace("a", "%61"),
]
NAMES = (
    st.builds(lambda write, name: write(name), st.sampled_from(_WRITINGS), st.sampled_from(_REGISTERED))
    | IDENTIFIERS
)
PREFERENCES = st.fixed_dictionaries(
    {},
    optional={
        "Accept-Language": st.sampled_from(["de", "en;q=0.1, de", "fr", "*"]) | HEADER_TEXTS,
        "Accept-Profile": st.sampled_from(["<urn:de>", "<urn:none>"]) | HEADER_TEXTS,
    },
)
TEXTS = st.text() | IDENTIFIERS | PATHS | st.sampled_from([MAP, f"http://a.example/{MAP}#b"])
ACCEPTS = st.dictionaries(st.sampled_from(["Accept", "Accept-Language", "Host"]), HEADER_TEXTS, max_size=3)


def ask(event: dict[str, Any]) -> dict[str, Any]:
    answered = answer(read_request(event), _USING)
    written = write_gateway(answered.response, event["httpMethod"])
    assert written["statusCode"] < 500
    for values in written["multiValueHeaders"].values():
        assert all(value.isascii() and value.isprintable() for value in values)
    json.dumps(written)
    return written


@given(PATHS | IDENTIFIERS.map(lambda it: f"/{it}") | st.text(), ACCEPTS)
def test_any_path_can_be_explained(path: str, headers: dict[str, str]) -> None:
    written = ask(rest_event(f"/explain{path}", headers=headers))

    assert written["statusCode"] in {200, 400, 404, 406}


@given(TEXTS, st.none() | st.text())
def test_any_text_can_be_resolved_as_a_uri(text: str, fragment: str | None) -> None:
    uri = text if fragment is None else f"{text}#{fragment}"

    written = ask(
        rest_event("/resolve")
        | {"queryStringParameters": {"uri": uri}, "multiValueQueryStringParameters": {"uri": [uri]}}
    )

    assert written["statusCode"] in {302, 400, 404}


@given(IDENTIFIERS)
def test_an_identifier_leads_to_its_own_normal_form(identifier: str) -> None:
    written = ask(
        rest_event("/resolve")
        | {
            "multiValueQueryStringParameters": {"uri": [identifier]},
            "queryStringParameters": {"uri": identifier},
        }
    )

    assert written["multiValueHeaders"]["Location"] == [f"/{parse(identifier)}"]


@given(st.lists(TEXTS, max_size=5) | st.recursive(st.none() | st.text() | st.integers(), st.lists))
def test_any_json_can_be_sent_as_a_list(given_list: object) -> None:
    written = ask(rest_event("/resolve", "POST") | {"body": json.dumps(given_list)})

    assert written["statusCode"] in {200, 422}


@given(st.lists(NAMES, max_size=5), PREFERENCES)
def test_every_item_of_a_list_has_the_answer_to_its_get(names: list[str], headers: dict[str, str]) -> None:
    sent = rest_event("/resolve", "POST", {"Host": HOST, "Accept": "application/json", **headers})

    items = json.loads(base64.b64decode(ask(sent | {"body": json.dumps(names)})["body"]))

    for name, item in zip(names, items, strict=True):
        event = rest_event(f"/{item['identifier'] or name}", headers={"Host": HOST, **headers})
        got = dereference(
            read_request(event),
            RememberingFinder(_REGISTRY, lambda: 0.0),
            IdentifierResponses(NoContent(), HOST),
        )
        assert (item["status"], item["outcome"]) == (got.response.status, type(got.outcome).__name__)
        assert item["location"] == dict(got.response.headers).get("Location")


@given(st.text())
def test_any_body_is_accepted(body: str) -> None:
    assert ask(rest_event("/resolve", "POST") | {"body": body})["statusCode"] in {200, 400, 413, 422}
