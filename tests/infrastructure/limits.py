"""The limits of AWS, and the share that the stack uses, computed from the expanded template.

Names that AWS generates count with their greatest length, and so do stack and region.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ginuri.identifiers.grammars.gin import MOST_BYTES
from infra.edge_function import FUNCTION
from infra.local.edge.function import ViewerFunction, ViewerRequest
from tests.infrastructure.stack import FUNCTIONS, Stack, referred

LONGEST_STACK = 25
"""Characters that docs/how-to/deploy.md allows: a longer name would make names of buckets too long."""
PSEUDO_PARAMETERS = {
    "AWS::StackName": "x" * LONGEST_STACK,
    "AWS::Region": "ap-southeast-1",  # none is longer
    "AWS::AccountId": "1" * 12,
    "AWS::Partition": "aws",
    "AWS::URLSuffix": "amazonaws.com",
}
LONGEST_REFERENCE = "x" * 130
"""The length of generated names: the ARN of a queue has 121 characters, 80 of them its name."""
EDGE_HEADERS = 400
"""Bytes of values that CloudFront adds: Via, X-Amz-Cf-Id, X-Forwarded-For, Host, User-Agent."""
SECRET = "x" * 64
LONGEST_PREFERENCE = 500
"""Bytes of each header of preferences beside the longest query; browsers send 150."""


@dataclass(frozen=True)
class Limit:
    """A row of the table: the limited item, its limit, the source at AWS, and the used amount."""

    name: str
    most: int
    source: str
    used: Callable[[Stack], int]

    def percent(self, stack: Stack) -> int:
        """Return the used share, rounded up to tens of percent."""
        return 10 * math.ceil(10 * self.used(stack) / self.most)


def _rendered(value: Any) -> Any:
    """Return a part of the template as AWS gets it, with the longest text for each reference."""
    match value:
        case {"Ref": str(name)}:
            return PSEUDO_PARAMETERS.get(name, LONGEST_REFERENCE)
        case {"Fn::GetAtt": _}:
            return LONGEST_REFERENCE
        case {"Fn::Sub": [str(text), _]} | {"Fn::Sub": str(text)}:
            secret = re.sub(r"\{\{resolve:.*?\}\}(?!\})", SECRET, text)
            return re.sub(
                r"\$\{([^}]+)\}",
                lambda found: PSEUDO_PARAMETERS.get(found[1], LONGEST_REFERENCE),
                secret,
            )
        case dict():
            return {name: _rendered(part) for name, part in value.items()}
        case list():
            return [_rendered(part) for part in value]
        case _:
            return value


def _size(value: Any) -> int:
    """Return the bytes of a document as AWS counts them: without blanks between its tokens."""
    return len(json.dumps(value, separators=(",", ":")))


def _largest(stack: Stack, kind: str, part: Callable[[Mapping[str, Any]], Any]) -> int:
    return max(_size(_rendered(part(properties))) for properties in stack.of_type(kind).values())


def _longest(stack: Stack, kind: str, name: Callable[[Mapping[str, Any]], Any]) -> int:
    return max(len(_rendered(name(properties))) for properties in stack.of_type(kind).values())


def _alias_policy(stack: Stack) -> int:
    sizes = dict.fromkeys(FUNCTIONS, 0)
    for permission in stack.of_type("AWS::Lambda::Permission").values():
        statement = {
            "Sid": "x" * 100,  # the longest
            "Effect": "Allow",
            "Principal": {"Service": permission["Principal"]},
            "Action": permission["Action"],
            "Resource": LONGEST_REFERENCE,
            "Condition": {"ArnLike": {"AWS:SourceArn": _rendered(permission["SourceArn"])}},
        }
        sizes[referred(permission["FunctionName"])] += _size(statement)
    return max(sizes.values())


def _inline_policies(role: Mapping[str, Any]) -> list[Any]:
    return [policy["PolicyDocument"] for policy in role["Policies"]]


def _api_policy(api: Mapping[str, Any]) -> Any:
    return api["Body"]["x-amazon-apigateway-policy"]


def _api_resources(stack: Stack) -> int:
    paths = [route.partition(" ")[2].strip("/").split("/") for route in stack.routes()]
    return len({tuple(path[:depth]) for path in paths for depth in range(len(path) + 1)})


def _distribution(stack: Stack) -> Mapping[str, Any]:
    [distribution] = stack.of_type("AWS::CloudFront::Distribution").values()
    configuration: Mapping[str, Any] = distribution["DistributionConfig"]
    return configuration


def _longest_policy_headers(stack: Stack) -> int:
    cache = stack.of_type("AWS::CloudFront::CachePolicy").values()
    request = stack.of_type("AWS::CloudFront::OriginRequestPolicy").values()
    stated = [
        *(each["CachePolicyConfig"]["ParametersInCacheKeyAndForwardedToOrigin"] for each in cache),
        *(each["OriginRequestPolicyConfig"] for each in request),
    ]
    return max(len(each["HeadersConfig"].get("Headers", ())) for each in stated)


def _dynamic_references(stack: Stack) -> int:
    return json.dumps(stack.template).count("{{resolve:")


def _method_arn(_: Stack) -> int:
    """Return the bytes of the ARN by which the gateway looks up its policy, for the longest name in use."""
    path = f"OPTIONS/members.jsonld/{'x' * MOST_BYTES}"
    region, account = PSEUDO_PARAMETERS["AWS::Region"], PSEUDO_PARAMETERS["AWS::AccountId"]
    return len(f"arn:aws:execute-api:{region}:{account}:{'x' * 10}/live/{path}")


def _request_to_the_gateway(stack: Stack) -> int:
    """Return the bytes of the edge's request for the longest name and query."""
    found = re.search(r"LONGEST_QUERY = (\d+)", FUNCTION.read_text(encoding="utf-8"))
    assert found
    query = "x" * int(found[1])
    path = f"/members.jsonld/{'x' * MOST_BYTES}"
    preferences = [
        (name, "x" * LONGEST_PREFERENCE) for name in ("accept", "accept-language", "accept-profile")
    ]
    sent = ViewerRequest("GET", path, query, (("host", "x" * 253), *preferences))
    headers = dict(ViewerFunction(FUNCTION.read_text(encoding="utf-8"))(sent).headers)
    assert headers["x-ginuri-query"] == query
    origin = _distribution(stack)["Origins"][0]
    own = len(origin["OriginCustomHeaders"]) * len(SECRET) + EDGE_HEADERS
    line = f"OPTIONS {origin['OriginPath']}{path}?{query} HTTP/1.1"
    return len(line) + own + sum(map(len, headers.values()))


