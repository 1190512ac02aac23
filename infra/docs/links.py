"""Every link of the documentation leads to a page and a heading of it, or to a file.

The network is not used. Of a foreign address only the syntax is checked. An address of our site or repository
(`[project.urls]` of pyproject.toml) is checked as the file behind it.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from urllib.parse import urlsplit

from infra.docs import FOLDER
from infra.local import ROOT

_FENCED = re.compile(r"^ *(`{3,}).*?^ *\1 *$", re.MULTILINE | re.DOTALL)
_CODE = re.compile(r"(`+)(?!`).*?(?<!`)\1(?!`)", re.DOTALL)
_LINK = re.compile(r"!?\[(?:[^\[\]]|\[[^\]]*\])*\]\((?P<target>[^)\s]+)\)")
_HEADING = re.compile(r"^#{1,6} +(.+?) *$", re.MULTILINE)


def broken(page: Path, folder: Path = FOLDER) -> Iterator[str]:
    """Yield each broken link of a page; a page of the site's folder may link to its pages only."""
    text = _CODE.sub("", _FENCED.sub("", page.read_text(encoding="utf-8")))
    for link in _LINK.finditer(text):
        if not _leads_somewhere(page, folder, link["target"]):
            yield link["target"]


def _leads_somewhere(page: Path, folder: Path, target: str) -> bool:
    address, _, anchor = target.partition("#")
    if re.match(r"[a-z]+:", target):
        found = _ours(address)
        if found is None:
            return _is_well_formed(target)
    else:
        # Pages of the site link to other files of the repository by their addresses there.
        if folder in page.parents and address and folder not in (page.parent / address).resolve().parents:
            return False
        found = (page.parent / address).resolve() if address else page
    return found.exists() and (not anchor or anchor in anchors(found))


@cache
def _addresses() -> tuple[str, str]:
    urls = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["urls"]
    return urls["Documentation"], urls["Source"]


def _ours(address: str) -> Path | None:
    """Return the file behind an address of the site or the repository."""
    site, repository = _addresses()
    shown = re.fullmatch(rf"{re.escape(repository)}/(?:blob|tree|raw)/main/(.*)", address)
    if shown:
        return ROOT / shown[1]
    if address.startswith(site):
        path = address.removeprefix(site).rstrip("/")
        beside = FOLDER / path
        return next(
            (page for page in (beside.with_suffix(".md"), beside / "index.md") if page.is_file()),
            beside / "none",
        )
    return None


def _is_well_formed(target: str) -> bool:
    parts = urlsplit(target)
    return parts.scheme == "mailto" or (parts.scheme in {"http", "https"} and bool(parts.hostname))


@cache
def anchors(page: Path) -> frozenset[str]:
    """Return the anchors of a page, as GitHub and the site name its headings."""
    if page.suffix != ".md":
        return frozenset()
    text = _FENCED.sub("", page.read_text(encoding="utf-8"))
    return frozenset(_slug(heading) for heading in _HEADING.findall(text))


def _slug(heading: str) -> str:
    words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower()
    return re.sub(r"[^\w\- ]", "", words).replace(" ", "-")
