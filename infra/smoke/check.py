"""The differences of an answer: its status, headers, a piece of its body, or the targets of its links."""

import re
from collections.abc import Iterator, Sequence
from html import unescape

from infra.smoke.exchange import Reply
from infra.smoke.table import SmokeRequest

_LINKING = ("location", "content-location", "link")
_REFERENCE = re.compile(r'\s(?:href|src|action)="([^"]*)"')
_LONGEST = 160
"""The number of characters of an answer that are shown."""


def find_faults(request: SmokeRequest, reply: Reply, forbidden: Sequence[str]) -> Iterator[str]:
    """Yield the expected and the actual value: the status, or else one phrase for each difference."""
    text = reply.body.decode("utf-8", errors="replace")
    if reply.status != request.status:
        instead = reply.headers.get("location", text)
        yield f"expected {request.status}, came {reply.status} {shorten(instead)}".rstrip()
        return
    for name, expected in request.expected.items():
        came = reply.headers.get(name.lower())
        if not _matches(came, expected=expected):
            wanted = f"{name}: {expected}" if expected else f"no {name}"
            yield f"expected {wanted}, came {'none' if came is None else shorten(came)}"
    if request.text not in text:
        yield f"expected {request.text!r} in the body, came {shorten(text)!r}"
    for link in _links(reply):
        for part in forbidden:
            if part in link:
                yield f"expected no link with {part}, came {shorten(link)}"


def links_to_itself(reply: Reply) -> Sequence[str]:
    """Return the targets of an answer on the same host, from its Location and its page: paths, once each."""
    links = [reply.headers.get("location", ""), *_page_links(reply)]
    targets = dict.fromkeys(link.partition("#")[0] for link in links)
    return [target for target in targets if target.startswith("/") and not target.startswith("//")]


def shorten(text: str) -> str:
    """Return the beginning of a text, in one line."""
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST]}…"


def _matches(came: str | None, *, expected: str | bool) -> bool:
    if came is None or expected is False:
        return came is None and expected is False
    pattern = ".*".join(map(re.escape, str(expected).split("*")))
    return re.fullmatch(pattern, came) is not None


def _links(reply: Reply) -> Iterator[str]:
    yield from (reply.headers[name] for name in _LINKING if name in reply.headers)
    yield from _page_links(reply)


def _page_links(reply: Reply) -> Iterator[str]:
    if reply.headers.get("content-type", "").startswith("text/html"):
        yield from map(unescape, _REFERENCE.findall(reply.body.decode("utf-8", errors="replace")))
