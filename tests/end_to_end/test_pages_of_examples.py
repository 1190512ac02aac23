"""Axe-core, in one browser, over pages that show all that the page of any example shows."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator, Mapping
from typing import Literal

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import sync_playwright

from tests.example_registry import Descriptions, examples
from tests.styled import styled

CHROMIUM = shutil.which("chromium")
AXE_TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
LOOKS: tuple[tuple[Literal["light", "dark"], int], ...] = (("light", 1280), ("dark", 360))
_VIOLATED = f"""axe.run(document, {{runOnly: {AXE_TAGS}, resultTypes: ['violations']}})
  .then(told => told.violations.map(each => each.id))"""
_BREAKS = re.compile(r'<span class="whole">([^<]*)</span>|<wbr>')
_TEXT = re.compile(r">[^<]*[^<\s][^<]*<")
_REPEATED = re.compile(r"(<(tr|li|div|p|dt|dd|a|code)\b[^>]*>(?:(?!<\2\b).)*?</\2>\s*)\1+", re.DOTALL)
_DATA = re.compile(r'\b(href|hreflang|datetime|rel|src|type)="[^"]+"')
_TAG = re.compile(r"<(/?)([a-z][a-z0-9]*)([^>]*)>(x?)")
_VOID = {"br", "hr", "img", "input", "link", "meta", "wbr"}


def _skeleton(page: str) -> str:
    """Give what axe judges: elements, languages and labels, any text and any address as good as another."""
    body = re.sub(r"<(head|svg)\b.*?</\1>", "", _BREAKS.sub(r"\1", page), flags=re.DOTALL)
    alike = re.sub(r"\s+", " ", _DATA.sub(r'\1=""', _TEXT.sub(">x<", body)))
    for _ in range(3):  # of rows that are alike, and then of lists of such rows, one is enough
        alike = _REPEATED.sub(r"\1", alike)
    return alike


def _features(skeleton: str) -> Iterator[tuple[str, ...]]:
    """Give each element within what it stands in and after what, then the outline of the headings."""
    within, before, outline = [""], [""], []
    for closing, name, attributes, text in _TAG.findall(skeleton):
        if closing:
            within.pop()
            before.pop()
            yield (*within, before[-1], f"and then {text}")
            continue
        element = f"{name}{attributes}{text}"
        yield (*within, before[-1], element)
        before[-1] = element
        if re.fullmatch("h[1-6]", name):
            outline.append(name)
        if name not in _VOID:
            within.append(f"{name}{attributes}")
            before.append("")
    yield tuple(outline)


def _enough(pages: Mapping[str, str]) -> list[str]:
    """Choose pages, by name, that have every feature of any page among them."""
    by_length = sorted(pages, key=lambda name: len(pages[name]), reverse=True)
    # Of pages that differ in nothing but their words, the shortest speaks for all.
    distinct = {_skeleton(pages[name]): name for name in by_length}
    features = {name: set(_features(skeleton)) for skeleton, name in distinct.items()}
    missing, chosen = set[tuple[str, ...]]().union(*features.values()), list[str]()
    while missing:
        chosen.append(max(features, key=lambda name: len(features[name] & missing) / len(pages[name])))
        missing -= features[chosen[-1]]
    return chosen


@pytest.mark.skipif(CHROMIUM is None, reason="Debian's chromium is not installed")
def test_axe_finds_nothing_against_the_page_of_any_example() -> None:
    descriptions = Descriptions(examples())
    pages = {name: descriptions.write("html", name).decode() for name in descriptions.names()}
    chosen = _enough(pages)
    found: dict[str, list[str]] = {}
    with sync_playwright() as playwright:
        arguments = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=arguments)
        looks = [
            browser.new_page(
                color_scheme=scheme, viewport={"width": width, "height": 800}, reduced_motion="reduce"
            )
            for scheme, width in LOOKS
        ]
        for page in looks:
            page.evaluate(AXE_SCRIPT)  # it outlives the documents that are written into the page
        for number, name in enumerate(chosen):
            page = looks[number % len(looks)]
            page.set_content(styled(pages[name]))
            violated = page.evaluate(_VIOLATED)
            if violated:
                found[name] = violated
        browser.close()

    assert len(pages) > 500
    assert len(chosen) > 30
    assert found == {}
