"""From `/` down to every identifier under `examples/`, only by the links in the answers."""

from __future__ import annotations

import csv
import json
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from html import unescape
from typing import Any
from urllib.parse import urljoin, urlsplit

import httpx
import pytest
import rdflib

from ginuri.identifiers import parse
from ginuri.identifiers.roots import printable_name
from ginuri.identifiers.service_paths import ABOUT, MEMBERS
from infra.local import EXAMPLES
from infra.local.stack import Stack
from tests.builders import read_links

# rdflib warns about its own names, which its reader of JSON-LD uses.
pytestmark = pytest.mark.filterwarnings("ignore:(Dataset[.]|ConjunctiveGraph):DeprecationWarning")
_HREF = re.compile(r'\shref="([^"]*)"')
_IRI = re.compile(r"<([^>]*)>")
_LITERAL = re.compile(r'"(?:[^"\\]|\\.)*"')
_LISTS = (f"/{ABOUT}/", f"/{MEMBERS}/")
_OTHER_FORMATS = (f"/{ABOUT}.", f"/{MEMBERS}.")
_NAMES_NOTHING = {"rule", "delegation"}
_BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8"
_TRIPLES = "application/n-triples"
"""A walk of a thousand documents reads lines; a few other formats are checked for the same links."""


def _rows() -> Iterator[dict[str, Any]]:
    for path in sorted(EXAMPLES.rglob("*")):
        if path.suffix == ".jsonl":
            yield from map(json.loads, filter(str.strip, path.read_text(encoding="utf-8").split("\n")))
        elif path.suffix == ".csv":
            with path.open(encoding="utf-8", newline="") as file:
                yield from csv.DictReader(file)


def _registered() -> Iterator[str]:
    titles: dict[str, set[str]] = {}
    for row in _rows():
        if row.get("record") not in _NAMES_NOTHING:
            name = next(row[each] for each in ("identifier", "uri", "id") if row.get(each))
            told = titles.setdefault(str(parse(name)), set())
            told |= {row["title"]} if isinstance(row.get("title"), str) and row["title"] else set()
    # The file with three contradicting rows is refused.
    return (name for name, told in titles.items() if len(told) <= 1)


NAMES = set(_registered())
HOSTS = {urlsplit(name).netloc for name in NAMES if name.startswith("//")} | {"stategeothermaldata.org"}
Read = Callable[[str], Iterator[str]]


def _as_a_browser(client: httpx.Client) -> Read:
    def read(url: str) -> Iterator[str]:
        answered = client.get(url, headers={"Accept": _BROWSER})
        if answered.has_redirect_location:  # the link of a part is that of the whole
            return iter((answered.headers["Location"],))
        assert answered.headers["Content-Type"].startswith("text/html"), (url, answered.text)
        return (unescape(each) for each in _HREF.findall(answered.text))

    return read


def _as_a_program(client: httpx.Client) -> Read:
    def read(url: str) -> Iterator[str]:
        answered = client.get(url, headers={"Accept": _TRIPLES}, follow_redirects=True)
        assert answered.status_code == 200
        # A document of the host that is only in JSON has no triples.
        return _read_triples(answered.text if answered.headers["Content-Type"] == _TRIPLES else "")

    return read


def _read_triples(text: str) -> Iterator[str]:
    return (found[1] for found in _IRI.finditer(_LITERAL.sub("", text)))


def _read_rdflib(url: str) -> Iterator[str]:
    triples = rdflib.Graph().parse(location=url)
    return (str(each) for triple in triples for each in triple if isinstance(each, rdflib.URIRef))


def _read_rapper(url: str) -> Iterator[str]:
    command = ["rapper", "-q", "-g", "-o", "ntriples", url]
    printed = subprocess.run(command, capture_output=True, text=True, check=True, timeout=30).stdout  # noqa: S603  a URL of our own stack
    return _read_triples(printed)


@pytest.fixture(scope="module")
def client(stack: Stack) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=stack.service, timeout=30) as made:
        yield made


@pytest.mark.parametrize("make_read", [_as_a_browser, _as_a_program])
def test_links_alone_lead_from_the_host_to_every_example(
    stack: Stack, client: httpx.Client, make_read: Callable[[httpx.Client], Read]
) -> None:
    reached = _walk(make_read(client), client, stack)

    assert len(NAMES) > 500
    assert NAMES - reached == set()


