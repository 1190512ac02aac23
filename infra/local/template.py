"""template.yaml as CloudFormation reads it: expanded by SAM's own translator, once."""

import hashlib
import json
import os
import sys
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

REGION = "us-east-1"
ACCOUNT = "123456789012"  # moto's own
CODE_BUCKET = "code"
_HERE = Path(__file__)
EXPANDED = Path(sys.prefix) / "ginuri-local-templates"
"""The folder of expanded templates, each by a digest of all its inputs."""


class TemplateInvalid(ValueError):
    """Raised when SAM's translator refuses the template, with all its mistakes."""


def expand(path: Path, kept: Path = EXPANDED, parameters: Mapping[str, str] | None = None) -> dict[str, Any]:
    """Return the SAM template at `path` as plain CloudFormation, from the folder `kept` if it is there.

    Code is named as after `sam deploy`, in S3: the folder `functions/` is the object `functions` of an
    imaginary bucket `code`; `folder_of` returns the folder. SAM writes the values of `parameters`, or else
    the defaults, into its own resources; all others get their values at creation. Raises FileNotFoundError
    and TemplateInvalid.
    """
    template = path.read_text(encoding="utf-8")
    code = [file.read_text(encoding="utf-8") for file in (_HERE, _HERE.with_name("translator.py"))]
    sources = json.dumps([template, version("aws-sam-translator"), *code, parameters or {}])
    file = kept / f"{hashlib.sha256(sources.encode()).hexdigest()}.json"
    if not file.exists():
        from infra.local.translator import translate

        expanded = json.dumps(translate(template, parameters or {}))
        kept.mkdir(parents=True, exist_ok=True)
        own = file.with_suffix(f".{os.getpid()}")  # another process may expand the same one now
        own.write_text(expanded, encoding="utf-8")
        own.replace(file)
    document: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return document


def folder_of(code: dict[str, str], root: Path) -> Path:
    """Return the folder under `root` behind `code`, a function's Code or a layer's Content."""
    return root / code["S3Key"]


def code_keys(template: dict[str, Any]) -> set[str]:
    """Return the keys in the bucket `code` of the expanded template's functions and layers."""
    properties = [resource.get("Properties", {}) for resource in template["Resources"].values()]
    places = [owner[name] for owner in properties for name in ("Code", "Content") if name in owner]
    return {place["S3Key"] for place in places}
