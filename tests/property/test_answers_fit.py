"""Lambda and the gateway accept the answers for every possible registry."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given, settings
from hypothesis import strategies as st

from ginuri.web.response import LARGEST_EVENT, LARGEST_HEADERS
from tests.hostile import COLLECTION, TYPE, Registered, Values, fill

_characters = st.sampled_from(["&", "'", '"', "-", "/", "\u00e9", "\U0001f600", "\x01", "a ", "\u2028"])
_SHARES = 10
"""Each example sends a share of all requests, so that more examples are tried."""
_MAY_BE_REFUSED = ("/about.nt/", "/about.rdf/")
"""These formats repeat an identifier of a thousand bytes for each of some thousand values of one record."""
_numbers = st.integers(1, 200)


def _title(text: str, number: int) -> Callable[[int], Values]:
    return lambda size: {"title": {f"x-{tag}": f"map {text * (size // number)}" for tag in range(number)}}


def _description(text: str, number: int) -> Callable[[int], Values]:
    return lambda size: {"title": {"en": "map"}, "description": {"en": text * size}, "reason": text * number}


def _retired(text: str, number: int) -> Callable[[int], Values]:
    words = {"title": {"en": f"map {text * number}"}, "status": "retired"}
    return lambda size: words | {"reason": text * size, "contact": "maps@example.org"}


def _forms(text: str, number: int) -> Callable[[int], Values]:
    def make(size: int) -> Values:
        forms = [
            {"part": f"{at}.x", "location": f"https://e.org/{at}", "title": {"en": text * (size // number)}}
            for at in range(number)
        ]
        return {"title": {"en": "map"}, "representations": forms, "properties": {"creator": "urn:a"}}

    return make


def _versions(text: str, number: int) -> Callable[[int], Values]:
    def make(size: int) -> Values:
        days = [f"{1800 + at}-01-01" for at in range(number)]
        forms = [{"part": f".{day}", "valid_from": day, "location": "https://e.org/"} for day in days]
        return {"title": {"en": "map"}, "representations": forms, "properties": {"creator": text * size}}

    return make


def _creators(text: str, number: int) -> Callable[[int], Values]:
    def make(size: int) -> Values:
        forms = [{"language": f"x-{at}", "location": f"https://e.org/{at}"} for at in range(number)]
        people = [f"urn:{at}" for at in range(min(size, 7_000))]
        return {"title": {"en": f"map {text}"}, "representations": forms, "properties": {"creator": people}}

    return make


def _mentions(text: str, number: int) -> Callable[[int], Values]:
    def make(size: int) -> Values:
        mentioned = [f"{TYPE}{text * 0}{at % 100:03d}" for at in range(number * 10)]
        return {
            "title": {"en": f"map {'&' * size}"},
            "properties": {"relation": mentioned, "creator": mentioned},
        }

    return make


def _types(text: str, number: int) -> Callable[[int], Values]:
    services = [{"href": f"urn:{at}", "title": "a"} for at in range(number)]
    return lambda size: (
        {"record": "resource-type", "title": {"en": "map"}, "definition": text * size}
        | {"services": services}
    )


def _authorities(text: str, number: int) -> Callable[[int], Values]:
    hosts = [f"{at}.example.org" for at in range(number)]
    return lambda size: {"record": "authority", "title": {"en": f"map {text * size}"}, "trusted_hosts": hosts}


def _aliases(text: str, number: int) -> Callable[[int], Values]:
    title = {"en": f"map {text * number}"}
    return lambda size: (
        {"record": "alias", "title": title} | {"stands_for": [f"uri-gin/a/{at}" for at in range(size // 20)]}
    )


_kinds = (
    _title,
    _description,
    _retired,
    _forms,
    _versions,
    _creators,
    _mentions,
    _types,
    _authorities,
    _aliases,
)


@st.composite
def _registries(draw: st.DrawFn) -> dict[str, Values]:
    """Draw a hundred records of the largest size, of one kind, with short or long identifiers."""
    kind, text, number = draw(st.sampled_from(_kinds)), draw(_characters), draw(_numbers)
    values = fill(kind(text, number))
    letters = draw(st.sampled_from("a&'-")) * draw(st.sampled_from([0, 960]))
    record = values.get("record", "resource")
    stem = f"uri-gin/{'a' * (len(letters) // 2)}" if record == "authority" else f"{TYPE}{letters}"
    end = "/" if record in {"authority", "resource-type"} else ""
    names = [f"{stem}{number:03d}{end}" for number in range(100)]
    if record == "resource":
        values |= {"part_of": COLLECTION}
    return dict.fromkeys(names, values)


@settings(max_examples=8)  # each example registers a hundred of the largest records
@given(_registries(), st.integers(0, _SHARES - 1))
def test_every_answer_about_a_hundred_legal_records_fits(records: dict[str, Values], share: int) -> None:
    with TemporaryDirectory() as folder:
        answers = dict(Registered(records, Path(folder)).ask_everything(share, _SHARES))

    for asked, event in answers.items():
        headers = [(name, value) for name, values in event["multiValueHeaders"].items() for value in values]
        assert len(json.dumps(event)) <= LARGEST_EVENT, asked
        assert sum(len(name) + len(value) for name, value in headers) <= LARGEST_HEADERS, asked
        assert event["statusCode"] < 500 or asked.startswith(_MAY_BE_REFUSED), asked
