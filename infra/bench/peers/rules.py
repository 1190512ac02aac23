"""The rules of a peer, and the requests that check its answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from infra.bench.records import UNDER, registered

_ESCAPED = f"{UNDER}DGM-A%2FB/"
_PDF_LAST = "application/pdf;q=0.1, text/html"
_PDF_FIRST = "text/html;q=0.1, application/pdf"


class Asked(NamedTuple):
    """A request."""

    name: str
    accept: str = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
    method: str = "GET"


class Answer(NamedTuple):
    """The checked parts of an answer: its status and its location."""

    status: int
    location: str = ""

    @property
    def is_redirect(self) -> bool:
        """Whether it is a redirect."""
        return self.status in {301, 302, 303, 307, 308} and bool(self.location)

    def leads_to(self, extension: str) -> bool:
        """Whether it redirects to a location with this ending."""
        return self.is_redirect and self.location.endswith(extension)


class Probe(NamedTuple):
    """Requests, and whether their answers are right."""

    requests: Sequence[Asked]
    is_right: Callable[[Sequence[Answer]], bool]


def rules(size: int) -> Iterator[tuple[str, str]]:
    """Yield so many names and their locations without extension, and one name with an escaped slash."""
    for number in range(size):
        yield registered(number), f"https://repository.azgs.az.gov/item/{number:07d}"
    yield _ESCAPED, "https://repository.azgs.az.gov/item/escaped"


PROBES = {
    "final slash": Probe(
        [Asked(registered(0)), Asked(registered(0).removesuffix("/"))],
        lambda answers: answers[0].is_redirect and answers[1].status == 404,  # noqa: PLR2004  not found
    ),
    "%2F": Probe(
        [Asked(_ESCAPED), Asked(registered(0).replace("map/", "map%2F"))],
        lambda answers: answers[0].is_redirect and answers[1].status == 404,  # noqa: PLR2004  not found
    ),
    "HEAD": Probe(
        [Asked(registered(0)), Asked(registered(0), method="HEAD")],
        lambda answers: answers[0].is_redirect and answers[0] == answers[1],
    ),
    "q": Probe(
        [Asked(registered(0), _PDF_LAST), Asked(registered(0), _PDF_FIRST)],
        lambda answers: answers[0].leads_to(".html") and answers[1].leads_to(".pdf"),
    ),
    "404": Probe(
        [Asked(f"{UNDER}nobody/")],
        lambda answers: answers[0].status == 404,  # noqa: PLR2004  not found
    ),
}
"""A final slash and an escaped one make another name; HEAD is GET without content; the higher q wins."""
