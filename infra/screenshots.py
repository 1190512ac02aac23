"""`make screenshots`: pictures of the pages of the examples, taken from the whole local stack."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal
from urllib.parse import urlsplit

from playwright.sync_api import Browser, sync_playwright

from infra.local import EXAMPLES, ROOT
from infra.local.schedule import publish
from infra.local.stack import Options, local_stack
from infra.local.uploads import upload_folder

FOLDER = ROOT / "docs" / "screenshots"
PHONE, DESK = 360, 1280
"""Widths in CSS pixels."""
_HOST = "resources.usgin.org"
_HEIGHTS = {PHONE: 760, DESK: 900}


@dataclass(frozen=True, slots=True)
class Shot:
    """One picture of the upper part of a page."""

    name: str
    path: str
    width: int = DESK
    scheme: Literal["light", "dark"] = "light"
    language: str = "en"


SHOTS = (
    Shot("front", "/"),
    Shot("explanation", "/explain/uri-gin/azgs/doc/map/DGM37-HuachucaMountainNv1.1/?Accept=*/*"),
    Shot("map", "/about/uri-gin/azgs/doc/map/DGM37-HuachucaMountainNv1.1/"),
    Shot("map-in-spanish", "/about/uri-gin/azgs/doc/map/DGM37-HuachucaMountainNv1.1/", PHONE, language="es"),
    Shot("authority", "/about/uri-gin/azgs/", scheme="dark"),
    Shot("unknown", "/about/uri-gin/azgs/doc/map/DGM37-HuachucaMountain/"),
)


def shoot(browser: Browser, service: str, shots: tuple[Shot, ...], folder: Path) -> None:
    """Write a PNG of each page into a folder, with scripts off."""
    folder.mkdir(parents=True, exist_ok=True)
    for shot in shots:
        with (
            browser.new_context(
                java_script_enabled=False,
                color_scheme=shot.scheme,
                locale=shot.language,
                viewport={"width": shot.width, "height": _HEIGHTS[shot.width]},
            ) as context,
            context.new_page() as page,
        ):
            page.goto(service + shot.path)
            page.screenshot(path=folder / f"{shot.name}.png")


def _map(service: str) -> str:
    return f"--host-resolver-rules=MAP {_HOST} {urlsplit(service).netloc}"


def main() -> None:
    """Start the stack with the examples and write all pictures."""
    with (
        TemporaryDirectory() as logs,
        local_stack(Options(logs=Path(logs))) as stack,
        sync_playwright() as playwright,
        # The examples are on a host of their own.
        playwright.chromium.launch(
            executable_path=shutil.which("chromium"),
            args=["--no-sandbox", "--disable-gpu", _map(stack.service)],
        ) as browser,
    ):
        upload_folder(stack, EXAMPLES, EXAMPLES, print)
        publish(stack, print)
        shoot(browser, f"http://{_HOST}", SHOTS, FOLDER)


if __name__ == "__main__":
    main()
