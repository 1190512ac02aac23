"""The assets of pages: a style, a script and images, each under an address with the digest of its content."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib.resources import files

from ginuri.frozen import Frozen
from ginuri.identifiers.service_paths import ASSETS

MEDIA_TYPES = {
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
}
"""The media type of an asset, by its extension."""
_FOLDER = files("ginuri.web.pages").joinpath("assets")
DIGITS = 12


class Asset(Frozen):
    """A file that pages load."""

    name: str
    content: bytes
    digest: str
    """The number of hexadecimal digits of SHA-256: enough to distinguish the editions of a file."""

    @property
    def path(self) -> str:
        """Its address, which changes with its content, so it may be cached for ever."""
        stem, _, extension = self.name.rpartition(".")
        return f"/{ASSETS}/{stem}.{self.digest}.{extension}"

    @property
    def media_type(self) -> str:
        """The media type."""
        return MEDIA_TYPES[self.name.rpartition(".")[2]]


@cache
def read_asset(name: str) -> Asset:
    """Read an asset by name. Raises FileNotFoundError."""
    content = _FOLDER.joinpath(name).read_bytes()
    return Asset(name, content, hashlib.sha256(content).hexdigest()[:DIGITS])


def asset_path(name: str) -> str:
    """Return the path of an asset by name. Raises FileNotFoundError.

    >>> asset_path("style.css").startswith("/assets/style."), asset_path("style.css").endswith(".css")
    (True, True)
    """
    return read_asset(name).path


def find_asset(path: str) -> Asset | None:
    """Return the asset of a path; None if there is none of that name.

    A page from before a change of an asset has the old digest: it gets the current asset.
    """
    stem, _, rest = path.removeprefix(f"/{ASSETS}/").partition(".")
    if stem.startswith("color-"):
        from ginuri.web.pages.colors import find_color

        return find_color(stem) if rest.endswith(".css") else None
    name = f"{stem}.{rest.rpartition('.')[2]}"
    return read_asset(name) if name in _names() else None


@cache
def _names() -> frozenset[str]:
    return frozenset(file.name for file in _FOLDER.iterdir() if file.is_file())
