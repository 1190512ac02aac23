"""Dynamic references to secrets, which CloudFormation replaces by their values and moto leaves unchanged.

`{{resolve:secretsmanager:secret-id:SecretString:json-key:version-stage:version-id}}`, after the user guide of
Secrets Manager, "Get a secret in a CloudFormation resource". Only current values are resolved here: a whole
secret, or the value of one key in it.
"""

import json
import re
from typing import Any

from infra.local.aws.clients import Account
from infra.local.cloudformation.completion import TemplateRefused

_REFERENCE = re.compile(r"\{\{resolve:(?P<service>[^:}]*):(?P<reference>[^}]*)\}\}")
# A name has no colon; an ARN has six (Secrets Manager, "Resource types").
_SECRET = re.compile(r"(?P<id>arn:(?:[^:]*:){5}[^:]+|[^:]+)(?::(?:SecretString)?(?::(?P<key>[^:]*):{0,2})?)?")


def resolve(account: Account, text: str) -> str:
    """Return `text` with each reference replaced by the secret's value.

    Raises TemplateRefused for any other dynamic reference, for a version of a secret, and for a missing key.
    """

    def value(found: re.Match[str]) -> str:
        secret = _SECRET.fullmatch(found["reference"])
        if found["service"] != "secretsmanager" or secret is None:
            raise TemplateRefused(
                f"{found[0]}: only references to a secret that is current are resolved here"
            )
        kept = str(account.client("secretsmanager").get_secret_value(SecretId=secret["id"])["SecretString"])
        if not secret["key"]:
            return kept
        try:
            return str(json.loads(kept)[secret["key"]])
        except (ValueError, KeyError) as error:
            raise TemplateRefused(f"{found[0]}: the secret has no such key") from error

    return _REFERENCE.sub(value, text)


def resolve_all(account: Account, value: Any) -> Any:  # noqa: ANN401 - any value of a template
    """Return a value of a template with the references in all its texts replaced. Raises TemplateRefused."""
    match value:
        case str():
            return resolve(account, value)
        case dict():
            return {name: resolve_all(account, member) for name, member in value.items()}
        case list():
            return [resolve_all(account, member) for member in value]
        case _:
            return value
