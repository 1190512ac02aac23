"""A sample of pages with all features of any page, for tools that take long to check a page."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache

from tests.line_breaks import unbroken

_TEXT = re.compile(r">[^<]*[^<\s][^<]*<")
_REPEATED = re.compile(r"(<(tr|li|div|p|dt|dd|a|code)\b[^>]*>(?:(?!<\2\b).)*?</\2>\s*)\1+", re.DOTALL)
_DATA = re.compile(r'\b(href|hreflang|datetime|rel|src|type)="[^"]+"')
_TAG = re.compile(r"<(/?)([a-z][a-z0-9]*)([^>]*)>(x?)")
_VOID = {"br", "hr", "img", "input", "link", "meta", "wbr"}


def _skeleton(page: str) -> str:
    """Return the features that axe checks: elements, languages and labels, without texts and addresses."""
    body = re.sub(r"<(head|svg)\b.*?</\1>", "", unbroken(page), flags=re.DOTALL)
    return _folded(re.sub(r"\s+", " ", _DATA.sub(r'\1=""', _TEXT.sub(">x<", body))))


@cache  # most pages of a registry differ only in their words
def _folded(alike: str) -> str:
    for _ in range(3):  # one of several similar rows, or lists of such rows, is enough
        alike = _REPEATED.sub(r"\1", alike)
    return alike


def _features(skeleton: str) -> Iterator[tuple[str, ...]]:
    """Return each element with its parents and predecessor, then the outline of the headings."""
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


def enough(pages: Mapping[str, str]) -> list[str]:
    """Choose pages, by name, that have every feature of any page among them."""
    by_length = sorted(pages, key=lambda name: len(pages[name]), reverse=True)
    # The shortest of several pages that differ only in their words represents all.
    distinct = {_skeleton(pages[name]): name for name in by_length}
    features = {name: set(_features(skeleton)) for skeleton, name in distinct.items()}
    missing, chosen = set[tuple[str, ...]]().union(*features.values()), list[str]()
    while missing:
        chosen.append(max(features, key=lambda name: len(features[name] & missing) / len(pages[name])))
        missing -= features[chosen[-1]]
    return chosen
