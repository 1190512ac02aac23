"""One call for all records that are not in memory, and none for the others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from ginuri import parse
from ginuri.identifiers.errors import RegistryUnavailable
from ginuri.memory import MemoryRegistry
from ginuri.registry.clock import BEGINNING
from ginuri.registry.model import NameAuthority, Registered
from ginuri.registry.record.record import Record, apply
from ginuri.registry.record.serialization import Path
from ginuri.resolution.decision import Question
from ginuri.resolution.finder import RememberingFinder
from ginuri.resolution.resolve import resolve
from tests.builders import MAP, keyed, register, stamp


class _Clock:
    """A clock that moves only when it is set."""

    def __init__(self) -> None:
        self.seconds = 1000.0

    def __call__(self) -> float:
        return self.seconds


class _Reader:
    """Reads from a registry, records its calls, and can be unavailable."""

    def __init__(self, registry: MemoryRegistry) -> None:
        self._registry = registry
        self.asked: list[list[str]] = []
        self.is_away = False

    def fetch(self, names: Sequence[str]) -> Mapping[str, Registered]:
        if self.is_away:
            raise RegistryUnavailable("ProvisionedThroughputExceededException")
        self.asked.append(list(names))
        return self._registry.fetch(names)

    def near(self, folded: str) -> Sequence[str]:
        self.asked.append([folded])
        return self._registry.near(folded)

    def beside(self, container: str, name: str, *, is_after: bool) -> Sequence[str]:
        return self._registry.beside(container, name, is_after=is_after)


class _Visit:
    """A finder over a registry of one map and its authority."""

    def __init__(self) -> None:
        self.registry = MemoryRegistry()
        register(self.registry, "uri-gin/azgs/", record="authority", contact="maps@azgs.example")
        register(self.registry, MAP, title={"en": "Map"})
        self.clock = _Clock()
        self.reader = _Reader(self.registry)
        self.finder = RememberingFinder(self.reader, self.clock)

    def title(self, identifier: str = MAP) -> str | None:
        record = self.finder.find(parse(identifier), BEGINNING).record
        return None if record is None else record.titles["en"]


def test_a_hit_takes_one_call() -> None:
    visit = _Visit()

    found = visit.finder.find(parse(MAP), BEGINNING)

    assert len(visit.reader.asked) == 1
    assert found.record is not None
    assert isinstance(found.authority, NameAuthority)


def test_a_remembered_identifier_needs_no_call() -> None:
    visit = _Visit()
    visit.title()

    visit.title()

    assert len(visit.reader.asked) == 1


def test_an_unregistered_identifier_takes_one_call() -> None:
    visit = _Visit()

    assert visit.title("uri-gin/azgs/doc/map/none/") is None
    assert len(visit.reader.asked) == 1


def test_a_requested_host_is_read_in_the_same_call() -> None:
    visit, host = _Visit(), parse("http://id.example/")
    register(visit.registry, "//id.example/", record="host", query_arguments={"_p": "profile"})

    found = visit.finder.find(parse(MAP), BEGINNING, host)
    again = visit.finder.find(parse(MAP), BEGINNING, host)

    assert len(visit.reader.asked) == 1
    assert found.query_arguments == again.query_arguments == {"_p": "profile"}
    assert visit.finder.find(parse(MAP), BEGINNING).query_arguments == {}


def test_the_absence_of_a_requested_host_is_remembered_for_a_minute() -> None:
    visit, host = _Visit(), parse("http://id.example/")
    for _ in range(2):
        assert visit.finder.find(parse(MAP), BEGINNING, host).host is None
    assert len(visit.reader.asked) == 1

    visit.clock.seconds += 59
    visit.finder.find(parse(MAP), BEGINNING, host)

    assert [host.normal_form in names for names in visit.reader.asked] == [True, False]


def test_a_request_without_a_query_reads_no_further_host() -> None:
    visit = _Visit()
    for query in ("", "", "a=b", "a=b"):
        resolve(Question(parse(MAP), BEGINNING, ("id.example",), query=query), visit.finder)

    assert ["//id.example/" in names for names in visit.reader.asked] == [False, True]


def test_an_identifier_and_its_absence_are_remembered_for_ten_seconds() -> None:
    visit = _Visit()
    visit.title()
    register(visit.registry, MAP, 1, title={"en": "Geologic map"})
    visit.clock.seconds += 9.5
    assert visit.title() == "Map"
    assert len(visit.reader.asked) == 1

    visit.clock.seconds += 0.5
    assert visit.title() == "Geologic map"
    assert len(visit.reader.asked) == 2


def test_the_absence_of_an_identifier_is_remembered_for_ten_seconds() -> None:
    visit = _Visit()
    new = "uri-gin/azgs/doc/map/new/"
    assert visit.title(new) is None
    register(visit.registry, new, title={"en": "New"})

    visit.clock.seconds += 9.5
    assert visit.title(new) is None

    visit.clock.seconds += 0.5
    assert visit.title(new) == "New"


def test_a_frequent_identifier_is_as_fresh_as_any_record() -> None:
    visit = _Visit()
    for _ in range(4):
        assert visit.title() == "Map"
    register(visit.registry, MAP, 1, title={"en": "Geologic map"})

    visit.clock.seconds += 9.9
    assert visit.title() == "Map"
    visit.clock.seconds += 0.1

    assert visit.title() == "Geologic map"
    assert len(visit.reader.asked) == 2


def test_a_frequent_identifier_keeps_its_records_until_one_expires() -> None:
    visit = _Visit()
    visit.finder.find(parse(MAP), BEGINNING)
    again = visit.finder.find(parse(MAP), BEGINNING).records

    assert visit.finder.find(parse(MAP), BEGINNING).records is again
    visit.clock.seconds += 10

    assert visit.finder.find(parse(MAP), BEGINNING).records is not again


def test_an_ancestor_read_again_updates_a_frequent_identifier() -> None:
    visit = _Visit()
    visit.finder.find(parse(MAP), BEGINNING)
    visit.clock.seconds += 10
    for _ in range(3):
        assert _contact(visit, MAP) == "maps@azgs.example"
    register(visit.registry, "uri-gin/azgs/", 1, record="authority", contact="new@azgs.example")

    visit.finder.find(parse("uri-gin/azgs/"), BEGINNING)

    assert _contact(visit, MAP) == "new@azgs.example"


def _contact(visit: _Visit, identifier: str) -> str | None:
    authority = visit.finder.find(parse(identifier), BEGINNING).authority
    return None if authority is None else authority.contact


def test_an_ancestor_is_remembered_for_a_minute() -> None:
    visit = _Visit()
    visit.title()
    register(visit.registry, "uri-gin/azgs/", 1, contact="new@azgs.example")

    visit.clock.seconds += 59.5
    assert _contact(visit, "uri-gin/azgs/doc/map/another/") == "maps@azgs.example"

    visit.clock.seconds += 0.5
    assert _contact(visit, "uri-gin/azgs/doc/map/another/") == "new@azgs.example"


def test_the_absence_of_an_ancestor_is_remembered_for_a_minute() -> None:
    visit = _Visit()
    visit.finder.find(parse("uri-gin/usgs/doc/x/"), BEGINNING)
    register(visit.registry, "uri-gin/usgs/", record="authority", contact="help@usgs.example")

    visit.clock.seconds += 59.5
    assert _contact(visit, "uri-gin/usgs/doc/x/") is None

    visit.clock.seconds += 0.5
    assert _contact(visit, "uri-gin/usgs/doc/x/") == "help@usgs.example"


def test_a_second_name_under_one_parent_reads_only_itself() -> None:
    visit = _Visit()
    visit.title()
    visit.clock.seconds += 30

    visit.title("uri-gin/azgs/doc/map/DGM38/")

    assert visit.reader.asked[-1] == ["uri-gin/azgs/doc/map/DGM38/"]


def test_the_stem_before_a_dot_and_the_parent_share_a_call() -> None:
    visit = _Visit()

    visit.title("uri-gin/azgs/doc/x.shp.zip")

    assert len(visit.reader.asked) == 1
    assert {name for name in visit.reader.asked[0] if " " not in name} == {
        "uri-gin/azgs/doc/x.shp.zip",
        "uri-gin/azgs/doc/x.shp",
        "uri-gin/azgs/doc/x",
        "uri-gin/azgs/doc/",
        "uri-gin/azgs/",
        "uri-gin/",
    }


def test_a_remembered_stem_expires_like_a_record() -> None:
    visit = _Visit()
    visit.title(f"{MAP}image.pdf")

    visit.clock.seconds += 10
    visit.title(f"{MAP}image.pdf")

    assert visit.reader.asked[-1] == [f"{MAP}image.pdf", f"{MAP}image", MAP]


def test_no_name_is_asked_for_twice_in_a_call() -> None:
    visit = _Visit()

    for name in ("uri-gin/", "uri-gin/azgs", "uri-gin/azgs/", "uri-gin/azgs/x.y", "uri-gin"):
        visit.finder.find(parse(name), BEGINNING)

    assert all(len(set(names)) == len(names) for names in visit.reader.asked)


def test_a_call_requests_at_most_as_many_names_as_allowed() -> None:
    many_stems, many_segments = "/" + "a." * 200 + "z", "/x" * 30
    names = [
        f"{root}{rest}"
        for root in ("uri-gin", "//id.example", "//id.example/uri-gin", "ark:12345")
        for rest in (many_stems, many_segments, "/a:b_c-d.e" * 30)
    ]
    names += [f"uri-gin{many_segments}{many_stems}", f"//id.example{many_segments}{many_stems}"]

    for name in names:
        visit = _Visit()
        visit.finder.find(parse(name), BEGINNING)
        assert max(map(len, visit.reader.asked)) <= 100


def _typed(visit: _Visit) -> None:
    register(visit.registry, "uri-gin/azgs/doc/", record="resource-type", broader="uri-gin/usgin/doc/")


def test_a_type_is_read_with_the_distant_type_it_inherits_from() -> None:
    visit = _Visit()
    _typed(visit)
    register(visit.registry, "uri-gin/usgin/doc/", record="resource-type", dereference="content")

    found = visit.finder.find(parse(MAP), BEGINNING)
    visit.finder.find(parse(MAP), BEGINNING)

    assert [each.identifier for each in found.resource_types] == ["uri-gin/azgs/doc/", "uri-gin/usgin/doc/"]
    assert len(visit.reader.asked) == 2


def test_a_broader_type_that_is_not_registered_is_remembered_as_absent() -> None:
    visit = _Visit()
    _typed(visit)
    visit.finder.find(parse(MAP), BEGINNING)
    asked = len(visit.reader.asked)

    visit.finder.find(parse(MAP), BEGINNING)

    assert len(visit.reader.asked) == asked


def test_types_that_inherit_from_each_other_do_not_loop() -> None:
    visit = _Visit()
    _typed(visit)
    register(visit.registry, "uri-gin/usgin/doc/", record="resource-type", broader="uri-gin/azgs/doc/")

    found = visit.finder.find(parse(MAP), BEGINNING)

    assert len(found.resource_types) == 2


def test_a_registry_that_did_not_answer_is_read_again() -> None:
    visit = _Visit()
    visit.reader.is_away = True
    with pytest.raises(RegistryUnavailable):
        visit.title()

    visit.reader.is_away = False

    assert visit.title() == "Map"


def test_a_remembered_identifier_is_answered_while_the_registry_is_unavailable() -> None:
    visit = _Visit()
    visit.title()

    visit.reader.is_away = True

    assert visit.title() == "Map"


def test_similar_names_take_one_more_call_and_are_remembered() -> None:
    visit = _Visit()

    first = visit.finder.near(parse(MAP.upper().replace("URI-GIN", "uri-gin")))
    second = visit.finder.near(parse(MAP.upper().replace("URI-GIN", "uri-gin")))

    assert (first, second) == ((MAP,), (MAP,))
    assert len(visit.reader.asked) == 1


def test_the_document_about_a_thing_takes_a_second_call_once() -> None:
    visit = _Visit()
    prefixes = {"id": "document", "info": "document_of"}
    for name, field in prefixes.items():
        other = next(each for each in prefixes if each != name)
        rule: dict[Path, Any] = {
            ("rules", "", field): f"http://resources.usgin.org/uri-gin/azgs/{other}/{{+rest}}"
        }
        visit.registry.write(apply(Record(f"uri-gin/azgs/{name}/", {}), keyed(rule), stamp()))
    register(visit.registry, "uri-gin/azgs/id/7", title={"en": "Seven"}, representations=[{"part": ".pdf"}])

    assert visit.title("uri-gin/azgs/info/7") == "Seven"
    assert len(visit.reader.asked) == 2
    assert visit.title("uri-gin/azgs/info/7") == visit.title("uri-gin/azgs/id/7") == "Seven"
    assert len(visit.reader.asked) == 2
    assert visit.title() == "Map"
    assert len(visit.reader.asked) == 3
