"""Axe-core over the page of every identifier under `examples/`, in one browser."""

from __future__ import annotations

import re
import shutil
from typing import Literal

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import sync_playwright

from tests.example_registry import Descriptions, examples

CHROMIUM = shutil.which("chromium")
AXE_TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
LOOKS: tuple[tuple[Literal["light", "dark"], int], ...] = (("light", 1280), ("dark", 360))
_VIOLATED = f"""axe.run(document, {{runOnly: {AXE_TAGS}, resultTypes: ['violations']}})
  .then(told => told.violations.map(each => each.id))"""
_BREAKS = re.compile(r'<span class="whole">([^<]*)</span>|<wbr>')
_TEXT = re.compile(r">[^<]*[^<\s][^<]*<")
_REPEATED = re.compile(r"(<(tr|li|div|p|dt|dd|a|code)\b[^>]*>(?:(?!<\2\b).)*?</\2>\s*)\1+", re.DOTALL)
_DATA = re.compile(r'\b(href|hreflang|datetime|rel|type)="[^"]+"')


def _skeleton(page: str) -> str:
    """Give what axe judges: elements, languages and labels, any text and any address as good as another."""
    body = re.sub(r"<(head|svg)\b.*?</\1>", "", _BREAKS.sub(r"\1", page), flags=re.DOTALL)
    alike = re.sub(r"\s+", " ", _DATA.sub(r'\1=""', _TEXT.sub(">x<", body)))
    for _ in range(3):  # of rows that are alike, and then of lists of such rows, one is enough
        alike = _REPEATED.sub(r"\1", alike)
    return alike


@pytest.mark.skipif(CHROMIUM is None, reason="Debian's chromium is not installed")
def test_axe_finds_nothing_against_the_page_of_any_example() -> None:
    descriptions = Descriptions(examples())
    pages = {name: descriptions.write("html", name).decode() for name in descriptions.names()}
    # Of pages that differ in nothing but their words, one speaks for all.
    distinct = {_skeleton(page): name for name, page in pages.items()}
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
        for number, name in enumerate(distinct.values()):
            page = looks[number % len(looks)]
            page.set_content(pages[name])
            violated = page.evaluate(_VIOLATED)
            if violated:
                found[name] = violated
        browser.close()

    assert len(pages) > 500
    assert len(distinct) > 50
    assert found == {}
