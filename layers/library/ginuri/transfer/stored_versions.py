"""The versions of stored files within the texts of items: a bucket gives each file a version of its own."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

from ginuri.registry.transfer import Item

# The fields of a StoredFile are in this order. Within a value, quotes are escaped.
_STORED_FILE = re.compile(
    r'(?P<before>\{"key":(?P<key>"(?:[^"\\]|\\.)*"),"version":)(?P<version>"(?:[^"\\]|\\.)*")'
    r'(?=,"length":\d+,"sha256":"[0-9a-f]{64}","stored":")'
)
_MARK = '"sha256":'
_TEXTS = ("body", "stamps")

VersionMap = Mapping[tuple[str, str], str]
"""The new versions of stored files, by key and former version."""


def replace_versions(item: Item, versions: VersionMap) -> Item:
    """Return an item whose stored files have their new versions; unknown ones stay."""

    def replace(found: re.Match[str]) -> str:
        former: str = json.loads(found["version"])
        version = versions.get((json.loads(found["key"]), former), former)
        return found["before"] + json.dumps(version, ensure_ascii=False)

    replaced = {
        name: _STORED_FILE.sub(replace, text)
        for name in _TEXTS
        if versions and _MARK in (text := item.get(name, ""))
    }
    return {**item, **replaced} if replaced else item


def without_versions(text: str) -> str:
    r"""Return a text whose stored files have no version, for comparisons.

    >>> file = '{"key":"a","version":"v1","length":2,"sha256":"%s","stored":"2011"}' % ("0" * 64)
    >>> without_versions(file).partition(",\"length")[0]
    '{"key":"a","version":""'
    """
    return _STORED_FILE.sub(r'\g<before>""', text) if _MARK in text else text
