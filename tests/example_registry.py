"""A registry in memory with everything under `examples/`, and its descriptions."""

from __future__ import annotations

import pickle
import time
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from ginuri.descriptions.writer import DescriptionWriter
from ginuri.identifiers.roots import printable_name
from ginuri.memory import MemoryRegistry
from ginuri.resolution.finder import RememberingFinder
from ginuri.service.describe import Collaborators, answer
from ginuri.web.answers.descriptions import DescriptionResponses
from ginuri.web.events import read_request
from tests.builders import rest_event
from tests.steward import Steward

HOST = "ids.example.org"
EXAMPLES = Path(__file__).parents[1] / "layers/library/ginuri/examples"
_REGISTERS = {".csv", ".jsonl", ".ttl", ".rdf"}


def examples() -> MemoryRegistry:
    """Register everything under `examples/`."""
    return upload_examples().memory


def upload_examples() -> Steward:
    """Upload everything under `examples/`: hosts first, stored files before registrations."""
    uploaded: Steward = pickle.loads(_uploaded())  # noqa: S301  our own
    return uploaded


@cache
def _uploaded() -> bytes:
    steward = Steward()
    for path in in_order(EXAMPLES.rglob("*")):
        steward.upload(path.relative_to(EXAMPLES).as_posix(), path.read_bytes())
    return pickle.dumps(steward)


def in_order(paths: Iterable[Path]) -> list[Path]:
    """Return the files in the order of their upload."""
    return sorted(filter(Path.is_file, paths), key=_order)


def _order(path: Path) -> tuple[bool, bool, bool, str]:
    name = path.relative_to(EXAMPLES).as_posix()
    return not name.startswith("_host/"), path.suffix in _REGISTERS, "/1-" not in name, name


class Descriptions:
    """Requests descriptions from a registry in memory."""

    def __init__(self, registry: MemoryRegistry) -> None:
        self._registry = registry
        answers = DescriptionResponses(DescriptionWriter().write)
        finder = RememberingFinder(registry, time.monotonic)
        self._using = Collaborators(finder, registry, registry, answers, HOST, stamps=registry)

    def names(self) -> Iterator[str]:
        """Return every identifier with a description; hosts and names bound to them as URIs."""
        return (printable_name(name) for name, _ in self._registry.standing(""))

    def write(self, extension: str, name: str, host: str = HOST) -> bytes:
        """Request the description of an identifier, or of a host by an empty name, in one format."""
        return self._ask(f"/about.{extension}/{name}" if name else f"/about.{extension}", host)

    def list(self, extension: str, name: str) -> bytes:
        """Request the first page of the list of an identifier's members, in one format."""
        return self._ask(f"/members.{extension}/{name}", HOST)

    def _ask(self, path: str, host: str) -> bytes:
        response = answer(read_request(rest_event(path, headers={"Host": host})), self._using).response
        assert response.status == 200, (path, response)
        return response.body
