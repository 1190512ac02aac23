"""Whatever the service's own paths are sent, they answer: no fault of ours, no header broken."""

from __future__ import annotations

import json
import time
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from describe.flow import Collaborators, answer
from ginuri.adapters.memory import MemoryRegistry
from ginuri.core.finding import RememberingFinder
from ginuri.core.identifiers import parse
from ginuri.descriptions.writing import DescriptionWriter
from ginuri.web.description_answers import DescriptionAnswers
from ginuri.web.pages import write_page
from ginuri.web.response import write_gateway
from ginuri.web.service_answers import ServiceAnswers
from tests.builders import MAP, register, rest_event
from tests.property.strategies import HEADER_TEXTS, IDENTIFIERS, PATHS

_REGISTRY = MemoryRegistry()
register(_REGISTRY, "uri-gin/azgs/", record="authority")
register(_REGISTRY, MAP, representations=[{"part": "m.pdf", "location": "https://example.org/m.pdf"}])
_USING = Collaborators(
    RememberingFinder(_REGISTRY, time.monotonic),
    _REGISTRY,
    DescriptionAnswers(DescriptionWriter(write_page).write),
    ServiceAnswers("resources.example.org"),
    "resources.example.org",
)
TEXTS = st.text() | IDENTIFIERS | PATHS | st.sampled_from([MAP, f"http://a.example/{MAP}#b"])
ACCEPTS = st.dictionaries(st.sampled_from(["Accept", "Accept-Language", "Host"]), HEADER_TEXTS, max_size=3)


def ask(event: dict[str, Any]) -> dict[str, Any]:
    answered = answer(event, _USING)
    written = write_gateway(answered.response, answered.request.method)
    assert written["statusCode"] < 500
    for values in written["multiValueHeaders"].values():
        assert all(value.isascii() and value.isprintable() for value in values)
    json.dumps(written)
    return written


@given(PATHS | IDENTIFIERS.map(lambda it: f"/{it}") | st.text(), ACCEPTS)
def test_any_path_can_be_asked_to_be_explained(path: str, headers: dict[str, str]) -> None:
    written = ask(rest_event(f"/explain{path}", headers=headers))

    assert written["statusCode"] in {200, 400, 404, 406}


@given(TEXTS, st.none() | st.text())
def test_any_text_can_be_asked_for_as_a_uri(text: str, fragment: str | None) -> None:
    uri = text if fragment is None else f"{text}#{fragment}"

    written = ask(
        rest_event("/resolve")
        | {"queryStringParameters": {"uri": uri}, "multiValueQueryStringParameters": {"uri": [uri]}}
    )

    assert written["statusCode"] in {302, 400}


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


@given(st.text())
def test_any_body_can_be_sent(body: str) -> None:
    assert ask(rest_event("/resolve", "POST") | {"body": body})["statusCode"] in {200, 400, 413, 422}
