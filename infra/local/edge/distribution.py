"""The stack's one distribution with its policies, its function and its origin, for the local edge."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from infra.local.aws.clients import Account
from infra.local.cloudformation.completion import TemplateRefused
from infra.local.cloudformation.resources import Created, Resources
from infra.local.cloudformation.secret_references import resolve
from infra.local.edge.freshness import Lifetimes
from infra.local.edge.function import Fields

_KIND = "AWS::CloudFront::{}"
# The local edge supports a part of CloudFront: it behaves as these values of the template describe.
_BUILT: Mapping[str, Sequence[object]] = {
    "Compress": [False],
    "ViewerProtocolPolicy": ["allow-all", "https-only"],  # there is only http here
}


@dataclass(frozen=True)
class AllBut:
    """All headers but some."""

    names: frozenset[str]

    def __contains__(self, name: object) -> bool:
        """Return whether a header is among them."""
        return name not in self.names


@dataclass(frozen=True)
class Distribution:
    """One behaviour of a distribution; names of headers are in lower case."""

    function: str
    """The code of the function of viewer requests."""
    methods: frozenset[str]
    kept_methods: frozenset[str]
    key_headers: tuple[str, ...]
    """The headers of the cache key, beside path and query."""
    sent_headers: frozenset[str] | AllBut
    """The headers of a request that reach the origin."""
    origin_headers: Fields
    """The headers that the origin gets in place of the client's."""
    lifetimes: Lifetimes
    error_seconds: Mapping[int, int]
    """The shortest time that errors are cached, by status; ten seconds without a value."""
    patience: float
    """The timeout of the origin, in seconds."""
    others: tuple[tuple[str, Distribution], ...] = ()
    """The other behaviours of the distribution, by the beginnings of their paths."""


def read_distribution(resources: Resources, account: Account) -> Distribution:
    """Return the distribution of a created stack. Raises TemplateRefused for unsupported settings."""
    [distribution] = resources.of_kind(_KIND.format("Distribution"))
    stated = distribution.properties["DistributionConfig"]
    [stage] = resources.of_kind("AWS::ApiGateway::Stage")
    for origin in stated["Origins"]:
        _check("OriginPath", origin["OriginPath"], [f"/{stage.properties['StageName']}"])
    others = tuple(
        (_beginning(behaviour["PathPattern"]), _read_behaviour(behaviour, stated, resources, account))
        for behaviour in stated.get("CacheBehaviors", [])
    )
    return replace(_read_behaviour(stated["DefaultCacheBehavior"], stated, resources, account), others=others)


def _beginning(pattern: str) -> str:
    if not pattern.endswith("/*") or "*" in pattern[:-1] or "?" in pattern:
        raise TemplateRefused(f"PathPattern {pattern}: only one that ends in /* is built here")
    return pattern[:-1]


def _read_behaviour(
    behaviour: Mapping[str, Any], stated: Mapping[str, Any], resources: Resources, account: Account
) -> Distribution:
    for name, built in _BUILT.items():
        _check(name, behaviour[name], built)
    [origin] = [each for each in stated["Origins"] if each["Id"] == behaviour["TargetOriginId"]]
    [association] = behaviour["FunctionAssociations"]
    _check("EventType", association["EventType"], ["viewer-request"])
    function = _named(resources, "Function", association["FunctionARN"].rpartition("/")[2])
    kept = _named(resources, "CachePolicy", behaviour["CachePolicyId"]).properties["CachePolicyConfig"]
    sent = _named(resources, "OriginRequestPolicy", behaviour["OriginRequestPolicyId"]).properties[
        "OriginRequestPolicyConfig"
    ]
    key = kept["ParametersInCacheKeyAndForwardedToOrigin"]
    queries = {policy["QueryStringsConfig"]["QueryStringBehavior"] for policy in (key, sent)}
    _check("QueryStringBehavior", queries, [{"all", "none"}])
    for policy in (key, sent):
        _check("CookieBehavior", policy["CookiesConfig"]["CookieBehavior"], ["none"])
    _check("HeaderBehavior", key["HeadersConfig"]["HeaderBehavior"], ["whitelist", "none"])
    _check("HeaderBehavior", sent["HeadersConfig"]["HeaderBehavior"], ["whitelist", "allExcept"])
    key_headers, others = _lower(key), frozenset(_lower(sent))
    is_all = sent["HeadersConfig"]["HeaderBehavior"] == "allExcept"
    return Distribution(
        function=function.properties["FunctionCode"],
        methods=frozenset(behaviour["AllowedMethods"]),
        kept_methods=frozenset(behaviour["CachedMethods"]),
        key_headers=key_headers,
        sent_headers=AllBut(others) if is_all else frozenset({*key_headers, *others}),
        origin_headers=tuple(
            (header["HeaderName"].lower(), resolve(account, header["HeaderValue"]))
            for header in origin["OriginCustomHeaders"]
        ),
        lifetimes=Lifetimes(int(kept["MinTTL"]), int(kept["DefaultTTL"]), int(kept["MaxTTL"])),
        error_seconds={
            int(response["ErrorCode"]): int(response["ErrorCachingMinTTL"])
            for response in stated["CustomErrorResponses"]
        },
        patience=float(origin["CustomOriginConfig"]["OriginReadTimeout"]),
    )


def _named(resources: Resources, kind: str, physical_id: str) -> Created:
    return next(
        created for created in resources.of_kind(_KIND.format(kind)) if created.physical_id == physical_id
    )


def _lower(policy: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(name.lower() for name in policy["HeadersConfig"].get("Headers", ()))


def _check(name: str, stated: object, built: Sequence[object]) -> None:
    if stated not in built:
        options = " or ".join(map(repr, built))
        raise TemplateRefused(f"{name} of the distribution must be {options}: nothing else is built here")
