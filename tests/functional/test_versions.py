"""Versions and Memento (RFC 7089): the rows of docs/reference/answers.md on them, through the whole flow."""

from __future__ import annotations

from typing import Any

import pytest

from ginuri.identifiers import Kind
from tests.builders import MAP, read_link_values
from tests.resolving import Service

ACT = "uri-gin/azgs/doc/act"
"""A document; today is the 25th of August 2011."""
FIRST, SECOND, THIRD, NEXT = "1991-02-01", "1997-06-01", "2005-01-15", "2031-01-01"
PDF, HTML = "application/pdf", "text/html"
DAYS = {FIRST: "Fri, 01 Feb 1991 00:00:00 GMT", SECOND: "Sun, 01 Jun 1997 00:00:00 GMT"}
STATUTE = "uri-gin/azgs/doc/statute"
LONG_AGO = "Mon, 06 Nov 1950 08:49:37 GMT"


def _version(day: str, media_type: str = HTML, **fields: Any) -> dict[str, Any]:
    place = {"location": f"https://data.azgs.example/{day}/{media_type}", "media_type": media_type}
    return place | {"valid_from": day} | fields


@pytest.fixture
def service() -> Service:
    made = Service()
    forms = [_version(SECOND), _version(FIRST), _version(THIRD), _version(THIRD, PDF), _version(NEXT)]
    made.register(ACT, title={"en": "The act"}, representations=forms)
    made.register(MAP, title={"en": "The map"}, representations=forms)
    return made


# -- the TimeGate


@pytest.mark.parametrize(
    ("moment", "version"),
    [
        (None, THIRD),  # in force today
        ("Sun, 01 Jun 1997 00:00:00 GMT", SECOND),  # from its very beginning
        ("Sat, 31 May 1997 23:59:59 GMT", FIRST),
        ("Tue, 11 Sep 2001 20:35:00 GMT", SECOND),
        ("Fri, 01 Jan 2100 00:00:00 GMT", NEXT),
        (LONG_AGO, FIRST),  # RFC 7089 §4.5.3: before the first is the first
    ],
)
def test_a_document_with_versions_redirects_to_the_version_of_the_moment(
    service: Service, moment: str | None, version: str
) -> None:
    answered = service.ask(f"/{ACT}", **({} if moment is None else {"Accept_Datetime": moment}))

    assert answered.status == 302
    assert answered.headers["Location"] == f"/{ACT}/{version}"
    assert "accept-datetime" in answered.headers["Vary"].lower()
    assert "Memento-Datetime" not in answered.headers


def test_a_document_with_only_future_versions_leads_to_the_first(service: Service) -> None:
    service.register("uri-gin/azgs/doc/bill", representations=[_version(NEXT), _version("2032-01-01")])

    assert service.ask("/uri-gin/azgs/doc/bill").headers["Location"] == f"/uri-gin/azgs/doc/bill/{NEXT}"


def test_a_thing_with_versions_leads_to_its_timegate(service: Service) -> None:
    thing, timegate = service.ask(f"/{MAP}"), service.ask(f"/{MAP}current")

    assert (thing.status, thing.headers["Location"]) == (303, f"/{MAP}current")
    assert (timegate.status, timegate.headers["Location"]) == (302, f"/{MAP}{THIRD}")
    then = service.ask(f"/{MAP}current", Accept_Datetime=LONG_AGO)
    assert then.headers["Location"] == f"/{MAP}{FIRST}"


def test_a_thing_without_an_acceptable_version_leads_to_its_description(service: Service) -> None:
    answered = service.ask(f"/{MAP}", Accept="application/ld+json")

    assert (answered.status, answered.headers["Location"]) == (303, f"/about/{MAP}")