IAM = "IAM User Guide, IAM and STS quotas"
CLOUDFORMATION = "CloudFormation User Guide, Understand CloudFormation quotas"
LAMBDA = "Lambda Developer Guide, Lambda quotas"
CLOUDFRONT = "CloudFront Developer Guide, Quotas"
GATEWAY = "API Gateway Developer Guide, Quotas for configuring and running a REST API"
LIMITS = (
    Limit(
        "inline policies of a role",
        10_240,
        IAM,
        lambda stack: _largest(stack, "AWS::IAM::Role", _inline_policies),
    ),
    Limit(
        "trust policy of a role",
        2_048,
        IAM,
        lambda stack: _largest(stack, "AWS::IAM::Role", lambda role: role["AssumeRolePolicyDocument"]),
    ),
    Limit("policy of a function's alias", 20_480, LAMBDA, _alias_policy),
    Limit(
        "environment of a function",
        4_096,
        LAMBDA,
        lambda stack: _largest(
            stack, "AWS::Lambda::Function", lambda function: function["Environment"]["Variables"]
        ),
    ),
    Limit(
        "layers of a function",
        5,
        LAMBDA,
        lambda stack: max(
            len(function["Layers"]) for function in stack.of_type("AWS::Lambda::Function").values()
        ),
    ),
    Limit(
        "policy of a bucket",
        20_480,
        "S3 User Guide, Bucket policies",
        lambda stack: _largest(stack, "AWS::S3::BucketPolicy", lambda policy: policy["PolicyDocument"]),
    ),
    Limit(
        "name of a bucket",
        63,
        "S3 User Guide, Bucket naming rules",
        lambda stack: _longest(stack, "AWS::S3::Bucket", lambda bucket: bucket["BucketName"]),
    ),
    Limit(
        "policy of a queue",
        8_192,
        "SQS Developer Guide, Quotas related to policies",
        lambda stack: _largest(stack, "AWS::SQS::QueuePolicy", lambda policy: policy["PolicyDocument"]),
    ),
    Limit(
        "policy of the API",
        8_192,
        GATEWAY,
        lambda stack: _largest(stack, "AWS::ApiGateway::RestApi", _api_policy),
    ),
    Limit("resources of the API", 300, GATEWAY, _api_resources),
    Limit("request line and header values", 10_240, GATEWAY, _request_to_the_gateway),
    Limit(
        "ARN of a request",
        1_600,
        "API Gateway Developer Guide, Quotas: where resource policies are used",
        _method_arn,
    ),
    Limit("code of the edge's function", 10_240, CLOUDFRONT, lambda _: len(FUNCTION.read_bytes())),
    Limit(
        "name of the edge's function",
        64,
        "CloudFront API Reference, CreateFunction",
        lambda stack: _longest(stack, "AWS::CloudFront::Function", lambda function: function["Name"]),
    ),
    Limit("headers of a policy of the edge", 10, CLOUDFRONT, _longest_policy_headers),
    Limit(
        "name of a log group",
        512,
        "CloudWatch Logs API Reference, CreateLogGroup",
        lambda stack: _longest(stack, "AWS::Logs::LogGroup", lambda group: group["LogGroupName"]),
    ),
    Limit(
        "name of a saved query",
        255,
        "CloudWatch Logs API Reference, PutQueryDefinition",
        lambda stack: _longest(stack, "AWS::Logs::QueryDefinition", lambda query: query["Name"]),
    ),
    Limit(
        "name of the dashboard",
        255,
        "CloudWatch API Reference, PutDashboard",
        lambda stack: _longest(
            stack, "AWS::CloudWatch::Dashboard", lambda dashboard: dashboard["DashboardName"]
        ),
    ),
    Limit(
        "indexes of the table",
        20,
        "DynamoDB Developer Guide, Quotas",
        lambda stack: len(stack.properties("RegistryTable")["GlobalSecondaryIndexes"]),
    ),
    Limit("resources of the stack", 500, CLOUDFORMATION, lambda stack: len(stack.resources)),
    Limit("parameters of the stack", 200, CLOUDFORMATION, lambda stack: len(stack.template["Parameters"])),
    Limit("outputs of the stack", 200, CLOUDFORMATION, lambda stack: len(stack.template["Outputs"])),
    Limit("dynamic references of the stack", 60, CLOUDFORMATION, _dynamic_references),
    Limit("template in S3", 1_000_000, CLOUDFORMATION, lambda stack: _size(stack.template)),
)
