"""The rules that hold for every answer to any request."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from urllib.parse import urlsplit
from xml.parsers import expat

from infra.attack.answer import Answer
from infra.attack.texts import find_control, is_json, is_markup, is_textual, read_text
from infra.attack.trials import Fault
from infra.emulator.requests import Sent

MOST_EVENT_BYTES = 6_291_556
"""The longest answer of a function that Lambda accepts."""
MOST_HEADER_BYTES = 10_240
"""The length of headers that API Gateway accepts."""
_UNAVAILABLE, _BROKEN, _ERRORS = 503, 500, 400
_NOT_MODIFIED, _NO_CONTENT = 304, 204
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_PROBLEM = "application/problem+json"
_TOKEN = re.compile(r"[!#$%&'*+\-.^_`|~0-9a-z]+")
_VALUE = re.compile(r"|[!-~]|[!-~][\t -~]*[!-~]")
_TRACE = re.compile(r'Traceback \(most recent|File "/|/var/task|/opt/python|boto3|botocore')
_ELEMENT = re.compile(r"<x7k|(?:href|src|action)\s*=\s*[\"']?\s*javascript:", re.IGNORECASE)
_LINK = re.compile(r'<([^<>]*)>((?:; [a-z]+(?:="(?:[^"\\]|\\.)*"|\*=[^ ;,"]+))*)(?:, |$)')
_ANCHOR = re.compile(r'; anchor="([^"]*)"')
_UNPLAIN_TARGET = re.compile(r"%[01][0-9a-f]|%7f|%c2%[89]|%e2%80%a|%ef%b[f7]|%f", re.IGNORECASE)

Hosts = frozenset[str] | None
Check = Callable[[Sent, Answer, Hosts], Iterator[str]]


def find_faults(sent: Sent, answer: Answer, hosts: Hosts) -> Iterator[Fault]:
    """Yield every invariant that an answer breaks.

    `hosts` are the hosts that a redirect may lead to; None allows any.
    """
    for invariant, check in CHECKS.items():
        for detail in check(sent, answer, hosts):
            yield Fault(invariant, detail)


def is_ours(answer: Answer) -> bool:
    """Return whether an answer is no failure, or the documented 503 with `Retry-After`."""
    if answer.status == _UNAVAILABLE:
        return (answer.header("retry-after") or "").isdecimal()
    return answer.status < _BROKEN and not answer.failure


def _failures(_: Sent, answer: Answer, __: Hosts) -> Iterator[str]:
    if not is_ours(answer):
        yield f"{answer.status} {answer.failure}".strip()


def _sizes(_: Sent, answer: Answer, __: Hosts) -> Iterator[str]:
    if answer.event_bytes > MOST_EVENT_BYTES:
        yield f"{answer.event_bytes:,} bytes as an event; Lambda passes on {MOST_EVENT_BYTES:,}"


def _headers(_: Sent, answer: Answer, __: Hosts) -> Iterator[str]:
    for name, value in answer.fields:
        if not _TOKEN.fullmatch(name) or not _VALUE.fullmatch(value):
            yield f"{name}: {value!r:.200}"
    size = sum(len(name) + len(value) + len(": \r\n") for name, value in answer.fields)
    if size > MOST_HEADER_BYTES:
        yield f"{size:,} bytes of headers"


def _locations(_: Sent, answer: Answer, hosts: Hosts) -> Iterator[str]:
    locations = [value for name, value in answer.fields if name == "location"]
    if (answer.status in _REDIRECTS) != (len(locations) == 1):
        yield f"{answer.status} with {len(locations)} Location headers"
    for location in locations:
        parts = urlsplit(location)
        if re.match(r"/(?![/\\])", location):
            continue
        if parts.scheme == "javascript" or (hosts is not None and parts.netloc.lower() not in hosts):
            yield f"leads to {location:.200}"


def _reflections(_: Sent, answer: Answer, __: Hosts) -> Iterator[str]:
    if is_markup(answer) and (found := _ELEMENT.search(answer.text)):
        yield f"not escaped: {answer.text[max(0, found.start() - 60) : found.end() + 20]!r}"


def _problems(_: Sent, answer: Answer, __: Hosts) -> Iterator[str]:
    if answer.media_type == _PROBLEM and answer.status < _ERRORS:
        yield f"{answer.status} is a problem document"
    if answer.media_type == _PROBLEM and answer.body:
        stated = (answer.document() or {}).get("status")
        if stated != answer.status:
            yield f"{answer.status} says that its status is {stated}"


def _traces(_: Sent, answer: Answer, __: Hosts) -> Iterator[str]:
    if answer.status >= _ERRORS and (found := _TRACE.search(answer.text)):
        yield f"shows {found[0]!r}"


def _plain_texts(sent: Sent, answer: Answer, __: Hosts) -> Iterator[str]:
    if not is_textual(answer) or not answer.body:
        return
    is_repeated = _UNPLAIN_TARGET.search(sent.target) is not None  # a page may show its own request
    if control := find_control(answer.text, of_terminals=is_repeated):
        yield f"{answer.media_type} has {control}"
    elif not is_repeated and (control := find_control(read_text(answer))):
        yield f"{answer.media_type} has {control}, escaped"


def _formats(_: Sent, answer: Answer, __: Hosts) -> Iterator[str]:
    if not answer.body or answer.status == 206:  # noqa: PLR2004  a part of a file
        return
    if answer.media_type.endswith("json") and not is_json(answer.text):
        yield f"{answer.media_type} is no JSON: {answer.text[:80]!r}"
    if answer.media_type.endswith("xml"):
        try:
            expat.ParserCreate().Parse(answer.body, True)  # noqa: FBT003  the whole list
        except expat.ExpatError as error:
            yield f"{answer.media_type} is not well-formed: {error}"


def _labels(sent: Sent, answer: Answer, __: Hosts) -> Iterator[str]:
    if sent.method == "GET" and answer.status in _REDIRECTS and not answer.body:
        yield f"{answer.status} has no note with its link"
    if answer.body and not answer.media_type:
        yield f"{answer.status} has a body without a media type"


def _caching(sent: Sent, answer: Answer, __: Hosts) -> Iterator[str]:
    if sent.method in {"GET", "HEAD"} and answer.header("cache-control") is None:
        yield f"{answer.status} without Cache-Control"


def _links(_: Sent, answer: Answer, __: Hosts) -> Iterator[str]:
    header = answer.header("link") or ""
    found = list(_LINK.finditer(header))
    if "".join(link[0] for link in found) != header:
        yield f"cannot be read: {header:.200}"
    named = Counter((link[1], "".join(_ANCHOR.findall(link[2]))) for link in found)
    twice = [target for (target, _), number in named.items() if number > 1]
    if twice:
        yield f"names {twice[0]} {named[twice[0], '']} times"


def _scripts(_: Sent, answer: Answer, __: Hosts) -> Iterator[str]:
    policy = answer.header("content-security-policy") or ""
    for directive in filter(str.strip, policy.split(";")):
        name, *sources = directive.split()
        if name == "script-src" and {"'self'", "*", "'unsafe-inline'"} & {*sources}:
            yield directive.strip()


CHECKS: dict[str, Check] = {
    "answers-are-ours": _failures,
    "answers-fit": _sizes,
    "headers-are-legal": _headers,
    "redirects-lead-to-registered-hosts": _locations,
    "nothing-is-reflected": _reflections,
    "problems-are-errors": _problems,
    "no-trace-is-shown": _traces,
    "texts-are-plain": _plain_texts,
    "formats-can-be-read": _formats,
    "bodies-are-labelled": _labels,
    "caches-are-instructed": _caching,
    "links-name-a-target-once": _links,
    "scripts-are-our-own": _scripts,
}
"""The invariants by name."""
