"""The list of types and properties that moto cannot create or silently drops, with their substitutes.

Every type and property of the template must be listed; `missing_types.check` fails for one that is not, or if
moto has learnt a type that is listed as missing. Reasons are for people: reconsider them first when something
works here and not in AWS.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from infra.local.cloudformation import completion
from infra.local.cloudformation.completion import Complete
from infra.local.template import ACCOUNT, REGION


@dataclass(frozen=True)
class Gap:
    """The handling of one type's properties; `instead` is set if moto cannot create the type at all."""

    kept: frozenset[str] = frozenset()  # by moto, from the template
    completed: Mapping[str, Complete] = field(default_factory=dict)  # set after creation
    left_out: Mapping[str, str] = field(default_factory=dict)  # and the reason
    instead: str = ""  # the substitute for the resource
    refused: str = ""  # the reason not to use moto although it knows the type
    forced: Mapping[str, bool] = field(default_factory=dict)  # the value for moto in place of the template's
    attributes: Mapping[str, str] = field(
        default_factory=dict
    )  # attributes of a resource unknown to moto, with {Property} for its properties; {name}: its logical id
    reference: str = (
        ""  # the Ref of such a resource, with {Property} for its properties; empty for the logical id
    )

    def known(self) -> set[str]:
        """Return the listed properties."""
        return {*self.kept, *self.completed, *self.left_out, *self.forced}


def _kept(*names: str) -> frozenset[str]:
    return frozenset(names)


_ARTEFACT = "says how code is built and where it runs; here it runs under this machine's Python"

_EDGE = "edge/distribution.py reads it"

