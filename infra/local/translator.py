"""SAM's own translator, offline. Its import takes most of a second, so only new templates use it."""

import copy
import logging
from collections.abc import Mapping
from typing import Any

import boto3
from samtranslator.model.exceptions import InvalidDocumentException
from samtranslator.parser.parser import Parser
from samtranslator.translator.translator import Translator
from samtranslator.yaml_helper import yaml_parse

from infra.local.template import CODE_BUCKET, REGION, TemplateInvalid


def translate(template: str, parameters: Mapping[str, str]) -> dict[str, Any]:
    """Return a SAM template with these values as plain CloudFormation. Raises TemplateInvalid."""
    # The translator warns about a feature toggle of AWS's own deployment, which no template can set.
    logging.getLogger("samtranslator").setLevel(logging.ERROR)
    document = _with_code_in_s3(yaml_parse(template))
    session = boto3.Session(region_name=REGION)
    translator = Translator(managed_policy_map={}, sam_parser=Parser(), boto_session=session)
    try:
        expanded: dict[str, Any] = translator.translate(document, parameter_values=dict(parameters))
    except InvalidDocumentException as error:
        raise TemplateInvalid("\n".join(cause.message for cause in error.causes)) from error
    return expanded


def _with_code_in_s3(document: dict[str, Any]) -> dict[str, Any]:
    changed = copy.deepcopy(document)
    owners = [resource.get("Properties", {}) for resource in changed["Resources"].values()]
    owners += changed.get("Globals", {}).values()
    for owner in owners:
        for name in ("CodeUri", "ContentUri"):
            if isinstance(owner.get(name), str):
                owner[name] = f"s3://{CODE_BUCKET}/{owner[name].strip('/')}"
    return changed
