"""From `/` down to every identifier under `examples/`, by nothing but the links in what was given."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from html import unescape
from typing import Any
from urllib.parse import urljoin, urlsplit

import httpx
import pytest

from ginuri.core.service_paths import ABOUT, MEMBERS
from infra.local import ROOT
from infra.local.stack import Stack
from tests.builders import read_links
from tests.end_to_end.expectations import Examples

EXAMPLES = Examples(ROOT / "examples")
# All but the host itself, where they begin, and the one that three rows contradict each other about.
NAMES = {name for name, row in EXAMPLES.rows.items() if "//" not in name and len(row.titles) == 1}
HOSTS = {"resources.usgin.org", "stategeothermaldata.org"}
_HREF = re.compile(r'\shref="([^"]*)"')
_OURS = (f"/{ABOUT}/", f"/{MEMBERS}/", "/uri-gin/", "/info:")


def _in_html(body: str) -> Iterator[str]:
    return (unescape(href) for href in _HREF.findall(body))


def _in_json_ld(body: str) -> Iterator[str]:
    def walk(value: Any) -> Iterator[str]:
        if isinstance(value, dict):
            yield from ([value["@id"]] if "@id" in value else [])
            for name, each in value.items():
                yield from () if name == "@context" else walk(each)
        elif isinstance(value, list):
            for each in value:
                yield from walk(each)

    return walk(json.loads(body))


@pytest.mark.parametrize(("accept", "read"), [("text/html", _in_html), ("application/ld+json", _in_json_ld)])
def test_who_starts_at_the_host_reaches_every_example_by_links_alone(
    stack: Stack, accept: str, read: Callable[[str], Iterator[str]]
) -> None:
    with httpx.Client(base_url=stack.service, headers={"Accept": accept}, timeout=30) as client:
        reached = _walk(client, stack, read)

        assert NAMES - reached == set()
        for name in sorted(NAMES)[::25]:
            assert client.get(f"/{ABOUT}/{name}").status_code == 200


def test_who_starts_at_any_example_reaches_the_host_by_the_relation_up(stack: Stack) -> None:
    with httpx.Client(base_url=stack.service, headers={"Accept": "text/html"}, timeout=30) as client:
        for name in sorted(NAMES)[::25]:
            path, steps = f"/{ABOUT}/{name}", 0
            while path != "/":
                answered = client.get(path)
                assert answered.status_code == 200
                [path] = [
                    each["href"] for each in read_links(answered.headers["Link"]) if each["rel"] == "up"
                ]
                steps += 1
                assert steps < 10, name


def _walk(client: httpx.Client, stack: Stack, read: Callable[[str], Iterator[str]]) -> set[str]:
    """Follow links, lists first, until there is nothing left to reach; give what was linked to."""
    waiting, seen, reached = ["/"], {"/"}, set[str]()
    while waiting and NAMES - reached:
        path = waiting.pop()
        answered = client.get(path)
        accept = client.headers["Accept"]
        is_readable = answered.status_code == 200 and answered.headers["Content-Type"].startswith(accept)
        leads_to = answered.headers.get("Location")
        for link in (leads_to,) if leads_to else read(answered.text) if is_readable else ():
            target = _path(urljoin(f"{stack.service}{path}", link), stack)
            if target is None or target in seen:
                continue
            seen.add(target)
            reached.add(target.removeprefix(f"/{ABOUT}").removeprefix("/"))
            waiting.append(target)
        waiting.sort(key=lambda each: each.startswith(f"/{MEMBERS}/"))
    return reached


def _path(uri: str, stack: Stack) -> str | None:
    """Give the path of an identifier, a description or a list of ours; None for anything else."""
    parts = urlsplit(uri)
    ours = {*HOSTS, urlsplit(stack.service).netloc}
    if parts.netloc not in ours or not parts.path.startswith(_OURS):
        return None
    return f"{parts.path}?{parts.query}" if parts.query else parts.path
