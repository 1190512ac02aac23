"""Strategies for input: identifiers, registrations, headers, requests."""

from __future__ import annotations

import string
from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from hypothesis import strategies as st

from ginuri.registry.model import Status
from ginuri.registry.record.serialization import Path
from ginuri.registry.record.statements import FIRST, Statements
from infra.attack.drawn.spellings import (
    ESCAPED_PIECES,
    LOOK_UPS,
    PATH_PIECES,
    SERVICES,
    SPELLINGS,
    UNREGISTERED_HOSTS,
)
from tests.builders import keyed

_PLAIN = string.ascii_letters + string.digits + "-._~!$&'()*+,;=:@"
_ESCAPES = st.integers(0, 255).flatmap(
    lambda byte: st.sampled_from([f"%{byte:02X}", f"%{byte:02x}", f"%{byte:02X}".swapcase()])
)


def _names_something(segment: str) -> bool:
    return segment.lower().replace("%2e", ".") not in {".", ".."}


SEGMENTS = (
    st.lists(st.sampled_from(_PLAIN) | _ESCAPES, min_size=1, max_size=8).map("".join).filter(_names_something)
)
"""Lenient segments, escapes and all."""
IDENTIFIERS = st.builds(
    lambda segments, end: "/".join(["uri-gin", *segments]) + end,
    st.lists(SEGMENTS, max_size=6),
    st.sampled_from(["", "/"]),
)
"""Well-formed `uri-gin` identifiers in any spelling."""
PATHS = st.lists(
    SEGMENTS
    | st.sampled_from(["", ".", "..", "%", "%2", "%zz", "uri-gin", "uri_gin", "azgs", "\r\nX: y", "\u00e9"]),
    max_size=6,
).map(lambda pieces: "/" + "/".join(pieces))
"""Paths that clients may send; some are identifiers."""

_TEXTS = st.none() | st.sampled_from(["a", "b", '\u00e9 "\\'])
_LEAVES = st.fixed_dictionaries(
    {},
    optional={
        ("title",): st.none(),  # texts are below it: at this path a statement can only clear
        ("title", "en"): _TEXTS,
        ("title", "de"): _TEXTS,
        ("links", "first"): _TEXTS,
        ("reason",): _TEXTS,
        ("successor",): _TEXTS,
        ("status",): st.sampled_from([None, *map(str, Status)]),
        ("representations",): st.none(),
        ("delegation", "answered_by"): _TEXTS,
        ("delegation", "title", "en"): _TEXTS,
        ("delegation", "to"): st.none(),
        ("delegation", "to", ""): st.sampled_from(["", "uri-gin/usgin/"]),
        ("delegation", "to", "2027-01-01"): st.sampled_from(["", "uri-gin/usgin/"]),
    },
)


def _representations(key: str, number: int) -> st.SearchStrategy[dict[Path, Any]]:
    place = ("representations", key)
    stated = st.fixed_dictionaries(
        {(*place, FIRST): st.just(number), (*place, "part"): st.just(key)},
        optional={
            (*place, "media_type"): _TEXTS,
            (*place, "location"): _TEXTS,
            (*place, "title", "en"): _TEXTS,
            (*place, "status"): st.sampled_from([None, "retired"]),
        },
    )
    return st.just({}) | stated


def _joined(*statements: dict[Path, Any]) -> Statements:
    return keyed({path: value for each in statements for path, value in each.items()})


REGISTRATIONS = st.builds(_joined, _LEAVES, _representations("a.pdf", 0), _representations("b.tif", 1))
"""The statements of one registration: some state, some clear, some retire."""

HEADER_TEXTS = st.text(st.characters(codec="latin-1"), max_size=40) | st.text(
    ',;="<>/*q01. \t\\ab', max_size=40
)
"""Header values, malformed and nearly well-formed."""

# -- registries

HOSTS = ("a.example", "b.example:8080")
"""The hosts that a generated registry may have registered."""
_PATHS_OF_HOSTS = ("net/a", "net/a.pdf", "net/", "authority/b/", "/c", "registry/x")
_BOUND = [f"//{host}/{path}" for host in HOSTS for path in _PATHS_OF_HOSTS]
_NAMES = [
    "uri-gin/azgs/doc/a",
    "uri-gin/azgs/doc/a.pdf",
    "uri-gin/azgs/doc/Thing/",
    "uri-gin/azgs/register/resourceType/",
    "uri-gin/azgs/registry/resourceType/",
    "urn:foo:bar",
    "info:doi/10.1000/A",
    "ark:12345/x8",
    "ark:12345/x8/c3",
    *_BOUND,
]
_PREFIXES = ["uri-gin/azgs/old/", "info:doi/", "//a.example/old/", "//b.example:8080/net/"]
_FILE = {"key": "a.pdf", "version": "v1", "length": 5, "sha256": "ab" * 32, "stored": "2011-08-25T17:29:00Z"}
_LARGE = {**_FILE, "length": 9_000_000}
_FORMS = st.lists(
    st.fixed_dictionaries(
        {},
        optional={
            "part": st.sampled_from([".pdf", "map.pdf", "/data.xml"]),
            "location": st.sampled_from(
                ["https://data.example/x", "http://a.example/net/a", "http://a.example//c", "javascript:1"]
            ),
            "identifier": st.sampled_from([*_NAMES, "//elsewhere.example/x"]),
            "file": st.sampled_from([_FILE, _LARGE]),
            "valid_from": st.sampled_from(["1997-06-01", "2031-01-01", "prospective"]),
            "status_code": st.sampled_from([301, 302, 307]),
        },
    ),
    max_size=3,
)
_STATUSES = st.sampled_from(["valid", *map(str, Status)])
_RESOURCES = st.fixed_dictionaries(
    {"representations": _FORMS},
    optional={
        "status": _STATUSES,
        "kind": st.sampled_from(["thing", "document", "representation"]),
        "dereference": st.sampled_from(["content", "redirect"]),
    },
)
_ALIASES = st.fixed_dictionaries(
    {
        "record": st.just("alias"),
        "stands_for": st.lists(st.sampled_from([*_NAMES, "//elsewhere.example/x"]), min_size=1, max_size=2),
    },
    optional={"status_code": st.sampled_from([301, 302])},
)
_RULES = st.fixed_dictionaries(
    {},
    optional={
        "location": st.sampled_from(
            ["https://data.example/{+rest}", "http://a.example/net/{rest}", "http://evil.example.org/x"]
        ),
        "pass_query": st.booleans(),
        "status_code": st.sampled_from([404, 410]),
        "document": st.sampled_from(["http://a.example/net/{+rest}", "http://elsewhere.example/{+rest}"]),
    },
)
_ANSWERING = st.sampled_from([None, None, "id.example", "a.example"])
_FALLBACKS = st.sampled_from([None, "legacy.example", "a.example"])