GAPS: dict[str, Gap] = {
    "AWS::ApiGateway::Deployment": Gap(
        instead="front_door.py",
        refused="moto wants a deployed API to have methods, and drops those that stand in its Body",
        left_out=dict.fromkeys(("RestApiId", "Description", "StageName"), "the gateway serves one API"),
    ),
    "AWS::ApiGateway::RestApi": Gap(
        kept=_kept("Name", "Description", "EndpointConfiguration"),
        left_out={
            "Body": "moto has no gateway of use: front_door.py takes its routes and its policy from it",
            "BinaryMediaTypes": "routes.py refuses anything but */*",
            "Parameters": "carries the type of the endpoint a second time",
        },
    ),
    "AWS::ApiGateway::Stage": Gap(
        instead="front_door.py, whose events carry its name",
        left_out={
            **dict.fromkeys(("StageName", "RestApiId", "DeploymentId"), "the gateway serves one stage"),
            "MethodSettings": "the gateway here takes as many requests as come",
        },
    ),
    "AWS::CloudFront::CachePolicy": Gap(instead="edge/edge.py", left_out={"CachePolicyConfig": _EDGE}),
    "AWS::CloudFront::Distribution": Gap(
        instead="edge/edge.py",
        left_out={"DistributionConfig": _EDGE},
        attributes={"DomainName": "{name}.cloudfront.net"},
    ),
    "AWS::CloudFront::Function": Gap(
        instead="edge/function.py",
        left_out={
            "FunctionCode": _EDGE,
            "FunctionConfig": _EDGE,
            "Name": "nothing else asks for it here",
            "AutoPublish": "the code that is written is the code that runs",
        },
        attributes={"FunctionARN": f"arn:aws:cloudfront::{ACCOUNT}:function/{{name}}"},
    ),
    "AWS::CloudFront::OriginRequestPolicy": Gap(
        instead="edge/edge.py", left_out={"OriginRequestPolicyConfig": _EDGE}
    ),
    "AWS::CloudWatch::Alarm": Gap(
        instead="nobody: there are no metrics here that could breach",
        left_out=dict.fromkeys(
            (
                *(
                    "AlarmActions",
                    "AlarmDescription",
                    "ComparisonOperator",
                    "DatapointsToAlarm",
                    "Dimensions",
                ),
                *("EvaluateLowSampleCountPercentile", "EvaluationPeriods", "ExtendedStatistic", "MetricName"),
                *(
                    "Metrics",
                    "Namespace",
                    "OKActions",
                    "Period",
                    "Statistic",
                    "Threshold",
                    "TreatMissingData",
                ),
            ),
            "test_alarms.py reads the template",
        ),
    ),
    "AWS::CloudWatch::Dashboard": Gap(kept=_kept("DashboardName", "DashboardBody")),
    "AWS::DynamoDB::Table": Gap(
        kept=_kept("AttributeDefinitions", "BillingMode", "KeySchema")
        | _kept("DeletionProtectionEnabled", "GlobalSecondaryIndexes"),
        completed={"PointInTimeRecoverySpecification": completion.recover},
        left_out={"TimeToLiveSpecification": "moto expires nothing"},
    ),
    # moto stores a rule and never runs it: schedule.py does, after new uploads.
    "AWS::Events::Rule": Gap(kept=_kept("ScheduleExpression", "Targets")),
    "AWS::IAM::Role": Gap(
        kept=_kept("AssumeRolePolicyDocument"),
        completed={"Policies": completion.grant},  # moto keeps them in Python's notation, which is no JSON
    ),
    "AWS::Lambda::Alias": Gap(
        instead="the function itself: one version runs here",
        left_out=dict.fromkeys(("FunctionName", "FunctionVersion", "Name"), "one version runs"),
        reference=f"arn:aws:lambda:{REGION}:{ACCOUNT}:function:{{FunctionName}}",
    ),
    "AWS::Lambda::EventSourceMapping": Gap(
        kept=_kept("BatchSize", "EventSourceArn", "FunctionName", "FunctionResponseTypes"),
        # moto deletes messages even when every record failed: event_source.py polls in its place.
        forced={"Enabled": False},
        left_out={"ScalingConfig": "event_source.py hands over one batch after the other"},
    ),
    "AWS::Lambda::Function": Gap(
        kept=_kept(
            "Code", "Description", "Environment", "Handler", "MemorySize", "Role", "Runtime", "Timeout"
        ),
        left_out={
            "Layers": "functions/plan.py puts their folders on the path",
            "Architectures": _ARTEFACT,
            "DeadLetterConfig": "is for asynchronous calls, which are not made here",
            "EphemeralStorage": "a function has the disk of this machine",
            "LoggingConfig": "what a function says goes to a file",
            "ReservedConcurrentExecutions": "a function has one environment here",
            "Tags": "SAM's own, never read",
        },
    ),
    "AWS::Lambda::LayerVersion": Gap(
        kept=_kept("Content", "Description", "LayerName", "CompatibleRuntimes"),
        left_out={"CompatibleArchitectures": _ARTEFACT},
    ),
    "AWS::Lambda::Permission": Gap(kept=_kept("Action", "FunctionName", "Principal", "SourceArn")),
    "AWS::Lambda::Version": Gap(
        instead="the function itself",
        refused="moto does not say the number of one, which an alias asks for",
        left_out={"FunctionName": "one version runs here"},
        attributes={"Version": "1"},
    ),
    "AWS::Logs::LogGroup": Gap(kept=_kept("LogGroupName", "RetentionInDays")),
    "AWS::Logs::QueryDefinition": Gap(
        instead="nobody: what functions say goes to files",
        left_out=dict.fromkeys(("Name", "LogGroupNames", "QueryString"), "for the console of AWS"),
    ),
    "AWS::Route53::RecordSet": Gap(
        kept=_kept("HostedZoneId", "Name", "Type"),
        left_out={"AliasTarget": "names are not resolved here, and no distribution has a domain name"},
    ),
    "AWS::S3::Bucket": Gap(
        kept=_kept("BucketName", "BucketEncryption"),
        completed={
            "NotificationConfiguration": completion.notify,
            "VersioningConfiguration": completion.keep_versions,
            "PublicAccessBlockConfiguration": completion.block_public_access,
            "OwnershipControls": completion.own_objects,
            "LifecycleConfiguration": completion.expire,
        },
        left_out={"ReplicationConfiguration": "there is one region here"},
    ),
    "AWS::S3::BucketPolicy": Gap(
        instead="nothing: moto enforces a statement without its Condition, and so would refuse every put",
        left_out={
            "Bucket": "the policy that it belongs to is left out",
            "PolicyDocument": "asks for TLS, which a loopback address does without",
        },
    ),
    "AWS::SecretsManager::Secret": Gap(
        instead="moto's own Secrets Manager, filled by completion.keep_secret",
        completed={"GenerateSecretString": completion.keep_secret},
        left_out={"Description": "never read"},
    ),
    "AWS::SNS::Subscription": Gap(
        instead="nobody: no alarm is published here",
        left_out=dict.fromkeys(("Endpoint", "Protocol", "TopicArn"), "no alarm is published"),
    ),
    "AWS::SNS::Topic": Gap(kept=_kept("DisplayName")),
    "AWS::SSM::Parameter": Gap(
        instead="nobody: its attribute is the value in the template",
        refused="moto gives it no attributes",
        left_out=dict.fromkeys(("Type", "Description", "Value"), "only the template refers to it"),
        attributes={"Value": "{Value}"},
    ),
    "AWS::SQS::Queue": Gap(
        kept=_kept("VisibilityTimeout", "MessageRetentionPeriod", "RedrivePolicy", "SqsManagedSseEnabled"),
    ),
    "AWS::SQS::QueuePolicy": Gap(
        instead="the queue's attribute, set by completion.let_in",
        completed={"PolicyDocument": completion.let_in},
        left_out={"Queues": "read beside PolicyDocument"},
    ),
}
