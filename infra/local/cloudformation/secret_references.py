"""Dynamic references to secrets, which CloudFormation replaces by their values and moto leaves as they are.

`{{resolve:secretsmanager:secret-id:SecretString:json-key:version-stage:version-id}}`, after the user guide of
Secrets Manager, "Get a secret in a CloudFormation resource". Only a whole secret in its current version is
resolved here.
"""

import re

from infra.local.aws.clients import Account
from infra.local.cloudformation.completion import TemplateRefused

_REFERENCE = re.compile(r"\{\{resolve:(?P<service>[^:}]*):(?P<reference>[^}]*)\}\}")
# A name has no colon; an ARN has six (Secrets Manager, "Resource types").
_WHOLE_SECRET = re.compile(r"(?P<id>arn:(?:[^:]*:){5}[^:]+|[^:]+)(?::(?:SecretString)?:*)?")


def resolve(account: Account, text: str) -> str:
    """Return `text` with each reference replaced by the secret's value.

    Raises TemplateRefused for any other dynamic reference, and for a key or a version of a secret.
    """

    def value(found: re.Match[str]) -> str:
        secret = _WHOLE_SECRET.fullmatch(found["reference"])
        if found["service"] != "secretsmanager" or secret is None:
            raise TemplateRefused(f"{found[0]}: only references to a whole secret are resolved here")
        kept = account.client("secretsmanager").get_secret_value(SecretId=secret["id"])
        return str(kept["SecretString"])

    return _REFERENCE.sub(value, text)
