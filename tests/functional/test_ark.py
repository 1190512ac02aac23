"""`ark:` identifiers from their registrations: only their own module has code for them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from ginuri import parse
from ginuri.memory import MemoryRegistry
from ginuri.registry.model import Registered
from ginuri.resolution.arks import MOST_BASES, bases_of
from ginuri.resolution.decision import Question
from ginuri.resolution.finder import RememberingFinder
from ginuri.resolution.resolve import resolve
from tests.builders import register
from tests.example_registry import EXAMPLES
from tests.front import Front
from tests.resolving import NOW, Service
from tests.steward import Steward, line, settled

FILES = ("_host/ark.jsonl", "ark:12345/names.jsonl")
NOTEBOOK = "/ark:12345/x54xz321"


@pytest.fixture(scope="module")
def registry() -> MemoryRegistry:
    """The examples of the scheme."""
    steward = Steward()
    for file in FILES:
        report = steward.upload(file, (EXAMPLES / file).read_bytes())
        assert "refused" not in report.counts, report.whole
    return steward.memory


@pytest.mark.parametrize(
    ("path", "status", "location"),
    [
        ("/ark:", 303, "/about/ark:"),
        ("/ark:12345/", 303, "/about/ark:12345/"),
        (NOTEBOOK, 303, f"{NOTEBOOK}.pdf"),
        (f"{NOTEBOOK}.pdf", 302, "https://example.org/notebooks/x54xz321.pdf"),
        ("/ark:/12345/x5-4-xz-321", 301, NOTEBOOK),
        ("/ark:12345/X54XZ321", 302, NOTEBOOK),
        ("/ark:12345/other", 404, None),
        ("/ark:azgs/x", 400, None),
    ],
)
def test_an_ark_is_answered_from_its_registrations(
    registry: MemoryRegistry, path: str, status: int, location: str | None
) -> None:
    answer = Service(registry).ask(path)

    assert (answer.status, answer.headers.get("Location")) == (status, location)


BOX = "ark:12345/x8"
REFUSED = {"reserved": 404, "retired": 410, "withheld": 451}


def _whole(location: str = "https://data.example.org/x8", **fields: Any) -> dict[str, Any]:
    return {"media_type": "text/html", "location": location, **fields}


@pytest.fixture
def service() -> Service:
    """A box of photographs, none of which is registered."""
    service = Service()
    service.register("ark:", record="scheme", title={"en": "Archival Resource Keys"})
    service.register("ark:12345/", record="namespace", title={"en": "ARKs in examples"})
    service.register(BOX, title={"en": "A box"}, representations=[_whole()])
    return service


@pytest.mark.parametrize(
    ("suffix", "location"),
    [
        ("/c3", "https://data.example.org/x8/c3"),
        ("/c3/s5.v7.xsl", "https://data.example.org/x8/c3/s5.v7.xsl"),
        (".tif", "https://data.example.org/x8.tif"),
        ("/c3%2Fb", "https://data.example.org/x8/c3%2Fb"),
    ],
)
def test_an_ark_passes_on_its_suffix(service: Service, suffix: str, location: str) -> None:
    answer = service.ask(f"/{BOX}{suffix}")

    assert (answer.status, answer.headers["Location"]) == (303, location)
    assert answer.headers["Cache-Control"] == "max-age=30"
    assert answer.linked("describedby") == [f"/about/{BOX}"]
    assert answer.linked("alternate") == []


@pytest.mark.parametrize(
    ("whole", "location"),
    [
        ("https://data.example.org/x8/", "https://data.example.org/x8/c3"),
        ("https://data.example.org/get?id=8", "https://data.example.org/get?id=8/c3"),
    ],
)
def test_the_suffix_of_an_ark_is_appended_with_one_slash(service: Service, whole: str, location: str) -> None:
    service.register(BOX, 1, representations=[_whole(whole)])

    assert service.ask(f"/{BOX}/c3").headers["Location"] == location


def test_the_suffix_never_becomes_part_of_the_host(service: Service) -> None:
    service.register(BOX, 1, representations=[_whole("https://data.example.org")])

    answer = service.ask(f"/{BOX}.evil.example/x")

    assert answer.headers["Location"] == "https://data.example.org/.evil.example/x"


@pytest.mark.parametrize(
    "whole", ["https://a.example/#/x8", "https://a.example/x?id=8#top", "https://a.example#"]
)
def test_a_suffix_is_never_appended_to_a_fragment(service: Service, whole: str) -> None:
    service.register(BOX, 1, representations=[_whole(whole)])

    assert service.ask(f"/{BOX}").headers["Location"] == whole
    assert service.ask(f"/{BOX}/c3").status == 404


def test_a_location_without_a_fragment_gets_the_suffix(service: Service) -> None:
    page = _whole("https://a.example/#/x8", role=["default"])
    data = {"media_type": "application/json", "location": "https://api.example.org/x8"}
    service.register(BOX, 1, representations=[page, data])

    assert service.ask(f"/{BOX}/c3").headers["Location"] == "https://api.example.org/x8/c3"


def test_the_nearest_registered_ark_passes_the_suffix_on(service: Service) -> None:
    service.register(f"{BOX}/c3", representations=[_whole("https://photos.example.org/3")])

    assert service.ask(f"/{BOX}/c3/p1.tif").headers["Location"] == "https://photos.example.org/3/p1.tif"


@pytest.mark.parametrize(("status", "code"), REFUSED.items())
def test_an_ark_below_a_refused_one_is_refused_too(service: Service, status: str, code: int) -> None:
    service.register(f"{BOX}/c3", status=status, representations=[_whole("https://photos.example.org/3")])

    answers = [service.ask(f"/{BOX}/c3{suffix}") for suffix in ("/p1/x.tif", ".tif", "/p1")]

    assert [answer.status for answer in answers] == [code] * 3
    assert {*answers[0].linked("describedby")} == {f"/about/{BOX}/c3"}
    assert service.ask(f"/{BOX}/c4").status == 303


@pytest.mark.parametrize(("status", "code"), REFUSED.items())
def test_no_rule_bypasses_a_refused_ark(service: Service, status: str, code: int) -> None:
    service.rule("ark:12345/", "{name}/{+rest}", location="https://rule.example.org/{name}/{rest}")
    service.register(f"{BOX}/c3", status=status)

    assert service.ask(f"/{BOX}/c3/p1").status == code
    assert service.ask("/ark:12345/x9/c4").headers["Location"] == "https://rule.example.org/x9/c4"


@pytest.mark.parametrize(("status", "code"), REFUSED.items())
def test_a_registered_ark_answers_below_a_refused_one(service: Service, status: str, code: int) -> None:
    service.register(BOX, 1, status=status)
    service.register(f"{BOX}/c3", representations=[_whole("https://photos.example.org/3")])

    assert service.ask(f"/{BOX}/c3").headers["Location"] == "https://photos.example.org/3"
    assert service.ask(f"/{BOX}/C3").status == code
    assert service.ask(f"/{BOX}/c3/p1").headers["Location"] == "https://photos.example.org/3/p1"
    assert service.ask(f"/{BOX}/c4").status == code


def test_an_ark_below_a_withheld_one_reveals_nothing(service: Service) -> None:
    service.register(BOX, 1, status="withheld", requested_by="A court", reason="An order")

    answer = service.ask(f"/{BOX}/c3")

    assert answer.status == 451
    assert b"A court" in answer.content
    assert b"A box" not in answer.content
    assert answer.linked("blocked-by") == ["http://resources.usgin.org/"]


def test_an_ark_below_a_retired_one_gets_its_explanation(service: Service) -> None:
    service.register(BOX, 1, status="retired", successor="ark:12345/x9")

    problem = service.ask(f"/{BOX}/c3").problem

    assert problem["detail"] == f"{BOX}/c3 belongs to A box, which is no longer in use."
    assert problem["advice"][0]["href"] == "/ark:12345/x9"


def test_an_ark_below_a_retired_alias_is_gone(service: Service) -> None:
    service.register("ark:12345/x9", record="alias", stands_for=BOX, status="retired")

    assert service.ask("/ark:12345/x9/c3").status == 410


def test_a_superseded_ark_passes_the_suffix_on(service: Service) -> None:
    service.register(BOX, 1, status="superseded", successor="ark:12345/x9")

    assert service.ask(f"/{BOX}/c3").headers["Location"] == "https://data.example.org/x8/c3"


@pytest.mark.parametrize(
    "record",
    [
        {"record": "alias", "stands_for": BOX},
        {"representations": []},
        {"representations": [{"part": ".pdf", "media_type": "application/pdf", "location": "https://a.b/c"}]},
    ],
)
def test_an_ark_without_a_location_passes_nothing_on(service: Service, record: dict[str, Any]) -> None:
    service.register("ark:12345/x9", **record)

    assert service.ask("/ark:12345/x9/c3").status == 404


def test_suffix_passthrough_precedes_rules_and_other_spellings(service: Service) -> None:
    form = {"part": ".pdf", "media_type": "application/pdf", "location": "https://example.org/x8.pdf"}
    service.register(BOX, 1, representations=[_whole(), form])
    service.register(f"{BOX}/c3", representations=[_whole("https://photos.example.org/3")])
    service.rule("ark:12345/", "{name}/{+rest}", location="https://rule.example.org/{name}/{rest}")
    service.rule("ark:", "{naan}/{name}/{+rest}", location="https://n2t.example.org/{name}/{rest}")

    assert service.ask(f"/{BOX}.pdf").headers["Location"] == "https://example.org/x8.pdf"
    assert service.ask(f"/{BOX}/C3").headers["Location"] == "https://data.example.org/x8/C3"
    assert service.ask(f"/{BOX}/c4").headers["Location"] == "https://data.example.org/x8/c4"
    assert service.ask("/ark:12345/x9/c4").headers["Location"] == "https://rule.example.org/x9/c4"


def test_a_rule_answers_below_an_ark_that_leads_nowhere(service: Service) -> None:
    service.register("ark:12345/x9", record="alias", stands_for=BOX)
    service.rule("ark:12345/", "{name}/{+rest}", location="https://rule.example.org/{name}/{rest}")

    assert service.ask("/ark:12345/x9/c4").headers["Location"] == "https://rule.example.org/x9/c4"


def test_the_location_the_client_prefers_gets_the_suffix(service: Service) -> None:
    data = {"media_type": "application/json", "location": "https://api.example.org/x8"}
    service.register(BOX, 1, representations=[_whole(), data])

    html, json_, other = (
        service.ask(f"/{BOX}/c3", Accept=accept) for accept in ("text/html", "*/json", "image/*")
    )
    preferred = service.ask(f"/{BOX}/c3", Accept="application/json")

    assert preferred.headers["Location"] == "https://api.example.org/x8/c3"
    assert "Accept" in preferred.headers["Vary"]
    # The target of a suffix may be of any media type, so no preference is refused.
    assert {answer.headers["Location"] for answer in (html, json_, other)} == {
        "https://data.example.org/x8/c3"
    }


def test_a_suffix_is_not_passed_to_a_form_with_a_refused_profile(service: Service) -> None:
    data = {"media_type": "application/json", "location": "https://api.example.org/x8", "profile": "urn:p"}
    service.register(BOX, 1, representations=[data | {"quality": 1.0}, _whole() | {"quality": 0.1}])

    answer = service.ask(f"/{BOX}/c3", Accept="image/*", Accept_Profile="<urn:p>;q=0")

    assert answer.headers["Location"] == "https://data.example.org/x8/c3"


def test_a_document_is_found_and_a_query_is_not_passed_on(service: Service) -> None:
    service.register(BOX, 1, kind="document")

    answer = service.ask(f"/{BOX}/c3", query="page=2")

    assert (answer.status, answer.headers["Location"]) == (302, "https://data.example.org/x8/c3")


def test_an_ark_without_a_registered_one_above_is_not_registered(service: Service) -> None:
    assert service.ask(f"/{BOX}9").status == 404
    assert service.ask("/ark:12345/x9/c3").status == 404
    assert service.ask("/ark:54321/x8/c3").status == 404


def test_the_bases_of_an_ark_fit_into_one_call() -> None:
    longest = f"ark:12345/{'/'.join('a' * 30)}.{'.'.join('b' * 60)}"

    assert len(bases_of(parse(longest))) == MOST_BASES
    assert {*parse(longest).stems} <= {*bases_of(parse(longest))}


# The calls of the registry: one for a hit, a second only for unregistered names.
@pytest.mark.parametrize(
    ("name", "calls"), [(BOX, 1), (f"{BOX}/c3", 1), (f"{BOX}/c4/p1.tif", 1), ("ark:12345/none", 2)]
)
def test_a_suffix_takes_one_call_like_a_hit(service: Service, name: str, calls: int) -> None:
    service.register(f"{BOX}/c3", representations=[_whole("https://photos.example.org/3")])
    reader = _CountingReader(service.registry)

    resolve(Question(parse(name), NOW), RememberingFinder(reader, lambda: 0.0))

    assert reader.calls == calls


class _CountingReader:
    """Counts the read records."""

    def __init__(self, registry: MemoryRegistry) -> None:
        self._registry = registry
        self.calls = 0

    def fetch(self, names: Sequence[str]) -> Mapping[str, Registered]:
        self.calls += 1
        return self._registry.fetch(names)

    def near(self, folded: str) -> Sequence[str]:
        self.calls += 1
        return self._registry.near(folded)

    def beside(self, container: str, name: str, *, is_after: bool) -> Sequence[str]:
        self.calls += 1
        return self._registry.beside(container, name, is_after=is_after)


@pytest.mark.parametrize("query", ["info", "?"])
@pytest.mark.parametrize(
    ("name", "described"),
    [(BOX, BOX), ("ark:12345/x7", "ark:12345/x7"), ("ark:12345/", "ark:12345/"), (f"{BOX}/c3", BOX)],
)
def test_an_inflection_leads_to_the_metadata(service: Service, query: str, name: str, described: str) -> None:
    service.register("ark:12345/x7", status="retired", title={"en": "A lost box"})

    answer = service.ask(f"/{name}", query=query)

    assert (answer.status, answer.headers["Location"]) == (303, f"/about.erc/{described}")


def test_an_inflection_follows_a_rule_that_passes_the_query(service: Service) -> None:
    service.rule("ark:54321/", "{+rest}", location="https://rule.example.org/{+rest}", pass_query=True)
    service.rule("ark:12345/", "{+rest}", location="https://rule.example.org/{+rest}", pass_query=True)
    service.rule("ark:98765/", "{+rest}", location="https://rule.example.org/{+rest}")

    def asked(name: str) -> str:
        return service.ask(f"/{name}", query="info").headers["Location"].removesuffix("=")

    assert asked("ark:54321/x1") == "https://rule.example.org/x1?info"
    assert asked("ark:98765/x1") == "/about.erc/ark:98765/x1"
    assert asked(BOX) == asked(f"{BOX}/c3") == f"/about.erc/{BOX}"


@pytest.mark.functions
def test_an_inflection_in_another_spelling_keeps_its_ark(service: Service) -> None:
    normal, other = service.ask("/ark:/12345/x-8", query="info"), service.ask("/ark:12345/X8", query="info")

    assert [normal.headers["Location"], other.headers["Location"]] == [f"/{BOX}?info="] * 2


@pytest.mark.parametrize(("name", "query"), [("ark:12345/none", "info"), (BOX, "information"), (BOX, "")])
def test_other_endings_of_an_ark_are_no_inflection(service: Service, name: str, query: str) -> None:
    assert "erc" not in service.ask(f"/{name}", query=query).headers.get("Location", "")


def test_only_arks_are_inflected(service: Service) -> None:
    assert service.ask("/uri-gin/azgs/", query="info").headers["Location"] == "/about/uri-gin/azgs/"


@pytest.fixture
def front(service: Service, tmp_path: Path) -> Front:
    """Every function over the same registry."""
    return Front(service.registry, tmp_path)


@pytest.mark.parametrize("path", ["members", "timemap"])
def test_no_list_names_a_passed_on_identifier(front: Front, path: str) -> None:
    assert front.ask(f"/{path}/{BOX}/c3").status == 404


@pytest.mark.parametrize("status", ["valid", *REFUSED])
@pytest.mark.parametrize("path", ["about", "about.erc"])
def test_an_ark_below_a_registered_one_is_described_with_it(front: Front, path: str, status: str) -> None:
    register(front.registry, BOX, 1, status=status)

    answer = front.ask(f"/{path}/{BOX}/c3")

    assert (answer.status, answer.headers["Location"]) == (303, f"/{path}/{BOX}")


@pytest.mark.parametrize(("status", "code"), REFUSED.items())
def test_every_front_refuses_an_ark_below_a_refused_one(front: Front, status: str, code: int) -> None:
    register(front.registry, BOX, 1, status=status)

    explained = json.loads(front.ask(f"/explain/{BOX}/c3").content)
    (listed,) = json.loads(front.ask("/resolve", "POST", body=json.dumps([f"{BOX}/c3"])).content)
    located = front.ask_by_the_edge("/uri-res/N2L", f"{BOX}/c3")

    assert (explained["outcome"], explained["status"]) == (status.capitalize(), code)
    assert explained["steps"][-1]["result"]["record"] == BOX
    assert (listed["outcome"], listed["status"]) == (status.capitalize(), code)
    assert located.status == code


def test_an_explanation_names_the_ark_that_passes_on_and_the_suffix(front: Front) -> None:
    explained = json.loads(front.ask(f"/explain/{BOX}/c3.tif").content)
    steps = {step["step"]: step["result"] for step in explained["steps"]}

    assert (explained["outcome"], explained["status"]) == ("PassedThrough", 303)
    assert explained["location"] == "https://data.example.org/x8/c3.tif"
    assert (steps["decide"]["record"], steps["decide"]["suffix"]) == (BOX, "/c3.tif")
    assert [(stem["identifier"], stem["registered"]) for stem in steps["find"]["stems"]] == [
        (f"{BOX}/c3", False),
        (BOX, True),
    ]


def test_an_explanation_shows_that_a_refused_ark_precedes_rules(service: Service, front: Front) -> None:
    service.rule("ark:12345/", "{name}/{+rest}", location="https://rule.example.org/{name}/{rest}")
    service.register(BOX, 1, status="withheld")

    page = front.ask(f"/explain/{BOX}/c3", headers={"Accept": "text/html"}).content.decode()

    assert "The nearest registered ARK above it comes before every rule." in page


@pytest.mark.parametrize(
    ("fields", "warned"),
    [
        ({"status_code": 302}, [("status_code", "thing")]),
        ({"status_code": 302, "kind": "document"}, []),
        ({"status_code": 303}, []),
        ({}, []),
    ],
)
def test_a_status_code_of_a_rule_that_becomes_303_is_reported(
    fields: dict[str, Any], warned: list[tuple[str, str]]
) -> None:
    steward = settled()
    steward.upload("_host/ark.jsonl", line("ark:12345/", record="namespace", title="It"))
    rule = line("ark:12345/", record="rule", title="It", location="https://a.example/{+rest}", **fields)

    report = steward.upload("ark:12345/rules.jsonl", rule)

    assert (report.refused, report.verdicts[0].warned) == ({}, warned)


def test_a_list_includes_the_location_of_a_suffix(front: Front) -> None:
    listed = json.loads(front.ask("/resolve", "POST", body=json.dumps([f"{BOX}/c3", f"{BOX}9"])).content)

    assert [(item["outcome"], item["location"]) for item in listed] == [
        ("PassedThrough", "https://data.example.org/x8/c3"),
        ("NotRegistered", None),
    ]


@pytest.mark.parametrize(
    ("wanted", "status", "location"),
    [
        ("N2L", 303, "https://data.example.org/x8/c3"),
        ("N2R", 303, f"/{BOX}/c3"),
        ("N2Rs", 303, f"/{BOX}/c3"),
        ("N2C", 404, None),
        ("N2Ns", 404, None),
    ],
)
def test_a_resolution_service_lists_only_the_location_of_a_suffix(
    front: Front, wanted: str, status: int, location: str | None
) -> None:
    asked = front.ask_by_the_edge(f"/uri-res/{wanted}", f"{BOX}/c3")

    assert (asked.status, asked.headers.get("Location")) == (status, location)


def test_forms_that_share_one_location_count_as_one(front: Front) -> None:
    asked = front.ask_by_the_edge("/uri-res/N2Ls", f"{BOX}/c3")

    assert asked.content.decode().splitlines()[-1] == "https://data.example.org/x8/c3"
