"""Searches the guides by section: every word must be in it, and the last one may be incomplete."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from html import unescape
from importlib.resources import files

from ginuri.frozen import Frozen
from ginuri.web.pages.guides import Guide, list_guides

MOST_FOUND = 20
MOST_CHARACTERS = 200
"""The most characters of a text that is searched for."""
_AROUND = 80
"""The characters of an excerpt before and after the first word."""
_FOLDER = files("ginuri.web.pages").joinpath("guides")
_HEADING = re.compile(r'<h[23] id="([^"]*)">(.*?)</h[23]>', re.DOTALL)
_TITLE = re.compile("<h1.*?</h1>", re.DOTALL)
_TAG = re.compile("<[^>]*>")
_WORD = re.compile(r"\w+")


class Section(Frozen):
    """A section of a guide; its beginning has no anchor."""

    guide: Guide
    anchor: str
    heading: str
    text: str

    @property
    def path(self) -> str:
        """The address of the section."""
        return f"{self.guide.path}#{self.anchor}" if self.anchor else self.guide.path


class GuideMatch(Frozen):
    """A section with the searched words, and an excerpt around the first of them."""

    section: Section
    excerpt: str


def search_guides(text: str) -> Sequence[GuideMatch]:
    """Return the sections with all words: in titles and headings first, then with most occurrences."""
    words = _words(text[:MOST_CHARACTERS])
    if not words:
        return ()
    ranked = sorted(
        ((rank, place) for place, section in enumerate(_sections()) if (rank := _rank(section, words))),
        key=lambda found: (-found[0], found[1]),
    )
    return [
        GuideMatch(section, _cut(section, words))
        for _, place in ranked[:MOST_FOUND]
        for section in (_sections()[place],)
    ]


@cache
def _sections() -> Sequence[Section]:
    return [section for guide in list_guides().values() for section in _split(guide)]


def _split(guide: Guide) -> Iterator[Section]:
    html = _FOLDER.joinpath(f"{guide.name}.html").read_text(encoding="utf-8")
    html = _TITLE.sub("", html)
    anchor, heading, at = "", guide.title, 0
    for found in _HEADING.finditer(html):
        yield Section(guide, anchor, heading, _plain(html[at : found.start()]))
        anchor, heading, at = found[1], _plain(found[2]), found.end()
    yield Section(guide, anchor, heading, _plain(html[at:]))


def _plain(html: str) -> str:
    return " ".join(unescape(_TAG.sub(" ", html)).split())


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())


def _rank(section: Section, words: Sequence[str]) -> int:
    """Return the weight of a section; 0 if it lacks a word."""
    heading, text = section.heading.casefold(), section.text.casefold()
    title = section.guide.title.casefold()
    weight = 0
    for word in words:
        found = re.compile(rf"\b{re.escape(word)}")
        within = len(found.findall(text))
        headed = bool(found.search(heading))
        if not within and not headed:
            return 0
        weight += min(within, 9) + 20 * headed + 5 * bool(found.search(title))
    return weight


def _cut(section: Section, words: Sequence[str]) -> str:
    found = re.search(rf"\b{re.escape(words[0])}", section.text, re.IGNORECASE)
    at = found.start() if found else 0
    first = section.text.rfind(" ", 0, max(at - _AROUND, 0)) + 1 if at > _AROUND else 0
    excerpt = section.text[first : at + _AROUND]
    return f"{'… ' if first else ''}{excerpt}{'…' if at + _AROUND < len(section.text) else ''}"
