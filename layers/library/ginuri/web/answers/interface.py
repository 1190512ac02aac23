"""The OpenAPI document, served at `/openapi.json`; its source is `web/openapi.yaml`."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files


@dataclass(frozen=True, slots=True)
class Interface:
    """The response is the OpenAPI document."""


@cache
def write_interface(canonical_host: str) -> bytes:
    """Write the document, in UTF-8, with the canonical host among its servers."""
    document = json.loads(files("ginuri.web").joinpath("openapi.json").read_bytes())
    document["servers"].append({"url": f"http://{canonical_host}/"})
    return json.dumps(document, ensure_ascii=False, indent=1).encode()