@pytest.mark.skipif(shutil.which("rapper") is None, reason="rapper is not installed")
def test_rapper_and_a_crawler_find_the_links_that_rdflib_finds(stack: Stack, client: httpx.Client) -> None:
    lists = [f"{stack.service}/", f"{stack.service}/{MEMBERS}/uri-gin/azgs/"]
    for url in lists + [f"{stack.service}/{ABOUT}/{printable_name(name)}" for name in sorted(NAMES)[::20]]:
        by_rdflib, by_rapper, by_lines = (
            {_name(urljoin(url, link), stack) for link in read(url)}
            for read in (_read_rdflib, _read_rapper, _as_a_program(client))
        )
        assert by_rdflib == by_rapper == by_lines
        assert len(by_rdflib) > 1


def test_the_relation_up_leads_from_any_example_to_the_host(stack: Stack) -> None:
    with httpx.Client(base_url=stack.service, headers={"Accept": "text/html"}, timeout=30) as client:
        for name in sorted(NAMES)[::25]:
            path, steps = f"/{ABOUT}/{printable_name(name)}", 0
            while path != "/":
                answered = client.get(path)
                assert answered.status_code == 200, path
                up = [each["href"] for each in read_links(answered.headers["Link"]) if each["rel"] == "up"]
                if not up and path == f"/{ABOUT}/http://resources.usgin.org/":
                    break
                [path] = up
                steps += 1
                assert steps < 10, name


def _walk(read: Read, client: httpx.Client, stack: Stack) -> set[str]:
    """Follow links until all is reached, the most promising first; return all linked addresses."""
    reached = set[str]()
    waiting, seen = [f"{stack.service}/"], {f"{stack.service}/"}
    while waiting and NAMES - reached:
        asked = waiting.pop()
        path = urlsplit(asked).path
        for link in (
            read(asked) if path.startswith(("/about", *_LISTS)) or path == "/" else _see(client, asked)
        ):
            name = _name(urljoin(asked, link), stack)
            if name is None:
                continue
            reached.add(name.partition("?")[0])
            target = _target(urljoin(asked, link), name, stack)
            if target not in seen:
                seen.add(target)
                waiting.append(target)
        waiting.sort(key=_promise)
    return reached


def _promise(url: str) -> tuple[bool, bool, int]:
    """Put lists first, then registers and the highest names; other views of a page come last."""
    path, query = urlsplit(url)[2:4]
    is_another_look = bool(query) and not query.startswith("after=")
    is_list = path.startswith(f"/{MEMBERS}/") or "/register/" in path
    return not is_another_look, is_list, -path.replace("http://", "").rstrip("/").count("/")


def _see(client: httpx.Client, url: str) -> Iterator[str]:
    """Return the target of an identifier, which may be on another host."""
    answered = client.head(url, headers={"Accept": "text/turtle, text/html;q=0.5"})
    yield from (answered.headers["Location"],) if "Location" in answered.headers else ()


def _name(uri: str, stack: Stack) -> str | None:
    """Return the identifier of a link, or the one that the link describes or lists; None otherwise."""
    parts = urlsplit(uri)
    if parts.netloc not in {*HOSTS, urlsplit(stack.service).netloc} or parts.path.startswith(_OTHER_FORMATS):
        return None
    for each in _LISTS:
        if parts.path.startswith(each):
            rest = parts.path.removeprefix(each)
            return rest.removeprefix("http:") if rest.startswith("http:") else rest
    if parts.path.startswith(("/uri-", "/info:", "/urn:")) and "." not in parts.path.split("/")[1]:
        return parts.path[1:]
    return f"//{parts.netloc}{parts.path}" if parts.netloc in HOSTS else None


def _target(uri: str, name: str, stack: Stack) -> str:
    """Return the address to request for a link: the stack stands in for every registered host."""
    parts = urlsplit(uri)
    if parts.path.startswith(_LISTS):
        query = f"?{parts.query}" if parts.query else ""
        return f"{stack.service}{parts.path}{query}"
    return f"{stack.service}/{f'{ABOUT}/http:' if name.startswith('//') else ''}{name}"
