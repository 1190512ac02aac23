"""The table of formats: what follows from a row."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from ginuri.descriptions import writer
from ginuri.descriptions.writer import DescriptionWriter
from ginuri.identifiers import Kind
from ginuri.registry.model import Registered, ResourceType, Status
from ginuri.resolution.descriptions.decision import Describe, ListMembers
from ginuri.resolution.descriptions.formats import (
    COMMON_FORMATS,
    CSV,
    FORMATS,
    LIST_FORMATS,
    Format,
    choose_format,
    formats_of,
    leads_to_description,
)
from ginuri.resolution.descriptions.paths import address, read_description_path, read_list_path
from tests.builders import MAP, PUT, find, resource

BIBTEX = "application/x-bibtex"


@pytest.mark.parametrize("extension", FORMATS)
def test_every_format_of_descriptions_has_a_writer(extension: str) -> None:
    found = find(MAP, resource())
    outcome = Describe(found.identifier, resource(), found, "ids.example.org", extension, negotiated=False)

    assert DescriptionWriter().write(outcome)


@pytest.mark.parametrize("extension", LIST_FORMATS)
def test_every_format_of_lists_has_a_writer(extension: str) -> None:
    found = find(MAP, resource())
    outcome = ListMembers(found.identifier, resource(), found, "ids.example.org", extension, negotiated=False)

    assert DescriptionWriter().write(outcome)


def test_every_writer_is_named_by_a_format() -> None:
    cases = re.findall(r'case "(.+)":', Path(writer.__file__).read_text(encoding="utf-8"))

    assert set(cases) == {row.writer for row in (*FORMATS.values(), *LIST_FORMATS.values())}


@pytest.mark.parametrize("extension", FORMATS)
def test_every_format_of_descriptions_has_a_path(extension: str) -> None:
    path = address(find(MAP).identifier, extension)

    assert read_description_path(path).extension == extension


@pytest.mark.parametrize("extension", LIST_FORMATS)
def test_every_format_of_lists_has_a_path(extension: str) -> None:
    path = read_list_path(f"/members.{extension}/{MAP}")

    assert path is not None
    assert path.extension == extension


@pytest.mark.parametrize("formats", [FORMATS, COMMON_FORMATS, LIST_FORMATS])
def test_a_client_without_preferences_gets_a_page(formats: Mapping[str, Format]) -> None:
    assert [choose_format(accept, formats) for accept in (None, "", "*/*", "text/*")] == [FORMATS["html"]] * 4


def test_the_rows_of_descriptions_are_in_order_of_preference() -> None:
    qualities = [row.quality for row in FORMATS.values()]

    assert qualities == sorted(qualities, reverse=True)


def test_no_two_formats_have_the_same_media_type() -> None:
    rows = {**FORMATS, CSV: LIST_FORMATS[CSV]}.values()

    assert len({row.media_type for row in rows}) == len(rows)


@pytest.mark.parametrize(
    ("record", "formats"),
    [
        (resource(), FORMATS),
        (ResourceType(identifier="uri-gin/azgs/doc/", modified=PUT.format(0)), FORMATS),
        (resource(status=Status.RETIRED), FORMATS),
        (resource(status=Status.WITHHELD), COMMON_FORMATS),
        (Registered(identifier="uri-gin/azgs/", modified=PUT.format(0)), COMMON_FORMATS),
    ],
)
def test_a_resource_that_is_not_withheld_has_every_format(
    record: Registered, formats: Mapping[str, Format]
) -> None:
    assert formats_of(record) is formats


@pytest.mark.parametrize(
    ("accept", "leading"),
    [
        (BIBTEX, {Kind.THING, Kind.DOCUMENT}),
        ("application/vnd.citationstyles.csl+json;charset=utf-8", {Kind.THING, Kind.DOCUMENT}),
        ("image/png, Application/X-BibTeX;q=0.1", {Kind.THING, Kind.DOCUMENT}),
        (f"{BIBTEX};q=0", set()),
        ("text/turtle", {Kind.THING}),
        ("application/*", {Kind.THING}),
        ("image/png", set()),
    ],
)
def test_a_document_leads_to_its_description_for_citations_only(accept: str, leading: set[Kind]) -> None:
    kinds = (Kind.THING, Kind.DOCUMENT)

    assert {kind for kind in kinds if leads_to_description(accept, kind)} == leading
