"""The OpenAPI document, served at `/openapi.json`; its source is `web/openapi.yaml`."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files

from ginuri.frozen import Frozen


class Interface(Frozen):
    """The OpenAPI document is sent."""


@cache
def write_interface(canonical_host: str) -> bytes:
    """Write the document in UTF-8, with the canonical host as a server."""
    document = json.loads(files("ginuri.web").joinpath("openapi.json").read_bytes())
    document["servers"].append({"url": f"http://{canonical_host}/"})
    return json.dumps(document, ensure_ascii=False, indent=1).encode()
