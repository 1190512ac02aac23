"""template.yaml as CloudFormation reads it: expanded by SAM's own translator, offline."""

import copy
import logging
from pathlib import Path
from typing import Any

import boto3
from samtranslator.parser.parser import Parser
from samtranslator.translator.translator import Translator
from samtranslator.yaml_helper import yaml_parse

REGION = "us-east-1"
ACCOUNT = "123456789012"  # moto's own
CODE_BUCKET = "code"


def expand(path: Path) -> dict[str, Any]:
    """Return the SAM template at `path` as plain CloudFormation.

    Code is named as `sam deploy` would have left it, in S3: the folder `functions/` is the object `functions`
    of an imaginary bucket `code`; `folder_of` leads back. Parameters get their values at creation.

    Raises FileNotFoundError, and samtranslator's InvalidDocumentException with every mistake it found.
    """
    # The translator warns about a feature toggle of AWS's own deployment, which no template can set.
    logging.getLogger("samtranslator").setLevel(logging.ERROR)
    document = _with_code_in_s3(yaml_parse(path.read_text(encoding="utf-8")))
    session = boto3.Session(region_name=REGION)
    translator = Translator(managed_policy_map={}, sam_parser=Parser(), boto_session=session)
    expanded: dict[str, Any] = translator.translate(document, parameter_values={})
    return expanded


def folder_of(code: dict[str, str], root: Path) -> Path:
    """Return the folder under `root` that `code`, a function's Code or a layer's Content, was made from."""
    return root / code["S3Key"]


def code_keys(template: dict[str, Any]) -> set[str]:
    """Return the keys in the bucket `code` that the expanded template's functions and layers name."""
    properties = [resource.get("Properties", {}) for resource in template["Resources"].values()]
    places = [owner[name] for owner in properties for name in ("Code", "Content") if name in owner]
    return {place["S3Key"] for place in places}


def _with_code_in_s3(document: dict[str, Any]) -> dict[str, Any]:
    changed = copy.deepcopy(document)
    owners = [resource.get("Properties", {}) for resource in changed["Resources"].values()]
    owners += changed.get("Globals", {}).values()
    for owner in owners:
        for name in ("CodeUri", "ContentUri"):
            if isinstance(owner.get(name), str):
                owner[name] = f"s3://{CODE_BUCKET}/{owner[name].strip('/')}"
    return changed
