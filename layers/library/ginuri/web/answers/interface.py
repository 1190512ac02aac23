"""The description of all paths, served at `/openapi.json`; people write it in `web/openapi.yaml`."""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib.resources import files


@dataclass(frozen=True, slots=True)
class Interface:
    """The description of all paths is given."""


def write_interface(canonical_host: str) -> bytes:
    """Write the document, in UTF-8, with the host that identifiers are cited on among its servers."""
    document = json.loads(files("ginuri.web").joinpath("openapi.json").read_bytes())
    document["servers"].append({"url": f"http://{canonical_host}/"})
    return json.dumps(document, ensure_ascii=False, indent=1).encode()
