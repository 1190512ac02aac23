"""Checks whether a policy allows a call, because moto's own check ignores resources.

Only the elements of our identity policies are supported: Effect, Action and Resource with wildcards, the
prefix of keys that may be listed, the partition keys that may be queried, and the namespace of metrics. Any
other element raises, because ignoring it would give a wrong answer.
"""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from infra.local.aws.calls import Need

_UNDERSTOOD = {"Sid", "Effect", "Action", "Resource", "Condition"}


class UnknownPolicyElement(ValueError):
    """Raised for an element of a policy that the check of permissions does not support."""


@dataclass(frozen=True)
class Statement:
    """One statement of an identity policy."""

    allows: bool
    actions: tuple[str, ...]
    resources: tuple[str, ...]
    listed: tuple[str, ...] | None = None  # the values of `Need.listed`; None without such a condition

    def covers(self, need: Need) -> bool:
        """Return whether the statement applies to `need`. The case of an action does not matter."""
        return (
            any(_matches(action.lower(), need.action.lower()) for action in self.actions)
            and any(_matches(resource, need.resource) for resource in self.resources)
            and self._may_list(need.listed)
        )

    def _may_list(self, listed: str | None) -> bool:
        if self.listed is None:
            return True
        return listed is not None and any(_matches(allowed, listed) for allowed in self.listed)


def read_policy(document: str | Mapping[str, Any]) -> list[Statement]:
    """Return the statements of a policy document.

    Raises UnknownPolicyElement for other conditions and other unsupported elements.
    """
    policy = json.loads(document) if isinstance(document, str) else document
    return [_read_statement(statement) for statement in as_list(policy["Statement"])]


def allowed(statements: Iterable[Statement], need: Need) -> bool:
    """Return whether `need` is allowed: by at least one statement, and denied by none."""
    verdicts = {statement.allows for statement in statements if statement.covers(need)}
    return verdicts == {True}


def as_list(value: Any) -> list[Any]:  # noqa: ANN401 - policies may omit the brackets around one value
    """Return `value` if it is a list, else a list of it."""
    return value if isinstance(value, list) else [value]


def _read_statement(statement: Mapping[str, Any]) -> Statement:
    if unknown := statement.keys() - _UNDERSTOOD:
        raise UnknownPolicyElement(f"a policy uses {', '.join(sorted(unknown))}, which is not judged here")
    return Statement(
        allows=statement["Effect"] == "Allow",
        actions=tuple(as_list(statement["Action"])),
        resources=tuple(as_list(statement["Resource"])),
        listed=_read_condition(statement["Condition"]) if "Condition" in statement else None,
    )


def _read_condition(condition: Mapping[str, Any]) -> tuple[str, ...]:
    match condition:
        case {"StringLike": {"s3:prefix": prefixes, **others}, **more} if not others and not more:
            return tuple(as_list(prefixes))
        case {"StringEquals": {"cloudwatch:namespace": names, **others}, **more} if not others and not more:
            return tuple(as_list(names))
        # Each call has a key, so that "for all" is no wider than "for any".
        case {"ForAllValues:StringLike": {"dynamodb:LeadingKeys": keys, **others}, **more} if (
            not others and not more
        ):
            return tuple(as_list(keys))
    raise UnknownPolicyElement(f"a policy uses the condition {condition}, which is not judged here")


@cache
def _pattern(wildcards: str) -> re.Pattern[str]:
    return re.compile(re.escape(wildcards).replace(r"\*", ".*").replace(r"\?", "."), re.DOTALL)


def _matches(wildcards: str, text: str) -> bool:
    return _pattern(wildcards).fullmatch(text) is not None
