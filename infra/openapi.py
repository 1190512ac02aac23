"""`python -m infra.openapi` writes `openapi.json`, which the service returns, from `openapi.yaml`."""

from __future__ import annotations

import json

import yaml

from infra.local import ROOT

FOLDER = ROOT / "layers" / "library" / "ginuri" / "web"
WRITTEN, SERVED = FOLDER / "openapi.yaml", FOLDER / "openapi.json"


def as_json(document: str) -> str:
    """Write a document in YAML as JSON."""
    return json.dumps(yaml.safe_load(document), ensure_ascii=False, indent=1) + "\n"


if __name__ == "__main__":
    SERVED.write_text(as_json(WRITTEN.read_text(encoding="utf-8")), encoding="utf-8")
