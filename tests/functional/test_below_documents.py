"""Forms below a document that is bound to a host: `…/X/data.xml`, `…/X/1997-06-01/data.xml`."""

from __future__ import annotations

from typing import Any

import pytest

from ginuri.identifiers import parse
from ginuri.registry.clock import BEGINNING
from ginuri.registry.ports import RecordReader
from ginuri.resolution.finder import RememberingFinder
from tests.answers import Answer
from tests.legislation import HOST, Legislation
from tests.resolving import Service
from tests.steward import Steward, line

ACT = "//id.example/act/7"
FIRST, SECOND = "1991-02-01", "2003-04-01"
HTML, XML = "text/html", "application/xml"


@pytest.fixture
def service() -> Service:
    made = Service()
    made.register("//id.example/", record="host", title={"en": "Ids"})
    return made


def _form(service: Service, part: str, media_type: str = HTML, **fields: Any) -> dict[str, Any]:
    file = service.store(part, part.encode())
    return {"part": part, "media_type": media_type, "file": file} | fields


def _version(service: Service, day: str, extension: str = "htm", **fields: Any) -> dict[str, Any]:
    media_type = HTML if extension == "htm" else XML
    return _form(service, f"/{day}/data.{extension}", media_type, valid_from=day, **fields)


def _register(service: Service, *forms: dict[str, Any], **values: Any) -> None:
    service.register(ACT, title={"en": "Act 7"}, representations=list(forms), **values)


def _ask(service: Service, path: str = "", **headers: str) -> Answer:
    return service.ask(f"/act/7{path}", Host="id.example", **headers)


@pytest.mark.parametrize("dereference", ["content", "redirect"])
def test_a_form_below_a_document_is_given_under_its_own_name(service: Service, dereference: str) -> None:
    _register(service, _form(service, "/data.htm"), _form(service, "/data.xml", XML), dereference=dereference)

    answered, document = _ask(service, "/data.xml", Accept=HTML), _ask(service, Accept=XML)

    assert (answered.status, answered.headers["Content-Type"]) == (200, XML)
    assert answered.headers["Content-Location"] == f"http:{ACT}/data.xml"
    assert document.status == (200 if dereference == "content" else 302)
    where = "Content-Location" if dereference == "content" else "Location"
    assert document.headers[where] == f"http:{ACT}/data.xml"


def test_a_form_below_a_document_may_be_at_another_address(service: Service) -> None:
    _register(service, {"part": "/data.csv", "media_type": "text/csv", "location": "https://a.example/7.csv"})

    answered = _ask(service, "/data.csv")

    assert (answered.status, answered.headers["Location"]) == (302, "https://a.example/7.csv")


@pytest.mark.parametrize(
    ("moment", "day"),
    [
        (None, SECOND),
        ("Sun, 01 Jun 1997 00:00:00 GMT", FIRST),
        ("Mon, 06 Nov 1950 08:49:37 GMT", FIRST),  # RFC 7089 §4.5.3
    ],
)
@pytest.mark.parametrize("path", ["", "/data.htm"])
def test_content_below_a_document_is_that_of_the_moment(
    service: Service, moment: str | None, day: str, path: str
) -> None:
    _register(service, _version(service, FIRST), _version(service, SECOND), dereference="content")

    answered = _ask(service, path, **({"Accept_Datetime": moment} if moment else {}))

    assert (answered.status, answered.content) == (200, f"/{day}/data.htm".encode())
    assert answered.headers["Content-Location"] == f"http:{ACT}/{day}/data.htm"
    assert answered.headers["Memento-Datetime"].startswith("Fri, 01 Feb" if day == FIRST else "Tue, 01 Apr")
    assert "accept-datetime" in answered.headers["Vary"].lower()
    assert answered.linked("original") == answered.linked("timegate") == [f"http:{ACT}"]


def test_an_unreadable_moment_is_refused_for_content_too(service: Service) -> None:
    _register(service, _version(service, FIRST), dereference="content")

    assert _ask(service, Accept_Datetime="yesterday").status == 400


def test_a_version_elsewhere_gets_a_redirect_by_its_name(service: Service) -> None:
    elsewhere = {"media_type": HTML, "location": "https://a.example/7", "valid_from": FIRST}
    _register(service, elsewhere, dereference="content")

    answered = _ask(service)

    assert (answered.status, answered.headers["Location"]) == (302, f"http:{ACT}/{FIRST}")