@st.composite
def registries(draw: st.DrawFn) -> dict[str, dict[str, Any]]:
    """Draw registered values by normal form; those of a rule under `rule`.

    As in ingest, a name that is bound to a host is registered only if the host is.
    """
    hosts = draw(st.sets(st.sampled_from(HOSTS)))
    drawn: dict[str, dict[str, Any]] = {
        f"//{host}/": {
            "record": "host",
            "answered_by": draw(_ANSWERING),
            "fallback": draw(_FALLBACKS),
            "pages": draw(st.sampled_from([None, False])),
        }
        for host in sorted(hosts)
    }
    if draw(st.booleans()):
        drawn["uri-gin/"] = {"record": "scheme", "fallback": draw(_FALLBACKS)}
    if draw(st.booleans()):
        drawn["uri-gin/azgs/"] = {"record": "authority", "answered_by": draw(_ANSWERING)}
    if draw(st.booleans()):
        drawn["info:doi/"] = {"record": "namespace", "case": draw(st.sampled_from(["upper", "lower"]))}
    drawn |= draw(st.dictionaries(st.sampled_from(_NAMES), _RESOURCES | _ALIASES, max_size=6))
    for prefix, rule in draw(st.dictionaries(st.sampled_from(_PREFIXES), _RULES, max_size=2)).items():
        drawn[prefix] = {**drawn.get(prefix, {}), "rule": rule}
    below = tuple(f"//{host}/" for host in hosts)
    return {name: it for name, it in drawn.items() if not name.startswith("//") or name.startswith(below)}


# -- requests

_SPECIAL = ["authority/b/", "authority/b", "net/authority/net.b/", "net/registry/resourceType/", "a%2Db/%7e"]
_HOSTILE = st.lists(st.sampled_from([*PATH_PIECES, *ESCAPED_PIECES]) | SEGMENTS, max_size=4).map("/".join)
_METHODS = [*["GET"] * 20, "HEAD", "OPTIONS", "POST", "get", "\r\n"]
_ASKED_HOSTS = [*HOSTS, *HOSTS, *UNREGISTERED_HOSTS, "ids.example.org", "", "a b", "[::1]", "\x00\r\nX: y"]
_ACCEPTED = ["*/*", "text/html", "application/json", "image/png", "application/pdf"]
_QUERIES = ["", "", "x=1&x=2", "title=a%20b", "a=\r\nX: y", "after=x", "a=//evil.example", '\u00e9 "<']


def asked(names: Sequence[str]) -> st.SearchStrategy[tuple[str, str, dict[str, str]]]:
    """Draw a method, a target with its raw query, and a header: with names in any spelling, or none."""
    known = st.sampled_from([*names, *_NAMES, *_PREFIXES])
    written = st.builds(lambda write, name: write(name), st.sampled_from(SPELLINGS), known)
    bare = written | written | st.sampled_from(_SPECIAL) | _HOSTILE | IDENTIFIERS
    hosts = st.sampled_from([*HOSTS, *UNREGISTERED_HOSTS])
    forms = st.sampled_from(["{0}", "/{0}", "//{1}/{0}", "http:{0}", "http://{0}", "https://{1}/{0}"])
    uris = st.builds(lambda form, name, host: form.format(name, host), forms, bare, hosts)
    paths = st.one_of(
        bare.map(lambda name: f"/{name.removeprefix('//')}"),
        bare.map(lambda name: f"/{name[2:].partition('/')[2]}" if name.startswith("//") else f"//{name}"),
        st.builds(lambda service, uri: f"/{service}/{uri}", st.sampled_from(SERVICES), uris),
        (st.sampled_from(_SPECIAL) | PATHS | st.text()).map(lambda path: f"/{path.removeprefix('/')}"),
    )
    queries = st.sampled_from(_QUERIES) | HEADER_TEXTS
    targets = st.builds(lambda path, query: f"{path}?{query}", paths, queries)
    looked_up = st.builds(
        lambda service, uri: service + quote(uri, safe="" if service.endswith("=") else "/:%"),
        st.sampled_from(LOOK_UPS),
        uris,
    )
    headers = st.fixed_dictionaries(
        {"Host": st.sampled_from(_ASKED_HOSTS), "Accept": st.sampled_from(_ACCEPTED)}
    )
    return st.tuples(st.sampled_from(_METHODS), targets | targets | looked_up, headers)
