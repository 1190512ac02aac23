"""The stack's one distribution with its policies, its function and its origin, for the local edge."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from infra.local.aws.clients import Account
from infra.local.cloudformation.completion import TemplateRefused
from infra.local.cloudformation.resources import Created, Resources
from infra.local.cloudformation.secret_references import resolve
from infra.local.edge.freshness import Lifetimes
from infra.local.edge.function import Fields

_KIND = "AWS::CloudFront::{}"
# The local edge supports a part of CloudFront: it behaves as these values of the template describe.
_BUILT = {"Compress": False, "ViewerProtocolPolicy": "allow-all"}


@dataclass(frozen=True)
class Distribution:
    """The behaviour of a distribution; names of headers are in lower case."""

    function: str
    """The code of the function of viewer requests."""
    methods: frozenset[str]
    kept_methods: frozenset[str]
    key_headers: tuple[str, ...]
    """The headers of the cache key, beside path and query."""
    sent_headers: frozenset[str]
    """The headers of a request that reach the origin."""
    origin_headers: Fields
    """The headers that the origin gets in place of the client's."""
    lifetimes: Lifetimes
    error_seconds: Mapping[int, int]
    """The shortest time that errors are cached, by status; ten seconds without a value."""
    patience: float
    """The timeout of the origin, in seconds."""


def read_distribution(resources: Resources, account: Account) -> Distribution:
    """Return the distribution of a created stack. Raises TemplateRefused for unsupported settings."""
    [distribution] = resources.of_kind(_KIND.format("Distribution"))
    stated = distribution.properties["DistributionConfig"]
    behaviour, [origin] = stated["DefaultCacheBehavior"], stated["Origins"]
    [stage] = resources.of_kind("AWS::ApiGateway::Stage")
    _check("CacheBehaviors", stated.get("CacheBehaviors", []), [])
    _check("OriginPath", origin["OriginPath"], f"/{stage.properties['StageName']}")
    for name, built in _BUILT.items():
        _check(name, behaviour[name], built)
    [association] = behaviour["FunctionAssociations"]
    _check("EventType", association["EventType"], "viewer-request")
    function = _named(resources, "Function", association["FunctionARN"].rpartition("/")[2])
    kept = _named(resources, "CachePolicy", behaviour["CachePolicyId"]).properties["CachePolicyConfig"]
    sent = _named(resources, "OriginRequestPolicy", behaviour["OriginRequestPolicyId"]).properties[
        "OriginRequestPolicyConfig"
    ]
    key = kept["ParametersInCacheKeyAndForwardedToOrigin"]
    _check("QueryStringBehavior", key["QueryStringsConfig"]["QueryStringBehavior"], "all")
    for policy in (key, sent):
        _check("CookieBehavior", policy["CookiesConfig"]["CookieBehavior"], "none")
        _check("HeaderBehavior", policy["HeadersConfig"]["HeaderBehavior"], "whitelist")
    key_headers = _lower(key)
    return Distribution(
        function=function.properties["FunctionCode"],
        methods=frozenset(behaviour["AllowedMethods"]),
        kept_methods=frozenset(behaviour["CachedMethods"]),
        key_headers=key_headers,
        sent_headers=frozenset({*key_headers, *_lower(sent)}),
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
    return tuple(name.lower() for name in policy["HeadersConfig"]["Headers"])


def _check(name: str, stated: object, built: object) -> None:
    if stated != built:
        raise TemplateRefused(f"{name} of the distribution must be {built!r}: nothing else is built here")
