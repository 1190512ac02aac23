"""The Link header of an identifier that is requested again, with its records in memory."""

from __future__ import annotations

from ginuri.memory import MemoryContentStore, MemoryRegistry
from ginuri.resolution.finder import RememberingFinder
from ginuri.service.resolve import answer
from ginuri.web.answers.identifiers import IdentifierResponses
from ginuri.web.events import read_request
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
        answered = answer(read_request(event), self._finder, IdentifierResponses(MemoryContentStore(), host))
        return dict(answered.response.headers)["Link"]


def test_the_link_header_does_not_depend_on_the_accept_header() -> None:
    resolver = _Resolver()
    links = {
        resolver.link(accept=accept) for accept in ("*/*", "text/html", "application/pdf") for _ in "abc"
    }

    assert len(links) == 1


def test_a_part_has_a_link_header_of_its_own() -> None:
    resolver = _Resolver()
    links = [resolver.link(path) for path in (MAP, f"{MAP}map.pdf", f"{MAP}map") * 3]

    assert len(set(links)) == 3
    assert links[:3] == links[3:6] == links[6:]


def test_a_changed_ancestor_changes_the_link_header_when_memory_expires() -> None:
    resolver = _Resolver()
    for _ in range(3):
        assert "http://resources.usgin.org/uri-gin/" in resolver.link()
    register(resolver.registry, "uri-gin/azgs/", 1, record="authority", trusted_hosts=["new.usgin.org"])

    resolver.second = 60

    assert "http://new.usgin.org/uri-gin/" in resolver.link()


def test_the_link_header_depends_on_the_canonical_host() -> None:
    resolver = _Resolver()
    register(resolver.registry, "uri-gin/azgs/", 1, record="authority", trusted_hosts=None)

    links = [resolver.link(host=host) for host in ("one.example", "two.example") * 3]

    assert len(set(links)) == 2
