"""Fallbacks: names that are not registered yet are led on to the server that a registry comes from."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from ginuri.identifiers import parse
from ginuri.memory import MemoryRegistry
from ginuri.registry.model import Registered
from ginuri.resolution.decision import Question
from ginuri.resolution.finder import RememberingFinder
from ginuri.resolution.outcomes import FallenBack, NotRegistered
from ginuri.resolution.resolve import resolve
from ginuri.resolution.resolve_many import resolve_many
from tests.builders import register
from tests.front import Front
from tests.resolving import NOW, Service

PURLS, LEGACY = "purl.example.org", "legacy.example.net"
NAME = f"//{PURLS}/net/map"


@pytest.fixture
def service() -> Service:
    made = Service()
    made.register(f"//{PURLS}/", record="host", title={"en": "PURLs"}, fallback=LEGACY)
    return made


@pytest.fixture
def front(service: Service, tmp_path: Path) -> Front:
    """Every function over the same registry."""
    return Front(service.registry, tmp_path)


def _to(service: Service, path: str, query: str = "", **headers: str) -> tuple[int, str | None]:
    answer = service.ask(path, query=query, **({"Host": PURLS} | headers))
    return answer.status, answer.headers.get("Location")


def test_an_unregistered_name_falls_back_with_path_and_query(service: Service) -> None:
    answer = service.ask("/net/a%2Fb//c.pdf", query="x=1&y=%C3%A9", Host=PURLS)

    assert answer.status == 307
    assert answer.headers["Location"] == f"http://{LEGACY}/net/a%2Fb//c.pdf?x=1&y=%C3%A9"
    assert answer.headers["Cache-Control"] == "max-age=30"
    assert "Link" not in answer.headers


@pytest.mark.parametrize("record", ["scheme", "namespace"])
def test_the_nearest_fallback_wins(service: Service, record: str) -> None:
    service.register("ark:", record="scheme", fallback="n2t.example.net")
    service.register("ark:12345/", record="namespace", fallback=None if record == "scheme" else LEGACY)

    host = "n2t.example.net" if record == "scheme" else LEGACY
    assert _to(service, "/ark:12345/x8/c3") == (307, f"http://{host}/ark:12345/x8/c3")
    assert _to(service, "/ark:99999/x8") == (307, "http://n2t.example.net/ark:99999/x8")


def test_a_registered_name_and_a_rule_never_fall_back(service: Service) -> None:
    service.register(NAME, representations=[{"location": "https://maps.example.org/"}])
    service.rule(f"//{PURLS}/rss/", "{id}", location="https://rss.example.org/{id}")

    assert _to(service, "/net/map") == (302, "https://maps.example.org/")
    assert _to(service, "/rss/1") == (302, "https://rss.example.org/1")
    assert service.ask("/net/%6dap", Host=PURLS).status == 301


def test_a_fallback_precedes_other_spellings(service: Service) -> None:
    service.register(NAME, representations=[{"location": "https://maps.example.org/"}])

    assert _to(service, "/net/MAP") == (307, f"http://{LEGACY}/net/MAP")
    assert _to(service, "/net/map/") == (307, f"http://{LEGACY}/net/map/")


@pytest.mark.parametrize(
    ("status", "code"), [("retired", 410), ("withheld", 451), ("embargoed", 403), ("reserved", 404)]
)
def test_a_refused_name_does_not_fall_back(service: Service, status: str, code: int) -> None:
    stated: dict[str, Any] = {"status": status}
    if status == "embargoed":
        stated["until"] = "2099-01-01"
    service.register("ark:", record="scheme", fallback=LEGACY)
    service.register("ark:12345/", record="namespace")
    service.register(NAME, **stated)
    service.register("ark:12345/x8", **stated)

    assert _to(service, "/net/map") == (code, None)
    assert _to(service, "/ark:12345/x8/c3") == (code, None)


@pytest.mark.parametrize(("code", "status"), [(404, None), (410, None), (None, "reserved")])
def test_a_rule_without_a_target_does_not_fall_back(
    service: Service, code: int | None, status: str | None
) -> None:
    service.rule(f"//{PURLS}/old/", "{+rest}", **({"status_code": code} if code else {"status": status}))

    assert _to(service, "/old/x") == (code or 404, None)


@pytest.mark.parametrize("status", ["retired", "withheld", "embargoed", "reserved"])
def test_a_refused_record_has_no_fallback(service: Service, status: str) -> None:
    service.register(f"//{PURLS}/", 1, status=status, until="2099-01-01")

    assert service.ask("/net/map", Host=PURLS).status == 404


def test_an_ark_below_one_without_a_location_falls_back(service: Service) -> None:
    service.register("ark:", record="scheme", fallback=LEGACY)
    service.register("ark:12345/x8", title={"en": "A box"})

    status, location = _to(service, "/ark:12345/x8/c3", query="info")
    assert (status, (location or "").removesuffix("=")) == (307, f"http://{LEGACY}/ark:12345/x8/c3?info")


def test_an_unregistered_register_and_a_description_precede_a_fallback(service: Service) -> None:
    service.register("uri-gin/", record="scheme", fallback=LEGACY)
    service.register("info:", record="scheme", fallback=LEGACY)
    service.register("info:pmid/", record="namespace")

    register_of_types = "/uri-gin/azgs/register/resourceType/"
    assert _to(service, register_of_types) == (303, f"/about{register_of_types}")
    assert _to(service, "/uri-gin") == (302, "/uri-gin/")
    assert _to(service, "/info:pmid/1") == (303, "/about/info:pmid/1")
    assert _to(service, "/info:lccn/1") == (307, f"http://{LEGACY}/info:lccn/1")


@pytest.mark.parametrize("host", [LEGACY, LEGACY.upper(), f"{LEGACY}:80"])
def test_a_request_to_the_fallback_itself_does_not_come_back(service: Service, host: str) -> None:
    service.register("uri-gin/", record="scheme", fallback=LEGACY)

    assert _to(service, "/uri-gin/azgs/none") == (307, f"http://{LEGACY}/uri-gin/azgs/none")
    assert _to(service, "/uri-gin/azgs/none", Host=host) == (404, None)


def test_a_host_that_is_registered_later_ends_the_fallback(service: Service) -> None:
    service.register(NAME, representations=[{"location": "https://maps.example.org/"}])
    service.register(f"//{LEGACY}/", record="host", fallback=PURLS)

    assert _to(service, "/net/none") == (404, None)
    assert _to(service, "/net/MAP") == (302, f"http://{PURLS}/net/map")
    assert _to(service, "/net/none", Host=LEGACY) == (404, None)


class _Reader:
    """Counts calls of a registry."""

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


def test_a_fallback_takes_two_calls_and_then_one(service: Service) -> None:
    reader = _Reader(service.registry)
    finder = RememberingFinder(reader, lambda: 0.0)

    for name, calls in (("a", 2), ("b", 3), ("b", 3)):
        decision = resolve(Question(parse(f"//{PURLS}/net/{name}"), NOW), finder).decision
        assert isinstance(decision, FallenBack)
        assert reader.calls == calls


def test_a_list_of_names_falls_back_in_two_calls(service: Service) -> None:
    service.register("//other.example.org/", record="host", fallback="second.example.net")
    service.register("//third.example.org/", record="host", fallback="other.example.org")
    reader = _Reader(service.registry)
    names = [f"//{host}.example.org/{number}" for host in ("purl", "other") for number in range(20)]

    several = resolve_many([Question(parse(name), NOW) for name in names], RememberingFinder(reader, int))

    assert {type(each.decision) for each in several} == {FallenBack}
    assert reader.calls == 2
    [third] = resolve_many(
        [Question(parse("//third.example.org/1"), NOW)], RememberingFinder(service.registry, int)
    )
    assert isinstance(third.decision, NotRegistered)


def test_a_description_of_a_missing_name_links_the_fallback(front: Front) -> None:
    register(front.registry, NAME, title={"en": "Map"})

    missing = front.ask(f"/about.json/http://{PURLS}/net/MAP")
    page = front.ask(f"/about/http://{PURLS}/net/other", headers={"Accept": "text/html"})

    assert missing.status == page.status == 404
    links = {advice["rel"]: advice["href"] for advice in missing.problem["advice"]}
    assert links["related"] == f"http://{LEGACY}/net/MAP"
    assert links["alternate"] == NAME
    assert f'href="http://{LEGACY}/net/other"' in page.content.decode()


def test_an_explanation_names_the_record_that_states_the_fallback(front: Front) -> None:
    explained = json.loads(front.ask(f"/explain/http://{PURLS}/net/none").content)
    page = front.ask(f"/explain/http://{PURLS}/net/none", headers={"Accept": "text/html"})

    assert (explained["outcome"], explained["status"]) == ("FallenBack", 307)
    assert explained["location"] == f"http://{LEGACY}/net/none"
    decided = explained["steps"][-1]["result"]
    assert (decided["fallback"], decided["stated_by"]) == (LEGACY, f"//{PURLS}/")
    assert f"http://{PURLS}/ states that {LEGACY} may have it." in page.content.decode()


def test_every_service_knows_the_fallback(front: Front) -> None:
    name = f"http://{PURLS}/net/none"

    [listed] = json.loads(front.ask("/resolve", "POST", body=json.dumps([name])).content)
    located, names = (front.ask_by_the_edge(f"/uri-res/{wanted}", name) for wanted in ("N2L", "N2Ls"))

    assert (listed["outcome"], listed["location"]) == ("FallenBack", f"http://{LEGACY}/net/none")
    assert (located.status, located.headers["Location"]) == (303, f"http://{LEGACY}/net/none")
    assert names.content.decode().splitlines()[1:] == [f"http://{LEGACY}/net/none"]
    assert front.ask(f"/timemap/{name}").status == 404


@pytest.mark.parametrize("method", ["HEAD", "OPTIONS", "POST"])
def test_only_reading_falls_back(service: Service, method: str) -> None:
    statuses: dict[str, Any] = {"HEAD": 307, "OPTIONS": 204, "POST": 405}

    assert service.ask("/net/none", method, Host=PURLS).status == statuses[method]
