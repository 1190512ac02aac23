"""Access to the gateway: the used part of the API's resource policy."""

from infra.local.aws.clients import Account
from infra.local.aws.permissions import as_list
from infra.local.cloudformation.completion import TemplateRefused
from infra.local.cloudformation.resources import Resources
from infra.local.cloudformation.secret_references import resolve_all

_POLICY = "x-amazon-apigateway-policy"
_EVERYBODY = {
    "Effect": "Allow",
    "Principal": "*",
    "Action": "execute-api:Invoke",
    "Resource": "execute-api:/*",
}


def read_referers(resources: Resources, account: Account) -> frozenset[str] | None:
    """Return the accepted values of `Referer`; None without a policy.

    Raises TemplateRefused for any other policy.
    """
    [api] = resources.of_kind("AWS::ApiGateway::RestApi")
    policy = api.properties["Body"].get(_POLICY)
    if policy is None:
        return None
    statements = as_list(policy["Statement"])
    conditions = [statement.get("Condition", {}).get("StringEquals", {}) for statement in statements]
    plain = [
        {name: value for name, value in statement.items() if name not in {"Sid", "Condition"}}
        for statement in statements
    ]
    if plain != [_EVERYBODY] or [list(condition) for condition in conditions] != [["aws:Referer"]]:
        raise TemplateRefused(
            "the policy of the API may allow by aws:Referer, and nothing else is built here"
        )
    return frozenset(resolve_all(account, as_list(conditions[0]["aws:Referer"])))
