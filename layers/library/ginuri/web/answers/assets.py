"""The outcome of a request for a file that pages load, and its response."""

from __future__ import annotations

from http import HTTPStatus

from ginuri.frozen import Frozen
from ginuri.web.headers import CORS, FRESH_SECONDS, PERMANENT_SECONDS, cache
from ginuri.web.pages.assets import Asset, find_asset
from ginuri.web.response import Response

YEAR_SECONDS = 365 * PERMANENT_SECONDS
"""The seconds that a file is fresh under its own digest."""


class GiveAsset(Frozen):
    """200: a file that pages load."""

    asset: Asset
    is_current: bool
    """Whether the path has the digest of the file."""


class NoSuchAsset(Frozen):
    """404: no page loads such a file."""

    path: str


def decide_asset(path: str) -> GiveAsset | NoSuchAsset:
    """Decide the outcome of a request for a path below `/assets/`."""
    asset = find_asset(path)
    return NoSuchAsset(path) if asset is None else GiveAsset(asset, asset.path == path)


def write_asset(outcome: GiveAsset) -> Response:
    """Write the file; under its own digest it never changes (RFC 8246), under another it is replaced soon."""
    asset = outcome.asset
    lasting = (("Cache-Control", f"max-age={YEAR_SECONDS}, immutable"),)
    kept = lasting if outcome.is_current else cache(FRESH_SECONDS)
    form = (("Content-Type", asset.media_type), ("X-Content-Type-Options", "nosniff"))
    return Response(HTTPStatus.OK, (*form, *kept, *CORS), asset.content)
