"""The causes of alarms, with the data points that AWS and the functions emit for each.

A metric is a text: namespace, name, and the values of its dimensions, where a resource is its logical id. A
number is the value of every period; a list has the newest ones. Sources are those of
tests/data/aws_metrics.json.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

Emitted = Mapping[str, float | list[float | None]]

_VISIBLE = "AWS/SQS ApproximateNumberOfMessagesVisible"
_COUNT = "AWS/ApiGateway Count AWS::StackName"
_FAILED = "AWS/ApiGateway 5XXError AWS::StackName"
_LATENCY = "AWS/Lambda Duration ResolveFunction"
_API_THROTTLES = "AWS/Lambda Throttles ApiFunction"
_RESOLVE = "AWS/Lambda Invocations ResolveFunction"
_DESCRIBE = "AWS/Lambda Invocations DescribeFunction"
_PUBLISHED = "ginuri published AWS::StackName"
_TESTS = "ginuri tests_failed AWS::StackName"
_TOKENS_REFUSED = "ginuri tokens_refused AWS::StackName"
_TOKENS_LIMITED = "ginuri tokens_limited AWS::StackName"
_HTTP = "AWS/Route53 HealthCheckStatus HttpProbe"
_HTTPS = "AWS/Route53 HealthCheckStatus HttpsProbe"
_EDGE_FAILED = "AWS/CloudFront 5xxErrorRate DistributionId Global"
_EXPIRY = "AWS/CertificateManager DaysToExpiry CertificateArn"
_PROBES = ("HttpProbeAlarm", "HttpsProbeAlarm")
_UNHEALTHY: Emitted = MappingProxyType({_HTTP: 0, _HTTPS: 0})
_HOUR = None
"""An hour without a run of publish."""

WELL: Emitted = MappingProxyType(
    {
        _COUNT: 100,
        _FAILED: 0,
        _LATENCY: 40,
        _RESOLVE: 70,
        _DESCRIBE: 30,
        "AWS/Lambda Throttles ResolveFunction": 0,
        "AWS/Lambda Throttles DescribeFunction": 0,
        "AWS/Lambda ClaimedAccountConcurrency": 12,
        f"{_VISIBLE} IngestQueue": 0,
        "AWS/SQS ApproximateAgeOfOldestMessage IngestQueue": 0,
        _PUBLISHED: [1, *[_HOUR] * 23],
        _TESTS: [0, *[_HOUR] * 23],
        _EDGE_FAILED: 0,
        _EXPIRY: 200,
        _HTTP: 1,
        _HTTPS: 1,
    }
)
"""A good day. An idle queue and a table without throttles emit nothing."""


@dataclass(frozen=True, slots=True)
class Cause:
    """A state of the system, and the alarms that go off."""

    what: str
    alarms: frozenset[str]
    differences: Emitted = field(default_factory=dict)
    usual: Emitted = field(default_factory=lambda: WELL)

    def emitted(self) -> Emitted:
        """Return the data points of every metric."""
        return {**self.usual, **self.differences}


_NEW: Emitted = MappingProxyType({f"{_VISIBLE} IngestQueue": [0]})

CAUSES = (
    Cause("a good day", frozenset()),
    Cause("nobody asks", frozenset(), {_COUNT: [], _FAILED: [], _LATENCY: [], _RESOLVE: [], _DESCRIBE: []}),
    Cause("one failure at night", frozenset(), {_COUNT: [3], _FAILED: [1], _LATENCY: [2500], _RESOLVE: [3]}),
    Cause("the first minutes of a stack", frozenset(), usual={}),
    Cause("the first hour of a stack", frozenset(), usual=_NEW),
    Cause("the first day of a stack", frozenset(), {f"{_VISIBLE} IngestQueue": [0] * 25}, _NEW),
    Cause(
        "the second day of a stack, without a run",
        frozenset({"PublishMissingAlarm"}),
        {f"{_VISIBLE} IngestQueue": [0] * 26},
        _NEW,
    ),
    Cause("runs ended two days ago", frozenset({"PublishMissingAlarm"}), {_PUBLISHED: [], _TESTS: []}),
    Cause("a run failed, the one before did not", frozenset(), {_PUBLISHED: [1, *[_HOUR] * 25]}),
    Cause("a test fails", frozenset({"TestsFailedAlarm"}), {_TESTS: [2, *[_HOUR] * 20]}),
    Cause("a script goes on with a revoked token", frozenset(), {_TOKENS_REFUSED: 20}),
    Cause("somebody guesses tokens for a minute", frozenset(), {_TOKENS_REFUSED: [4000, None, None]}),
    Cause("somebody guesses tokens", frozenset({"TokensRefusedAlarm"}), {_TOKENS_REFUSED: 4000}),
    Cause("a client is slowed down for some minutes", frozenset(), {_TOKENS_LIMITED: [90, 200, None]}),
    Cause("a client never slows down", frozenset({"TokensLimitedAlarm"}), {_TOKENS_LIMITED: 200}),
    Cause(
        "DynamoDB does not answer",
        frozenset({"UnavailableAlarm", "ServerErrorsAlarm", "LatencyAlarm"}),
        {"ginuri Unavailable AWS::StackName": 40, _FAILED: 40, _LATENCY: 8500},
    ),
    Cause("a function crashes", frozenset({"ServerErrorsAlarm"}), {_FAILED: 5}),
    Cause(
        "a new version fails for a tenth of requests", frozenset({"ServerErrorsAlarm"}), {_FAILED: [10] * 3}
    ),
    Cause(
        "a new version is slow for a tenth", frozenset({"LatencyAlarm"}), {_LATENCY: [40, 3000, 3000, 3000]}
    ),
    Cause(
        # Everybody gets 403.
        "the gateway refuses the edge",
        frozenset({"RefusedAlarm", *_PROBES}),
        {_RESOLVE: [], _DESCRIBE: [], **_UNHEALTHY},
    ),
    Cause("the gateway refuses most requests", frozenset({"RefusedAlarm"}), {_RESOLVE: 30, _DESCRIBE: []}),
    Cause("strangers ask the gateway itself", frozenset(), {_COUNT: 160}),
    Cause(
        # A throttled request is no invocation.
        "Lambda refuses to run functions",
        frozenset({"FunctionThrottlesAlarm", "ServerErrorsAlarm"}),
        {"AWS/Lambda Throttles ResolveFunction": 20, _FAILED: 20, _RESOLVE: 50},
    ),
    Cause("stewards send more than the reserve for a while", frozenset(), {_API_THROTTLES: [3] * 9}),
    Cause(
        "stewards always send more than the reserve", frozenset({"ApiThrottlesAlarm"}), {_API_THROTTLES: 3}
    ),
    Cause(
        "stewards ask more than clients",
        frozenset(),
        {_COUNT: 400, "AWS/Lambda Invocations ApiFunction": 300},
    ),
    Cause(
        "concurrency runs out", frozenset({"ConcurrencyAlarm"}), {"AWS/Lambda ClaimedAccountConcurrency": 900}
    ),
    Cause(
        "a stored file is lost",
        frozenset({"ContentLostAlarm"}),
        {"ginuri ContentLost AWS::StackName": [1, None, None, None]},
    ),
    Cause(
        "the edge does not reach the gateway",
        frozenset({"EdgeErrorsAlarm", *_PROBES}),
        {_COUNT: [], _LATENCY: [], _RESOLVE: [], _DESCRIBE: [], _EDGE_FAILED: 60, **_UNHEALTHY},
    ),
    Cause(
        "the host is not in DNS", frozenset(_PROBES), {_COUNT: 2, _RESOLVE: 2, _DESCRIBE: [], **_UNHEALTHY}
    ),
    Cause("the edge has no certificate for the host", frozenset({"HttpsProbeAlarm"}), {_HTTPS: 0}),
    Cause("the edge redirects http to nowhere", frozenset({"HttpProbeAlarm"}), {_HTTP: 0}),
    Cause("the certificate was not renewed", frozenset({"CertificateAlarm"}), {_EXPIRY: [29]}),
    Cause("the certificate is new", frozenset(), {_EXPIRY: []}),
    *(
        Cause(
            f"the function of the edge has {metric}",
            frozenset({"EdgeFunctionAlarm", "EdgeErrorsAlarm"}),
            {f"AWS/CloudFront {metric} EdgeFunctionName Global": [None, 4, 4], _EDGE_FAILED: 4},
        )
        for metric in ("FunctionExecutionErrors", "FunctionValidationErrors", "FunctionThrottles")
    ),
    Cause(
        "an upload waits",
        frozenset({"OldestUploadAlarm"}),
        {"AWS/SQS ApproximateAgeOfOldestMessage IngestQueue": [3900], f"{_VISIBLE} IngestQueue": 9},
    ),
    *(
        Cause(
            f"an event of {name} failed",
            frozenset({f"{name}DeadLettersAlarm"}),
            {f"{_VISIBLE} {name}DeadLetterQueue": [1]},
        )
        for name in ("Ingest", "Publish", "Resolve", "Describe", "Api")
    ),
    *(
        Cause(
            f"the table refuses {kind}s",
            frozenset({"TableThrottlesAlarm"}),
            {f"AWS/DynamoDB {kind}ThrottleEvents TableInUse": [4] * 3},
        )
        for kind in ("Read", "Write")
    ),
    # The metrics of the table count nothing then.
    *(
        Cause(
            f"the index {index} refuses {kind}s",
            frozenset({"IndexThrottlesAlarm"}),
            {f"AWS/DynamoDB {kind}ThrottleEvents TableInUse {index}": [4] * 3},
        )
        for kind in ("Read", "Write")
        for index in ("near", "members", "collections", "narrower")
    ),
)