@pytest.mark.parametrize(
    "moment",
    [
        "",
        "1997-06-02",
        "yesterday",
        "Sun Nov  6 08:49:37 1994",  # obsolete in HTTP, and none in RFC 7089 §2.1.1
        "Sunday, 06-Nov-94 08:49:37 GMT",
        "Sun, 06 Nov 1994 08:49:37 CET",
        "Sun, 31 Feb 1994 08:49:37 GMT",
        f"{LONG_AGO}, {LONG_AGO}",
    ],
)
@pytest.mark.parametrize("timegate", [ACT, f"{MAP}current"])
def test_an_unreadable_moment_gets_an_example(service: Service, timegate: str, moment: str) -> None:
    answered = service.ask(f"/{timegate}", Accept_Datetime=moment)

    assert answered.status == 400
    assert "Sun, 06 Nov 1994 08:49:37 GMT" in answered.problem["detail"]
    assert not moment or moment not in answered.content.decode()
    assert "Accept-Datetime" in answered.headers["Vary"]
    assert f"/{timegate.removesuffix('current').rstrip('/')}/{FIRST}" in {
        each["href"] for each in answered.problem["advice"]
    }


def test_a_moment_has_no_effect_without_versions(service: Service) -> None:
    service.register("uri-gin/azgs/doc/x", representations=[{"location": "https://a.example/x"}])

    answered = service.ask("/uri-gin/azgs/doc/x", Accept_Datetime="yesterday")

    assert (answered.status, answered.headers["Location"]) == (302, "https://a.example/x")


# -- the names of versions


@pytest.mark.parametrize("base", [f"{ACT}/", MAP])
@pytest.mark.parametrize(
    ("name", "version"),
    [
        ("original", FIRST),
        ("prospective", NEXT),
        ("2000-02-29", SECOND),
        ("2010-01-01", THIRD),
        ("2099-12-31", NEXT),
    ],
)
def test_a_day_between_versions_or_a_word_redirects_to_the_version(
    service: Service, base: str, name: str, version: str
) -> None:
    answered = service.ask(f"/{base}{name}", Accept_Datetime=LONG_AGO)

    assert (answered.status, answered.headers["Location"]) == (302, f"/{base}{version}")


@pytest.mark.parametrize("name", ["original", "2000-02-29", "1066-10-14"])
def test_a_name_that_only_redirects_to_a_version_is_not_cited(service: Service, name: str) -> None:
    answered = service.ask(f"/{ACT}/{name}")

    assert answered.linked("cite-as") == answered.linked("canonical") == []
    assert answered.linked("describedby") == [f"/about/{ACT}"]
    cited = service.ask(f"/{ACT}/{SECOND}").linked("cite-as")
    assert cited == [f"http://resources.usgin.org/{ACT}/{SECOND}"]


def test_the_current_version_of_a_document_is_the_one_in_force(service: Service) -> None:
    answered = service.ask(f"/{ACT}/current", Accept_Datetime=LONG_AGO)

    assert (answered.status, answered.headers["Location"]) == (302, f"/{ACT}/{THIRD}")
    assert "Accept-Datetime" not in answered.headers["Vary"]


@pytest.mark.parametrize("base", [f"{ACT}/", MAP])
def test_a_version_is_a_document_that_is_negotiated_like_any_other(service: Service, base: str) -> None:
    page, pdf, none = (service.ask(f"/{base}{THIRD}", Accept=accept) for accept in (HTML, PDF, "image/png"))

    assert (page.status, page.headers["Location"]) == (302, f"https://data.azgs.example/{THIRD}/{HTML}")
    assert (pdf.status, pdf.headers["Location"]) == (302, f"https://data.azgs.example/{THIRD}/{PDF}")
    assert page.headers["Vary"] == "Accept, Accept-Language, Accept-Profile"
    assert none.status == 406


@pytest.mark.parametrize("base", [f"{ACT}/", MAP])
@pytest.mark.parametrize("name", ["1991-01-31", "1066-10-14"])
def test_a_day_before_the_first_version_gets_the_existing_versions(
    service: Service, base: str, name: str
) -> None:
    answered = service.ask(f"/{base}{name}")

    assert answered.status == 404
    assert answered.headers["Cache-Control"] == "max-age=30"
    advice = [each["href"] for each in answered.problem["advice"]]
    versions = [f"/{base}{day}" for day in (FIRST, SECOND, THIRD, NEXT)]
    assert advice == [*versions, f"/timemap/{base if base.endswith('1/') else ACT}"]


