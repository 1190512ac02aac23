"""The Link header of a repeated request is written once, and again after records have changed."""

from __future__ import annotations

from ginuri.memory import MemoryContentStore, MemoryRegistry
from ginuri.resolution.finder import RememberingFinder
from ginuri.web.answers.identifiers import IdentifierResponses
from resolve.flow import answer
from tests.builders import MAP, register, rest_event

FORMS = [
    {"part": "map.pdf", "media_type": "application/pdf", "location": "https://maps.example/map.pdf"},
    {"part": "map.html", "media_type": "text/html", "location": "https://maps.example/map.html"},
]


class _Resolver:
    """The resolve function over a map and its authority, at any second."""

    def __init__(self) -> None:
        self.registry = MemoryRegistry()
        self.second = 0.0
        self._finder = RememberingFinder(self.registry, lambda: self.second)
        register(self.registry, "uri-gin/azgs/", record="authority", trusted_hosts=["resources.usgin.org"])
        register(self.registry, MAP, representations=FORMS)

    def link(self, path: str = MAP, host: str = "ids.example.org", accept: str = "*/*") -> str:
        event = rest_event(f"/{path}", headers={"Host": host, "Accept": accept})
        answered = answer(event, self._finder, IdentifierResponses(MemoryContentStore(), host))
        return dict(answered.response.headers)["Link"]


def test_it_is_the_same_text() -> None:
    resolver = _Resolver()
    first, again = resolver.link(), resolver.link()

    assert again == first
    assert resolver.link() is again


def test_another_header_changes_nothing_of_it() -> None:
    resolver = _Resolver()
    links = {
        resolver.link(accept=accept) for accept in ("*/*", "text/html", "application/pdf") for _ in "abc"
    }

    assert len(links) == 1


def test_a_part_has_its_own() -> None:
    resolver = _Resolver()
    links = [resolver.link(path) for path in (MAP, f"{MAP}map.pdf", f"{MAP}map") * 3]

    assert len(set(links)) == 3
    assert links[:3] == links[3:6] == links[6:]


def test_a_change_of_an_ancestor_is_in_it_as_soon_as_that_is_read_again() -> None:
    resolver = _Resolver()
    for _ in range(3):
        assert "http://resources.usgin.org/uri-gin/" in resolver.link()
    register(resolver.registry, "uri-gin/azgs/", 1, record="authority", trusted_hosts=["new.usgin.org"])

    resolver.second = 60

    assert "http://new.usgin.org/uri-gin/" in resolver.link()


def test_it_depends_on_the_canonical_host() -> None:
    resolver = _Resolver()
    register(resolver.registry, "uri-gin/azgs/", 1, record="authority", trusted_hosts=None)

    links = [resolver.link(host=host) for host in ("one.example", "two.example") * 3]

    assert len(set(links)) == 2
