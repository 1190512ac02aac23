"""Does a page show its image if the image is stored here, and no foreign one?"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from ginuri.memory import MemoryRegistry
from tests.builders import register, stored
from tests.front import Front
from tests.steward import settled

DOC = "uri-gin/azgs/doc/"
MAP, BOUND = f"{DOC}78/", "http://ids.example.org/map/"
PNG, LIMIT = "image/png", 2_000_000


def _previews(front: Front, name: str = MAP) -> list[str]:
    answer = front.ask(f"/about.html/{name}")
    assert answer.status == 200
    page = answer.content.decode()
    return re.findall('<p class="preview"><a href="[^"]*"><img src="([^"]*)"', page)


def _form(part: str | None = "map.png", media_type: str = PNG, length: int = LIMIT) -> dict[str, Any]:
    file = stored(length=length)
    known = {"key": file.key, "version": file.version, "length": length}
    form = {"media_type": media_type, "file": {**known, "sha256": file.sha256, "stored": file.stored}}
    return form | ({"part": part} if part else {})


def test_a_stored_image_is_shown_on_the_page_from_its_own_address(tmp_path: Path) -> None:
    steward = settled()
    steward.upload("uri-gin/azgs/files/icon.png", b"\x89PNG")
    form = {"part": "icon.png", "media_type": PNG, "file": "files/icon.png"}
    line = {"identifier": MAP, "title": "A map", "representations": [form]}
    assert steward.upload("uri-gin/azgs/x.jsonl", json.dumps(line)).refused == {}
    front = Front(steward.memory, tmp_path, steward.content)

    [address] = _previews(front)
    shown = front.ask(address, headers={"Accept": "image/avif,image/webp,*/*;q=0.8"})

    assert (shown.status, shown.headers["Content-Type"], shown.content) == (200, PNG, b"\x89PNG")
    assert "sandbox" in shown.headers["Content-Security-Policy"]
    page = front.ask(f"/about.html/{MAP}").content.decode()
    assert 'loading="lazy" decoding="async" alt="Preview: A map"' in page


SHOWN: Mapping[str, list[dict[str, Any]]] = {
    f"/{MAP}map.jpg": [_form("map.jpg", "image/jpeg")],
    f"/{MAP}map.svg": [_form("map.tif", "image/tiff"), _form("map.svg", "image/svg+xml; charset=utf-8")],
    f"/{MAP}a.webp": [_form("a.webp", "image/webp"), _form("b.png")],
    f"/{MAP}": [_form(None)],
}
NOT_SHOWN: Mapping[str, tuple[str, dict[str, Any]]] = {
    "a format that browsers do not show": (MAP, {"representations": [_form("map.tif", "image/tiff")]}),
    "a page": (MAP, {"representations": [_form("map.html", "text/html")]}),
    "an image elsewhere": (
        MAP,
        {
            "representations": [
                {"part": "map.png", "media_type": PNG, "location": "https://a.example/map.png"}
            ]
        },
    ),
    "a large image": (MAP, {"representations": [_form(length=LIMIT + 1)]}),
    "one of several without an address of its own": (
        MAP,
        {"representations": [_form(None), _form(None, "image/tiff")]},
    ),
    "what is retired": (MAP, {"representations": [_form()], "status": "retired"}),
    "what is withheld": (MAP, {"representations": [_form()], "status": "withheld", "reason": "By order."}),
    "what is bound to another host": (BOUND, {"representations": [_form()]}),
}


@pytest.mark.parametrize("address", SHOWN)
def test_the_first_image_that_a_browser_shows_is_the_preview(address: str, tmp_path: Path) -> None:
    registry = MemoryRegistry()
    register(registry, MAP, title={"en": "A map"}, representations=SHOWN[address])

    assert _previews(Front(registry, tmp_path)) == [address]


@pytest.mark.parametrize("case", NOT_SHOWN)
def test_other_files_have_no_preview(case: str, tmp_path: Path) -> None:
    name, fields = NOT_SHOWN[case]
    registry = MemoryRegistry()
    register(registry, "//ids.example.org/", record="host", title={"en": "A host"})
    register(registry, name.removeprefix("http:"), title={"en": "A map"}, **fields)

    assert _previews(Front(registry, tmp_path), name) == []