def test_a_document_without_a_prospective_version_lists_the_existing_ones(service: Service) -> None:
    service.register("uri-gin/azgs/doc/old", representations=[_version(FIRST)])

    assert service.ask("/uri-gin/azgs/doc/old/prospective").status == 404
    assert service.ask("/uri-gin/azgs/doc/old/current").status == 302


def test_a_version_without_a_day_is_the_prospective_one(service: Service) -> None:
    service.register("uri-gin/azgs/doc/bill", representations=[_version(FIRST), _version("prospective", PDF)])

    planned = service.ask("/uri-gin/azgs/doc/bill/prospective")

    assert (planned.status, planned.headers["Location"]) == (
        302,
        f"https://data.azgs.example/prospective/{PDF}",
    )
    assert service.ask("/uri-gin/azgs/doc/bill").headers["Location"].endswith(f"/{FIRST}")


@pytest.mark.parametrize(
    "name", ["1997-02-30", "19970601", "1997", "Current", "1997-06-01/", "1997-06-01.pdf"]
)
def test_a_malformed_day_names_no_version(service: Service, name: str) -> None:
    assert service.ask(f"/{ACT}/{name}").status == 404
    assert service.ask(f"/{MAP}{name}").status == 404


def test_a_registered_name_wins_over_a_version(service: Service) -> None:
    service.register(f"{ACT}/{SECOND}", representations=[{"location": "https://a.example/second"}])
    service.register(f"{MAP}current", record="alias", stands_for=[f"{MAP}original"])

    assert service.ask(f"/{ACT}/{SECOND}").headers["Location"] == "https://a.example/second"
    assert service.ask(f"/{MAP}current").headers["Location"] == f"/{MAP}original"


def test_a_version_wins_over_a_rule(service: Service) -> None:
    service.rule("uri-gin/azgs/doc/", location="https://a.example/{+rest}")

    assert service.ask(f"/{ACT}/{SECOND}").headers["Location"].startswith("https://data.azgs.example/")
    assert service.ask(f"/{ACT}/appendix").headers["Location"] == "https://a.example/act/appendix"


def test_the_versions_of_a_retired_identifier_are_gone_with_it(service: Service) -> None:
    service.register(ACT, 1, status="retired", reason="It was repealed.")

    for name in ("", f"/{SECOND}", "/current"):
        answered = service.ask(f"/{ACT}{name}")
        assert answered.status == 410
        assert "repealed" in answered.problem["detail"]


def test_a_form_without_a_start_day_belongs_to_every_version(service: Service) -> None:
    service.register(
        "uri-gin/azgs/doc/code",
        representations=[
            {"location": "https://a.example/about", "media_type": "application/xml"},
            _version(FIRST),
            _version(SECOND),
        ],
    )

    for day in (FIRST, SECOND):
        page = service.ask(f"/uri-gin/azgs/doc/code/{day}")
        schema = service.ask(f"/uri-gin/azgs/doc/code/{day}", Accept="application/xml")
        assert page.headers["Location"] == f"https://data.azgs.example/{day}/{HTML}"
        assert schema.headers["Location"] == "https://a.example/about"


def test_the_registered_kind_decides_if_the_document_itself_is_the_timegate(service: Service) -> None:
    service.register(ACT, 1, kind=str(Kind.THING))
    service.register(MAP, 1, kind=str(Kind.DOCUMENT))

    assert service.ask(f"/{ACT}").headers["Location"] == f"/{ACT}/current"
    assert service.ask(f"/{ACT}").status == 303
    assert service.ask(f"/{MAP}").headers["Location"] == f"/{MAP}{THIRD}"
    assert service.ask(f"/{MAP}").status == 302


