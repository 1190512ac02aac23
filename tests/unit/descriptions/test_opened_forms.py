"""The page of a description offers a form to open before everything else."""

from __future__ import annotations

import re

import pytest

from ginuri.descriptions.composer import compose
from ginuri.descriptions.html.page import write_page
from ginuri.registry.model import Representation, Resource, Role, Status
from ginuri.resolution.descriptions.decision import Describe
from tests.builders import PUT, find, stored

NAME = "uri-gin/azgs/doc/map/1/"
WEB = Representation(location="https://maps.example/1", media_type="text/html", language="es")
TIFF = Representation(part="m.tif", media_type="image/tiff", location="https://maps.example/1.tif")
PDF = Representation(part="m.pdf", media_type="application/pdf", file=stored())


def _page(*forms: Representation, status: Status = Status.VALID) -> str:
    record = Resource(identifier=NAME, modified=PUT.format(0), representations=forms, status=status)
    found = find(NAME, record)
    outcome = Describe(found.identifier, record, found, "ids.example.org", "html", negotiated=False)
    page = write_page(compose(outcome)).decode()
    return page.partition('<p class="files">')[2].partition("</p>")[0]


def _opened(*forms: Representation) -> list[str]:
    return re.findall('href="([^"]*)"', _page(*forms))


def _as(role: Role, form: Representation) -> Representation:
    return Representation(
        part=form.part,
        media_type=form.media_type,
        location=form.location,
        file=form.file,
        roles=frozenset({role}),
    )


@pytest.mark.parametrize(
    ("forms", "first"),
    [
        ((TIFF, _as(Role.DEFAULT, PDF)), f"/{NAME}m.pdf"),
        ((PDF, _as(Role.CANONICAL, TIFF)), f"/{NAME}m.tif"),
        ((_as(Role.CANONICAL, TIFF), _as(Role.DEFAULT, PDF)), f"/{NAME}m.pdf"),
        ((WEB, PDF), "https://maps.example/1"),
    ],
)
def test_the_default_form_comes_first_then_the_canonical_one(
    forms: tuple[Representation, ...], first: str
) -> None:
    assert _opened(*forms)[0] == first
    assert len(_opened(*forms)) == len(forms)


def test_a_form_is_named_by_its_format_with_size_language_or_host() -> None:
    text = re.sub(r"<[^>]*>", " ", _page(PDF, WEB, TIFF))

    assert " ".join(text.split()).startswith("Open PDF 11 bytes")
    assert "Spanish · maps.example" in text


def test_a_form_of_any_format_is_opened_without_a_name() -> None:
    text = re.sub(r"<[^>]*>", " ", _page(Representation(location="https://maps.example/1")))

    assert " ".join(text.split()).startswith("Open maps.example")


def test_the_latest_version_is_opened() -> None:
    days = [
        Representation(location=f"https://maps.example/{day}", media_type="text/html", valid_from=day)
        for day in ("2011-01-01", "2020-05-01", "2015-01-01")
    ]

    assert _opened(*days) == ["https://maps.example/2020-05-01"]


def test_a_page_offers_at_most_four_forms() -> None:
    forms = [Representation(location=f"https://maps.example/{number}") for number in range(7)]

    assert len(_opened(*forms)) == 4


@pytest.mark.parametrize("status", [Status.RETIRED, Status.RESERVED])
def test_a_record_that_leads_nowhere_offers_nothing_to_open(status: Status) -> None:
    assert _page(PDF, status=status) == ""
