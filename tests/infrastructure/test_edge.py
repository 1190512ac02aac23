"""The edge of the template: its function, its cache key, the forwarded headers, its secrets."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from ginuri.registry.budget import MOST_SECONDS, RESERVE
from ginuri.web.headers import PREFLIGHT
from infra.edge_function import FUNCTION, with_function
from infra.local.edge.function import FunctionFailed, ViewerFunction, ViewerRequest
from infra.local.template import expand
from tests.infrastructure.stack import Stack

CODE = FUNCTION.read_text(encoding="utf-8")
BY_THE_EDGE = {"if-modified-since", "if-none-match", "if-range", "range"}
"""Headers that CloudFront evaluates itself with its cache, or forwards (Developer Guide, custom origins)."""
REMOVED = {"x-forwarded-proto", "x-http-method-override", "x-ginuri-edge", "host"}
"""Headers of clients without effect: in no policy, or overwritten."""


@pytest.fixture(scope="module")
def distribution(stack: Stack) -> Mapping[str, Any]:
    [found] = stack.of_type("AWS::CloudFront::Distribution").values()
    configuration: Mapping[str, Any] = found["DistributionConfig"]
    return configuration


@pytest.fixture(scope="module")
def key(stack: Stack) -> Mapping[str, Any]:
    """The headers of the cache key."""
    found = stack.properties("CachePolicy")
    parameters: Mapping[str, Any] = found["CachePolicyConfig"]["ParametersInCacheKeyAndForwardedToOrigin"]
    return parameters


@pytest.fixture(scope="module")
def also_sent(stack: Stack) -> set[str]:
    found = stack.properties("OriginRequestPolicy")
    return {name.lower() for name in found["OriginRequestPolicyConfig"]["HeadersConfig"]["Headers"]}


def _names(key: Mapping[str, Any]) -> set[str]:
    return {name.lower() for name in key["HeadersConfig"]["Headers"]}


def _run(path: str = "/uri-gin/", query: str = "", **headers: str) -> dict[str, str]:
    fields = [("host", "a.example"), *((name.replace("_", "-"), value) for name, value in headers.items())]
    answered = ViewerFunction(CODE)(ViewerRequest("GET", path, query, tuple(fields)))
    return dict(answered.headers)


# The function


def test_the_function_in_the_template_equals_its_file(root: Path, stack: Stack) -> None:
    template = (root / "template.yaml").read_text(encoding="utf-8")
    [function] = stack.of_type("AWS::CloudFront::Function").values()

    assert with_function(template, CODE) == template, "make edge"
    assert function["FunctionCode"] == CODE
    assert function["FunctionConfig"]["Runtime"] == "cloudfront-js-2.0"


@pytest.mark.parametrize(
    ("sent", "written"),
    [
        ("text/html", "text/html"),
        ("TEXT/Html ;Q=0.80 , */*", "*/*,text/html;q=0.8"),
        ("*/*;q=1.000,\ttext/html;q=.8", "*/*,text/html;q=0.8"),
        ("text/html;level=1;a=B;q=.5;x=1", "text/html;a=b;level=1;q=0.5"),
        ("text/html;q=0,text/html;q=0.2", "text/html;q=0.2"),
        ("a/b;q=0.0000001", "a/b;q=0.0000001"),
        ("*/*", None),
        (" , ", None),
        ("*/*;q=0.5", "*/*;q=0.5"),
        ('text/html;level="1"', 'text/html;level="1"'),
        ("text/html;q=high , a/b", "text/html;q=high , a/b"),
        ("B/b , " + "a/b, " * 300, "B/b , " + "a/b, " * 300),
        ("B/b , " + "," * 120, "B/b , " + "," * 120),
        ("B/b , " + "a/b, " * 22, "a/b,b/b"),
        ("B/b , " + "a/b, " * 23, "B/b , " + "a/b, " * 23),
        ("B/b" + ";a=1" * 4, "b/b;a=1"),
        ("B/b" + ";a=1" * 5, "B/b" + ";a=1" * 5),
        ("B/b    , c/d", "B/b    , c/d"),
    ],
)
def test_equal_accept_headers_are_normalized_to_one_spelling(sent: str, written: str | None) -> None:
    assert _run(accept=sent).get("accept") == written


@pytest.mark.parametrize(
    ("sent", "written"),
    [
        ("ES-mx,es;q=0.50, en;q=.4", "en;q=0.4,es;q=0.5,es-mx"),
        ("en;q=0.1;q=0.9", "en;q=0.9"),
        ("*", "*"),
        ("*, *;q=0", "*, *;q=0"),
        ("english-language", "english-language"),
    ],
)
def test_equal_language_headers_are_normalized_to_one_spelling(sent: str, written: str) -> None:
    assert _run(accept_language=sent)["accept-language"] == written


@pytest.mark.parametrize(
    ("sent", "written"),
    [
        ("<http://b.example/>;q=0.5 , <http://A.example/>", "<http://A.example/>,<http://b.example/>"),
        ("<b>, <a>, <b>", "<b>,<a>"),
        ("<a>;q=0", "<a>;q=0"),
        ("<c>;q=0.0, <b>;Q=.1, <a>;q=0, <d>", "<d>,<b>,<a>;q=0,<c>;q=0"),
        ("<a>;q=0, <b>, <a>;q=0.2, <b>;q=0", "<b>,<a>"),
        ("<b>;q=0,<a>;q=0,<b>;q=0", "<a>;q=0,<b>;q=0"),
        (",", None),
    ],
)
def test_wanted_profiles_are_in_order_and_refused_ones_last(sent: str, written: str | None) -> None:
    assert _run(accept_profile=sent).get("accept-profile") == written


@pytest.mark.parametrize("path", ["/explain", "/explain/uri-gin/azgs/"])
def test_paths_that_explain_preferences_get_them_unchanged(path: str) -> None:
    assert _run(path, accept="TEXT/html ")["accept"] == "TEXT/html "
    assert _run("/explained", accept="TEXT/html ")["accept"] == "text/html"


def test_a_header_sent_twice_is_passed_on_twice() -> None:
    twice = (("host", "a.example"), ("accept", "B/b "), ("accept", "a/b"))

    answered = ViewerFunction(CODE)(ViewerRequest("GET", "/", "", twice))

    assert [value for name, value in answered.headers if name == "accept"] == ["B/b ", "a/b"]


def test_the_query_and_the_host_are_passed_on_unchanged() -> None:
    forged = {"x_ginuri_query": "forged=1", "x_ginuri_host": "forged.example"}

    assert _run(query="b=2&a=%31", **forged)["x-ginuri-query"] == "b=2&a=%31"
    assert _run(**forged)["x-ginuri-host"] == "a.example"
    assert "x-ginuri-query" not in _run(**forged)
    assert _run(query="a=" + "x" * 3070, **forged)["x-ginuri-query"] == "a=" + "x" * 3070
    assert "x-ginuri-query" not in _run(query="a=" + "x" * 3071, **forged)


def test_a_request_without_a_host_passes_the_edge() -> None:
    sent = ViewerRequest("GET", "/", "", (("x-ginuri-host", "forged.example"),))

    assert "x-ginuri-host" not in dict(ViewerFunction(CODE)(sent).headers)


def test_an_error_of_the_function_is_an_error() -> None:
    with pytest.raises(FunctionFailed, match="wrong"):
        ViewerFunction("function handler() { throw 'wrong'; }")(ViewerRequest("GET", "/", "", ()))


# Policies


def test_every_header_that_varies_answers_is_in_the_cache_key(root: Path, key: Mapping[str, Any]) -> None:
    varied = {
        name.lower()
        for text in _texts(root)
        for name in re.split(r", *", text)
        if text.startswith("Accept") and all(word.startswith("Accept") for word in re.split(r", *", text))
    }
    assert {"accept", "accept-language", "accept-profile", "accept-datetime"} <= varied
    assert varied - {"accept-post", "accept-ranges"} <= _names(key)


def test_every_header_read_is_part_of_the_key_or_known_harmless(
    root: Path, key: Mapping[str, Any], also_sent: set[str]
) -> None:
    read = set(_headers_read(root))

    assert {"accept", "accept-datetime", "x-ginuri-query", "if-match", "range"} <= read
    assert read <= _names(key) | also_sent | BY_THE_EDGE | REMOVED
    assert _names(key) <= read, "kept apart by what decides nothing"


def test_every_header_announced_by_a_preflight_can_be_sent(
    key: Mapping[str, Any], also_sent: set[str]
) -> None:
    announced = {name.strip().lower() for name in dict(PREFLIGHT)["Access-Control-Allow-Headers"].split(",")}

    assert announced <= _names(key) | also_sent | BY_THE_EDGE


def test_the_cache_key_has_the_whole_query_and_no_cookie(key: Mapping[str, Any]) -> None:
    assert key["QueryStringsConfig"] == {"QueryStringBehavior": "all"}
    assert key["CookiesConfig"] == {"CookieBehavior": "none"}
    assert not key["EnableAcceptEncodingGzip"]
    assert not key["EnableAcceptEncodingBrotli"]


def test_answers_are_cached_a_minute_at_most_and_only_if_allowed(stack: Stack, root: Path) -> None:
    policy = stack.properties("CachePolicy")
    seconds = expand(root / "template.yaml")["Parameters"]["EdgeSeconds"]
    configuration = policy["CachePolicyConfig"]

    assert (configuration["MinTTL"], configuration["DefaultTTL"]) == (0, 0)
    assert configuration["MaxTTL"] == {"Ref": "EdgeSeconds"}
    assert (seconds["Default"], seconds["MaxValue"]) == (60, 60)
    assert seconds["MinValue"] == 1, "a policy that keeps nothing may name no header"


# The distribution


def test_identifiers_are_answered_on_http_and_https_unchanged(
    distribution: Mapping[str, Any],
) -> None:
    behaviour = distribution["DefaultCacheBehavior"]

    assert behaviour["ViewerProtocolPolicy"] == "allow-all"
    assert set(behaviour["AllowedMethods"]) == {"GET", "HEAD", "OPTIONS", "PUT", "PATCH", "POST", "DELETE"}
    assert behaviour["CachedMethods"] == ["GET", "HEAD"]
    assert behaviour["Compress"] is False
    assert (distribution["HttpVersion"], distribution["IPV6Enabled"]) == ("http2and3", True)


def test_the_origin_is_the_stage_of_the_gateway_over_https(
    distribution: Mapping[str, Any], stack: Stack
) -> None:
    [stage] = stack.of_type("AWS::ApiGateway::Stage").values()

    for origin in distribution["Origins"]:
        assert origin["OriginPath"] == f"/{stage['StageName']}"
        assert origin["CustomOriginConfig"]["OriginProtocolPolicy"] == "https-only"


@pytest.mark.parametrize(
    ("function", "place"), [("ResolveFunction", 0), ("DescribeFunction", 0), ("ApiFunction", 1)]
)
def test_the_edge_waits_once_and_longer_than_a_function_may_take(
    distribution: Mapping[str, Any], stack: Stack, function: str, place: int
) -> None:
    origin = distribution["Origins"][place]

    assert origin["ConnectionAttempts"] == 1
    assert origin["CustomOriginConfig"]["OriginReadTimeout"] > stack.properties(function)["Timeout"]


def test_the_edge_waits_for_a_cold_start_and_the_budget(
    distribution: Mapping[str, Any],
) -> None:
    origin = distribution["Origins"][0]
    cold_start = 2

    waits = origin["CustomOriginConfig"]["OriginReadTimeout"]

    assert waits >= cold_start + MOST_SECONDS + RESERVE


def test_errors_are_cached_only_as_their_headers_allow(distribution: Mapping[str, Any]) -> None:
    kept = {each["ErrorCode"]: each["ErrorCachingMinTTL"] for each in distribution["CustomErrorResponses"]}

    assert kept == dict.fromkeys([400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504], 0)


def test_a_first_deployment_needs_no_domain(distribution: Mapping[str, Any], root: Path) -> None:
    template = expand(root / "template.yaml")
    records = [
        resource
        for resource in template["Resources"].values()
        if resource["Type"] == "AWS::Route53::RecordSet"
    ]

    assert {
        template["Parameters"][name]["Default"] for name in ("HostNames", "CertificateArn", "HostedZoneId")
    } == {"none"}
    assert (
        distribution["Aliases"]["Fn::If"][0] == distribution["ViewerCertificate"]["Fn::If"][0] == "HasHosts"
    )
    assert [record["Condition"] for record in records] == ["HasZone", "HasZone"]


def test_global_names_include_the_region(stack: Stack) -> None:
    for kind in ("CachePolicy", "OriginRequestPolicy", "Function"):
        for properties in stack.of_type(f"AWS::CloudFront::{kind}").values():
            name = properties.get("Name") or properties[f"{kind}Config"]["Name"]
            assert name["Fn::Sub"].removesuffix("-api") == "${AWS::StackName}-${AWS::Region}"


def test_requests_with_tokens_are_forwarded_only_by_https_and_never_cached(
    distribution: Mapping[str, Any], stack: Stack
) -> None:
    condition, [behaviour], _ = distribution["CacheBehaviors"]["Fn::If"]
    cached = stack.properties("ApiCachePolicy")["CachePolicyConfig"]
    sent = stack.properties("ApiOriginRequestPolicy")["OriginRequestPolicyConfig"]["HeadersConfig"]

    assert (condition, behaviour["PathPattern"]) == ("HasApi", "/api/*")
    assert behaviour["ViewerProtocolPolicy"] == "https-only"
    assert (cached["MinTTL"], cached["DefaultTTL"], cached["MaxTTL"]) == (0, 0, 0)
    assert sent["HeaderBehavior"] == "allExcept"  # CloudFront forwards Authorization only so, or in the key
    assert "Authorization" not in sent["Headers"]


# The secrets


def test_the_gateway_answers_only_the_edge(stack: Stack) -> None:
    [api] = stack.of_type("AWS::ApiGateway::RestApi").values()
    [statement] = api["Body"]["x-amazon-apigateway-policy"]["Statement"]

    assert (statement["Effect"], statement["Principal"]) == ("Allow", "*")
    assert list(statement["Condition"]) == ["StringEquals"]
    assert list(statement["Condition"]["StringEquals"]) == ["aws:Referer"]
    assert [_secret(value) for value in statement["Condition"]["StringEquals"]["aws:Referer"]] == [
        "FirstEdgeSecret",
        "SecondEdgeSecret",
    ]


def test_the_edge_sends_one_secret_to_the_gateway_and_to_the_functions(
    distribution: Mapping[str, Any],
) -> None:
    for origin in distribution["Origins"]:
        assert [each["HeaderName"] for each in origin["OriginCustomHeaders"]] == ["Referer", "X-Ginuri-Edge"]
    sent = (header for origin in distribution["Origins"] for header in origin["OriginCustomHeaders"])
    values = [header["HeaderValue"] for header in sent]
    for value in values:
        condition, first, second = value["Fn::If"]
        assert (condition, _secret(first), _secret(second)) == (
            "SendsFirst",
            "FirstEdgeSecret",
            "SecondEdgeSecret",
        )


def test_rotation_never_replaces_a_secret_in_use(root: Path) -> None:
    template = expand(root / "template.yaml")
    steps = list(template["Mappings"]["SecretGenerations"].values())
    parameter = template["Parameters"]["SecretGeneration"]

    assert parameter["AllowedValues"] == list(template["Mappings"]["SecretGenerations"])
    for before, after in zip(steps, [*steps[1:], steps[0]], strict=True):
        anew = {name.lower() for name in ("First", "Second") if before[name] != after[name]}
        assert not anew & {before["Sent"], after["Sent"]}
        assert (before["Sent"] != after["Sent"]) != bool(anew), "one thing at a time"
    assert {step["Sent"] for step in steps[::2]} == {"first", "second"}, "two steps replace what is sent"


def test_a_changed_generation_is_a_new_deployment_of_the_gateway(root: Path) -> None:
    deployments = [
        {
            name
            for name, resource in expand(root / "template.yaml", parameters={"SecretGeneration": generation})[
                "Resources"
            ].items()
            if resource["Type"] == "AWS::ApiGateway::Deployment"
        }
        for generation in ("1", "2")
    ]

    assert deployments[0] != deployments[1]


def _secret(reference: Mapping[str, Any]) -> str:
    text, keys = reference["Fn::Sub"]
    found = re.fullmatch(r"\{\{resolve:secretsmanager:\$\{(\w+)\}:SecretString:\$\{Key\}\}\}", text)
    assert found, text
    assert f"{keys['Key']['Fn::FindInMap'][2]}EdgeSecret" == found[1]
    return found[1]


def _sources(root: Path) -> Iterator[ast.AST]:
    for folder in ("layers/library/ginuri/web", "functions"):
        for path in sorted((root / folder).rglob("*.py")):
            yield from ast.walk(ast.parse(path.read_text(encoding="utf-8")))


def _texts(root: Path) -> Iterator[str]:
    for node in _sources(root):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def _headers_read(root: Path) -> Iterator[str]:
    """Yield the names of request headers, in lower case, that the code names anywhere."""
    known = re.compile(r"(?:accept(?:-\w+)?|cloudfront(?:-\w+)+|if(?:-\w+)+|range|host|x(?:-\w+)+)")
    for text in _texts(root):
        if known.fullmatch(text) and text != "x":
            yield text