def test_the_abstract_document_of_dated_parts_has_their_versions(service: Service) -> None:
    parts = [
        _version(FIRST, PDF, part="sheet.first.pdf"),
        _version(SECOND, PDF, part="sheet.second.pdf"),
    ]
    service.register("uri-gin/azgs/doc/atlas/", representations=parts)

    gate = service.ask("/uri-gin/azgs/doc/atlas/sheet", Accept_Datetime=LONG_AGO)
    version = service.ask(f"/uri-gin/azgs/doc/atlas/sheet/{SECOND}")

    assert gate.headers["Location"] == f"/uri-gin/azgs/doc/atlas/sheet/{FIRST}"
    assert version.headers["Location"] == "/uri-gin/azgs/doc/atlas/sheet.second.pdf"


# -- mementos


def test_a_stored_version_is_a_memento(service: Service) -> None:
    service.register(
        "uri-gin/azgs/doc/statute",
        representations=[
            {"media_type": PDF, "file": service.store(f"{day}.pdf", day.encode()), "valid_from": day}
            for day in (FIRST, SECOND, THIRD)
        ],
    )

    answered = service.ask(f"/uri-gin/azgs/doc/statute/{SECOND}")
    part = service.ask(f"/uri-gin/azgs/doc/statute/{SECOND}", Range="bytes=0-3")

    assert (answered.status, answered.content) == (200, SECOND.encode())
    assert answered.headers["Memento-Datetime"] == "Sun, 01 Jun 1997 00:00:00 GMT"
    assert answered.headers["Content-Location"] == f"/uri-gin/azgs/doc/statute/{SECOND}"
    assert (part.status, part.headers["Memento-Datetime"]) == (206, "Sun, 01 Jun 1997 00:00:00 GMT")
    whole = "http://resources.usgin.org/uri-gin/azgs/doc/statute"
    assert [
        (each["rel"], each["href"], each.get("datetime"))
        for each in read_link_values(answered.headers["Link"])
    ][:6] == [
        ("original timegate", whole, None),
        ("timemap", "http://resources.usgin.org/timemap.link/uri-gin/azgs/doc/statute", None),
        ("timemap", "http://resources.usgin.org/timemap.json/uri-gin/azgs/doc/statute", None),
        ("first prev memento", f"{whole}/{FIRST}", "Fri, 01 Feb 1991 00:00:00 GMT"),
        ("memento canonical cite-as", f"{whole}/{SECOND}", "Sun, 01 Jun 1997 00:00:00 GMT"),
        ("next last memento", f"{whole}/{THIRD}", "Sat, 15 Jan 2005 00:00:00 GMT"),
    ]


def test_a_stored_version_of_a_thing_needs_no_part(service: Service) -> None:
    service.register(
        "uri-gin/azgs/doc/chart/",
        representations=[{"media_type": PDF, "file": service.store("a.pdf", b"%PDF"), "valid_from": FIRST}],
    )

    assert service.ask("/uri-gin/azgs/doc/chart/").headers["Location"] == "/uri-gin/azgs/doc/chart/current"
    answered = service.ask(f"/uri-gin/azgs/doc/chart/{FIRST}")
    assert (answered.status, answered.content) == (200, b"%PDF")
    assert answered.linked("original") == ["http://resources.usgin.org/uri-gin/azgs/doc/chart/"]
    assert answered.linked("timegate") == ["http://resources.usgin.org/uri-gin/azgs/doc/chart/current"]


def test_a_form_of_a_version_is_a_memento_under_its_own_name(service: Service) -> None:
    service.register(
        "uri-gin/azgs/doc/chart/",
        representations=[
            {
                "part": "first.pdf",
                "media_type": PDF,
                "file": service.store("a.pdf", b"%PDF"),
                "valid_from": FIRST,
            },
            _version(SECOND, PDF, part="second.pdf"),
        ],
    )

    there = service.ask(f"/uri-gin/azgs/doc/chart/{FIRST}")
    answered = service.ask("/uri-gin/azgs/doc/chart/first.pdf", Accept_Datetime="yesterday")

    assert (there.status, there.headers["Location"]) == (302, "/uri-gin/azgs/doc/chart/first.pdf")
    assert (answered.status, answered.headers["Memento-Datetime"]) == (200, "Fri, 01 Feb 1991 00:00:00 GMT")
    assert answered.linked("timegate") == ["http://resources.usgin.org/uri-gin/azgs/doc/chart/current"]