@pytest.mark.parametrize(
    ("path", "leads_to"),
    [
        ("", f"/{SECOND}"),
        ("/data.htm", f"/{SECOND}/data.htm"),
        ("/current/data.htm", f"/{SECOND}/data.htm"),
        ("/original/data.htm", f"/{FIRST}/data.htm"),
        ("/1997-06-01/data.htm", f"/{FIRST}/data.htm"),
    ],
)
def test_a_redirecting_document_leads_to_the_version_and_its_form(
    service: Service, path: str, leads_to: str
) -> None:
    _register(service, _version(service, FIRST), _version(service, SECOND))

    answered = _ask(service, path)

    assert (answered.status, answered.headers["Location"]) == (302, f"http:{ACT}{leads_to}")


@pytest.mark.parametrize(
    "path", ["/data.xml", f"/{SECOND}/data.xml", "/2010-01-01/data.xml", "/1990-01-01/data.htm", "/data.csv"]
)
def test_a_form_that_the_version_does_not_have_is_not_found(service: Service, path: str) -> None:
    _register(service, _version(service, FIRST), _version(service, FIRST, "xml"), _version(service, SECOND))

    assert _ask(service, path).status == 404
    assert _ask(service, f"/{FIRST}/data.xml").status == 200


def test_a_form_below_a_retired_document_is_gone(service: Service) -> None:
    _register(service, _version(service, FIRST), _version(service, FIRST, "xml", status="retired"))

    assert _ask(service, f"/{FIRST}/data.xml").status == 410


def test_a_registered_name_wins_over_a_form_below_a_document(service: Service) -> None:
    _register(service, _form(service, "/data.htm"))
    service.register(f"{ACT}/data.htm", status="retired", title={"en": "Another"})

    assert _ask(service, "/data.htm").status == 410


@pytest.mark.functions
def test_a_form_below_a_document_takes_one_call(service: Service) -> None:
    _register(service, _version(service, FIRST))
    before = service.registry.calls

    assert _ask(service, f"/{FIRST}/data.htm").status == 200
    assert service.registry.calls == before + 1


def test_identifiers_of_other_schemes_have_no_forms_below_documents() -> None:
    asked: list[str] = []

    class Asked(RecordReader):
        def fetch(self, names: Any) -> dict[str, Any]:
            asked.extend(names)
            return {}

        def near(self, folded: str) -> tuple[str, ...]:
            raise AssertionError(folded)

        def beside(self, container: str, name: str, *, is_after: bool) -> tuple[str, ...]:
            raise AssertionError(container, name, is_after)

    RememberingFinder(Asked(), lambda: 0.0).find(parse("uri-gin/azgs/doc/X/map.pdf"), BEGINNING)

    assert "uri-gin/azgs/doc/X" not in asked


# -- registering


@pytest.mark.parametrize(
    ("identifier", "part", "valid_from", "rule"),
    [
        ("http://id.example/act/7", "/data.xml", None, None),
        ("http://id.example/act/7", f"/{FIRST}/data.xml", FIRST, None),
        ("http://id.example/act/7", "/prospective/data.xml", "prospective", None),
        ("http://id.example/act/7", "/data.xml", FIRST, "place"),
        ("http://id.example/act/7", f"/{SECOND}/data.xml", FIRST, "place"),
        ("http://id.example/act/7", f"/{FIRST}/data.xml", None, "place"),
        ("http://id.example/act/7", "/a/data.xml", None, "place"),
        ("http://id.example/act/7", "/data", None, "normal form"),
        ("http://id.example/act/7", "/d%61ta.xml", None, "normal form"),
        ("http://id.example/act/7/", "/data.xml", None, "normal form"),
        ("http://id.example/act/7", "data/x.xml", None, "normal form"),
    ],
)
def test_a_part_below_a_document_is_a_form_or_a_version(
    identifier: str, part: str, valid_from: str | None, rule: str | None
) -> None:
    steward = Steward()
    steward.upload("_host/h.jsonl", line("http://id.example/", record="host"))
    form = {"part": part, "location": "https://a.example/7"} | (
        {"valid_from": valid_from} if valid_from else {}
    )

    report = steward.upload("id.example/a.jsonl", line(identifier, representations=[form]))

    [verdict] = report.verdicts
    assert verdict.broken == ([] if rule is None else [("part", rule)])


@pytest.mark.untraced
def test_the_acts_survive_an_export(tmp_path_factory: pytest.TempPathFactory) -> None:
    acts = Legislation(tmp_path_factory.mktemp("published")).steward
    again = Steward()
    again.upload("_host/export.jsonl", "".join(acts.exported("_host/")))
    for (key, _), body in acts.files.uploads.items():
        if key.startswith(f"{HOST}/files/"):
            again.upload(key, body)

    report = again.upload(f"{HOST}/export.jsonl", "".join(acts.exported(f"{HOST}/")))

    # Rules that lead to other names of this registry still get a warning.
    assert set(report.counts) == {"registered", "warned"}
    assert again.exported(f"{HOST}/") == acts.exported(f"{HOST}/")
