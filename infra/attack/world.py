"""The attacked service, and a source of requests for it, which all kinds share."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from urllib.parse import urlsplit

from infra.attack.drawn.requests import Drawing
from infra.attack.targets.hostile_registry import hostile_service
from infra.attack.targets.service import HOST, Service
from infra.attack.trials import make_chance

_URI = re.compile(r"https?://[^\s\"'<>{}]+")


@dataclass(frozen=True)
class World:
    """A service in memory, created when the first kind needs it; `folder` is for its files."""

    folder: Path
    seed: str

    @cached_property
    def service(self) -> Service:
        """The attacked service."""
        return hostile_service(self.folder / "published", make_chance(self.seed, "registry", 0))

    @cached_property
    def values(self) -> Mapping[str, Mapping[str, object]]:
        """The registered records."""
        return self.service.stores.values()

    @cached_property
    def names(self) -> list[str]:
        """The registered names."""
        return sorted(self.values)

    @cached_property
    def hosts(self) -> frozenset[str]:
        """The hosts that a redirect may lead to."""
        stated = {urlsplit(uri).netloc.lower() for value in self.values.values() for uri in _uris(value)}
        return frozenset({HOST, "content.invalid", "published.example", *self.registered_hosts, *stated})

    @cached_property
    def registered_hosts(self) -> list[str]:
        """The hosts that are registered, or that a record hands its identifiers to."""
        bound = {name[2:-1] for name in self.names if re.fullmatch("//[^/]+/", name)}
        others = {
            str(value[field])
            for value in self.values.values()
            for field in ("answered_by", "fallback")
            if value.get(field)
        }
        return sorted(bound | others)

    @cached_property
    def drawing(self) -> Drawing:
        """The source of requests."""
        hosts = [name[2:-1] for name in self.names if re.fullmatch("//[^/]+/", name)]
        hostile = [name for name in self.names if "attack" in name]
        return Drawing((*self.names, *hostile * 8), hosts)


def _uris(value: object) -> Iterator[str]:
    match value:
        case str():
            yield from _URI.findall(value)
        case dict():
            for inner in value.values():
                yield from _uris(inner)
        case list() | tuple():
            for inner in value:
                yield from _uris(inner)
        case _:
            pass