def test_a_redirecting_version_is_no_memento_itself(service: Service) -> None:
    # RFC 7089 §4.5.6: a redirect to a version links the original, and has no Memento-Datetime of its own.
    answered = service.ask(f"/{ACT}/{SECOND}")

    assert answered.status == 302
    assert "Memento-Datetime" not in answered.headers
    assert answered.linked("original") == answered.linked("timegate") == [f"http://resources.usgin.org/{ACT}"]


def test_an_unchanged_form_is_not_dated_again(service: Service) -> None:
    service.register(
        "uri-gin/azgs/doc/statute",
        representations=[{"file": service.store("a", b"first"), "valid_from": FIRST}],
    )

    answered = service.ask(f"/uri-gin/azgs/doc/statute/{FIRST}", If_None_Match=f'"{"ab" * 32}"')

    assert answered.status == 304
    assert "Memento-Datetime" not in answered.headers


# -- a document that returns content


def _statute(service: Service, **values: Any) -> None:
    service.register(
        STATUTE,
        representations=[
            {"media_type": HTML, "file": service.store(day, day.encode()), "valid_from": day}
            for day in (FIRST, SECOND)
        ],
        **values,
    )


@pytest.mark.parametrize(
    ("moment", "version"), [(None, SECOND), ("Sat, 31 May 1997 23:59:59 GMT", FIRST), (LONG_AGO, FIRST)]
)
def test_a_document_with_stored_versions_sends_the_one_of_the_moment(
    service: Service, moment: str | None, version: str
) -> None:
    # RFC 7089 §4.1.2: the original is its own TimeGate and answers with 200, each version has its own name.
    _statute(service, dereference="content")

    answered = service.ask(f"/{STATUTE}", **({} if moment is None else {"Accept_Datetime": moment}))

    assert (answered.status, answered.content) == (200, version.encode())
    assert answered.headers["Content-Location"] == f"/{STATUTE}/{version}"
    assert answered.headers["Memento-Datetime"] == DAYS[version]
    assert "accept-datetime" in answered.headers["Vary"].lower()
    assert (
        answered.linked("original")
        == answered.linked("timegate")
        == [f"http://resources.usgin.org/{STATUTE}"]
    )


def test_an_unacceptable_request_for_content_redirects_to_the_version(service: Service) -> None:
    _statute(service, dereference="content")

    answered = service.ask(f"/{STATUTE}", Accept="image/png")

    assert (answered.status, answered.headers["Location"]) == (302, f"/{STATUTE}/{SECOND}")
    assert service.ask(f"/{STATUTE}/{SECOND}", Accept="image/png").status == 406


# -- the days before the first version


@pytest.mark.parametrize(
    ("stated", "day", "status"),
    [
        ("1985-10-30", "1985-10-30", 302),
        ("1985-10-30", "1985-10-29", 404),
        ("1985-10-30T12:00:00Z", "1985-10-30", 302),
        ("1985", "1985-01-01", 302),
        ("1985", "1984-12-31", 404),
        ("long ago", "1990-01-01", 404),
        (None, "1990-01-01", 404),
    ],
)
def test_a_day_after_the_documents_own_date_redirects_to_its_first_version(
    service: Service, stated: str | None, day: str, status: int
) -> None:
    _statute(service, properties={"created": stated} if stated else {})

    answered = service.ask(f"/{STATUTE}/{day}")

    assert answered.status == status
    assert answered.headers.get("Location") == (f"/{STATUTE}/{FIRST}" if status == 302 else None)
