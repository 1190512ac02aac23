"""The requests behind the edge: the headers of the policies, and the query and the host as sent."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import httpx
import pytest

from infra.local.cloudformation.completion import TemplateRefused
from infra.local.cloudformation.resources import Resources
from infra.local.edge.distribution import read_distribution
from infra.local.gateway.resource_policy import read_referers
from infra.local.stack import Stack
from tests.end_to_end.conftest import StartToys, run_toys


@pytest.fixture(scope="module")
def edged(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """Toy handlers behind the edge of the real template."""
    with run_toys(tmp_path_factory.mktemp("toys"), edge=True) as running:
        yield running


def _arrived(stack: Stack, target: str = "/x", method: str = "GET", **headers: str) -> dict[str, Any]:
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    event: dict[str, Any] = httpx.request(method, f"{stack.service}{target}", headers=sent, timeout=30).json()
    return event


def _fields(event: Mapping[str, Any]) -> dict[str, str]:
    return {name.lower(): value for name, value in event["headers"].items()}


def test_only_headers_named_in_a_policy_reach_the_origin(edged: Stack) -> None:
    distribution = read_distribution(edged.resources, edged.account)
    given = {"cloudfront-forwarded-proto", "x-ginuri-host", "x-ginuri-query"}
    assert isinstance(distribution.sent_headers, frozenset)
    sent = dict.fromkeys(distribution.sent_headers - given, "a/b")
    others = {
        "cookie": "a=b",
        "authorization": "Basic YTpi",
        "x-http-method-override": "DELETE",
        "x-other": "1",
    }

    event = _arrived(edged, "/x?a=1", **sent, **others, host="a.example")

    fields = _fields(event)
    added = {"host", "referer", "user-agent", "via", "x-forwarded-for", "x-ginuri-edge", "x-amzn-trace-id"}
    assert set(fields) - {"x-forwarded-port", "x-forwarded-proto"} == {*sent, *given, *added}
    assert {name: fields[name] for name in sent} == sent
    assert (fields["x-ginuri-host"], fields["x-ginuri-query"]) == ("a.example", "a=1")
    assert fields["cloudfront-forwarded-proto"] == "http"
    assert event["httpMethod"] == "GET"


@pytest.mark.parametrize("name", ["If-None-Match", "If-Modified-Since"])
def test_a_condition_evaluated_by_the_edge_stores_no_304(edged: Stack, name: str) -> None:
    assert name.lower() not in _fields(_arrived(edged, **{name: "Mon, 01 Jan 2024 00:00:00 GMT"}))


def test_a_range_of_an_uncached_answer_arrives(edged: Stack) -> None:
    fields = _fields(_arrived(edged, Range="bytes=0-3", If_Range='"a"'))

    assert (fields["range"], fields["if-range"]) == ("bytes=0-3", '"a"')


@pytest.mark.parametrize("path", ["/a%2Fb", "//a//", "/%25%zz", "/a;b=c/"])
def test_a_path_and_a_query_arrive_byte_for_byte(edged: Stack, path: str) -> None:
    event = _arrived(edged, f"{path}?b=2;a=%31&b")

    assert event["requestContext"]["path"] == f"/live{path}"
    assert _fields(event)["x-ginuri-query"] == "b=2;a=%31&b"


@pytest.mark.parametrize("generation", ["2", "7"])
def test_every_generation_of_secrets_is_sent_and_accepted(start_toys: StartToys, generation: str) -> None:
    with start_toys(edge=True, parameters={"SecretGeneration": generation}) as toys:
        environment = httpx.get(f"{toys.service}/toy/environment").json()
        sent = _fields(_arrived(toys))

    accepted = environment["EDGE_SECRET"].split()
    assert sent["referer"] == sent["x-ginuri-edge"] == accepted[1], "the second is sent"


@pytest.mark.parametrize(
    ("written", "instead"),
    [
        ('"Compress": false', '"Compress": true'),
        ('"OriginPath": "/live"', '"OriginPath": "/other"'),
        ('"EventType": "viewer-request"', '"EventType": "viewer-response"'),
        ('"QueryStringBehavior": "all"', '"QueryStringBehavior": "none"'),
    ],
)
def test_operations_unsupported_by_the_edge_are_refused(edged: Stack, written: str, instead: str) -> None:
    name = written.split('"')[1]
    changed = _changed(edged.resources, written, instead)

    with pytest.raises(TemplateRefused, match=f"{name} of the distribution"):
        read_distribution(changed, edged.account)


def test_a_gateway_policy_with_any_other_statement_is_refused(edged: Stack) -> None:
    changed = _changed(edged.resources, '"aws:Referer":', '"aws:UserAgent":')

    with pytest.raises(TemplateRefused, match="may allow by aws:Referer"):
        read_referers(changed, edged.account)


@pytest.mark.parametrize(
    ("written", "instead", "refused"),
    [
        ("Compress: false", "Compress: true", "Compress of the distribution"),
        ('"aws:Referer":', '"aws:UserAgent":', "may allow by aws:Referer"),
    ],
)
def test_a_stack_with_a_refused_edge_or_gateway_does_not_start(
    start_toys: StartToys, written: str, instead: str, refused: str
) -> None:
    with pytest.raises(TemplateRefused, match=refused), start_toys((written, instead), edge=True):
        pass


def _changed(resources: Resources, written: str, instead: str) -> Resources:
    """Replace a part of the created properties, written as JSON."""
    texts = [json.dumps(created.properties) for created in resources.created]
    assert any(written in text for text in texts)
    return Resources(
        tuple(
            replace(created, properties=json.loads(text.replace(written, instead)))
            for created, text in zip(resources.created, texts, strict=True)
        )
    )
