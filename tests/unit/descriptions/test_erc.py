"""Electronic Resource Citations, in the form of draft-kunze-ark-42."""

from __future__ import annotations

from typing import Any

import pytest

from ginuri.descriptions.composer import compose
from ginuri.descriptions.erc import write_erc
from ginuri.identifiers import parse
from ginuri.registry.model import NameAuthority, Namespace, Registered, Resource, Scheme, Status
from ginuri.registry.ports import Found
from ginuri.resolution.descriptions.decision import Describe

NAME, MODIFIED = "ark:12345/x8", "2026-11-22T17:29:00.000Z"
NAMESPACE = Namespace(
    identifier="ark:12345/",
    modified="2008-12-03T10:00:00.000Z",
    titles={"en": "ARKs of the library"},
    descriptions={"en": "Permanent: Stable Content"},
    registrant="University Libraries",
    homepage="https://library.example/arks",
)


def _write(record: Registered, *others: Registered) -> list[str]:
    found = Found(parse(record.identifier), {known.identifier: known for known in (record, *others)})
    outcome = Describe(found.identifier, record, found, "ids.example.org", "erc", negotiated=False)
    return write_erc(compose(outcome)).decode().splitlines()


def _resource(**fields: Any) -> Resource:
    return Resource(identifier=NAME, modified=MODIFIED, **fields)


def test_a_citation_has_who_what_when_where_and_support() -> None:
    properties = {"creator": ["Hayes, P.", "Doe, M."], "created": "1987-06-01", "issued": "1990"}

    assert _write(_resource(titles={"en": "A box"}, properties=properties), NAMESPACE) == [
        "erc:",
        "who: Hayes, P.; Doe, M.",
        "what: A box",
        "when: 19870601",
        "where: http://ids.example.org/ark:12345/x8",
        "erc-support:",
        "who: University Libraries",
        "what: Permanent: Stable Content",
        "when: 20081203",
        "where: https://library.example/arks",
    ]


@pytest.mark.parametrize(
    ("status", "reason"),
    [(Status.VALID, "(:unav)"), (Status.RESERVED, "(:tba)"), (Status.WITHHELD, "(:unal)")],
)
def test_a_missing_value_is_given_with_its_reason(status: Status, reason: str) -> None:
    written = _write(_resource(status=status))

    assert written[1:4] == [f"who: {reason}", f"what: {reason}", f"when: {reason}"]
    assert written[-4:] == ["who: (:unav)", "what: (:unav)", "when: (:unav)", "where: (:unav)"]


def test_a_line_break_in_a_value_begins_no_element() -> None:
    assert _write(_resource(titles={"en": "A box\nwho: Mallory\r\u2028erc:"}))[2] == (
        "what: A box who: Mallory erc:"
    )


def test_the_end_of_validity_follows_the_four_elements() -> None:
    record = _resource(status=Status.RETIRED, reason="Lost.", successor="ark:12345/x9")

    assert _write(record)[5:8] == [
        "status: retired",
        "reason: Lost.",
        "successor: http://ids.example.org/ark:12345/x9",
    ]


def test_a_name_authority_has_itself_as_support() -> None:
    authority = NameAuthority(identifier="uri-gin/azgs/", modified=MODIFIED, titles={"en": "Survey"})

    assert _write(authority)[-4:] == [
        "who: Survey",
        "what: (:unav)",
        "when: 20261122",
        "where: http://ids.example.org/uri-gin/azgs/",
    ]


def test_a_scheme_has_no_support() -> None:
    scheme = Scheme(identifier="ark:", modified=MODIFIED, titles={"en": "Archival Resource Keys"})

    assert _write(scheme)[2] == "what: Archival Resource Keys"
    assert _write(scheme)[-1] == "where: (:unav)"


def test_a_publisher_replaces_a_missing_creator_and_periods_are_kept() -> None:
    written = _write(_resource(properties={"publisher": "A survey", "date": "1987/1990"}))

    assert (written[1], written[3]) == ("who: A survey", "when: 1987/1990")
