"""The release of a deployment: a digest of functions, layers and the values of parameters."""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from samtranslator.yaml_helper import yaml_parse

_CODE = {"AWS::Serverless::Function": "CodeUri", "AWS::Serverless::LayerVersion": "ContentUri"}


def read_template(built: Path) -> dict[str, Any]:
    """Read the template that `sam build` left in a folder. Raises FileNotFoundError if there is none."""
    template: dict[str, Any] = yaml_parse((built / "template.yaml").read_text(encoding="utf-8"))
    return template


def compute_release(built: Path, values: Mapping[str, str]) -> str:
    """Return the digest of the built files in the folder `built`, with these values of its parameters.

    Sixty-four hexadecimal digits. The rest of the template is not included: a new alarm makes no new version
    of a function. Raises FileNotFoundError if nothing was built.
    """
    template = read_template(built)
    resources = {
        name: resource for name, resource in template["Resources"].items() if resource["Type"] in _CODE
    }
    folders = [built / owner["Properties"][_CODE[owner["Type"]]] for owner in resources.values()]
    files = {
        file.relative_to(built).as_posix(): hashlib.sha256(file.read_bytes()).hexdigest()
        for folder in folders
        for file in folder.rglob("*")
        if file.is_file()
    }
    stated = {name: value for name, value in values.items() if name != "Release"}
    released = [template.get("Globals"), template.get("Mappings"), resources, files, stated]
    return hashlib.sha256(json.dumps(released, sort_keys=True, default=str).encode()).hexdigest()
