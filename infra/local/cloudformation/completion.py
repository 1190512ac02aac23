"""Sets the properties that moto drops from a resource, with ordinary API calls."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from infra.local.aws.clients import Account
from infra.local.aws.notifications import Notifier
from infra.local.aws.permissions import as_list
from infra.local.cloudformation.resources import Created


class TemplateRefused(ValueError):
    """Raised if AWS would refuse the template, or this stack does not support it."""


@dataclass(frozen=True)
class Tools:
    """The clients that complete a resource."""

    account: Account
    notifier: Notifier


Complete = Callable[[Tools, Created], None]


def notify(tools: Tools, bucket: Created) -> None:
    """Have a bucket notify a queue of new objects.

    Raises TemplateRefused if S3 may not write to the queue, or for a target other than a queue.
    """
    configuration = bucket.properties["NotificationConfiguration"]
    if configuration.keys() - {"QueueConfigurations"}:
        raise TemplateRefused(f"{bucket.logical_id}: only queues can be notified here")
    for queue in configuration["QueueConfigurations"]:
        if queue.keys() != {"Event", "Queue"} or queue["Event"] != "s3:ObjectCreated:*":
            raise TemplateRefused(
                f"{bucket.logical_id}: only s3:ObjectCreated:*, without a filter, is notified here"
            )
        sqs = tools.account.client("sqs")
        name = queue["Queue"].rpartition(":")[2]
        url = sqs.get_queue_url(QueueName=name)["QueueUrl"]
        attributes = sqs.get_queue_attributes(QueueUrl=url, AttributeNames=["Policy"]).get("Attributes", {})
        if not _lets_in(attributes.get("Policy"), queue["Queue"], bucket.physical_id):
            raise TemplateRefused(
                f"{bucket.logical_id} may not send to {queue['Queue']}: no policy of the queue allows it yet"
            )
        tools.notifier.subscribe(bucket.physical_id, name)


def let_in(tools: Tools, policy: Created) -> None:
    """Set a policy on its queues."""
    document = json.dumps(policy.properties["PolicyDocument"])
    for url in policy.properties["Queues"]:
        tools.account.client("sqs").set_queue_attributes(QueueUrl=url, Attributes={"Policy": document})


def keep_versions(tools: Tools, bucket: Created) -> None:
    """Set whether a bucket keeps versions."""
    tools.account.client("s3").put_bucket_versioning(
        Bucket=bucket.physical_id, VersioningConfiguration=bucket.properties["VersioningConfiguration"]
    )


def block_public_access(tools: Tools, bucket: Created) -> None:
    """Set the public access that a bucket blocks."""
    tools.account.client("s3").put_public_access_block(
        Bucket=bucket.physical_id,
        PublicAccessBlockConfiguration=bucket.properties["PublicAccessBlockConfiguration"],
    )


def own_objects(tools: Tools, bucket: Created) -> None:
    """Set the owner of objects that others write to a bucket."""
    tools.account.client("s3").put_bucket_ownership_controls(
        Bucket=bucket.physical_id, OwnershipControls=bucket.properties["OwnershipControls"]
    )


def expire(tools: Tools, bucket: Created) -> None:
    """Set the expiry rules of a bucket."""
    rules: list[Any] = [_rule(rule) for rule in bucket.properties["LifecycleConfiguration"]["Rules"]]
    tools.account.client("s3").put_bucket_lifecycle_configuration(
        Bucket=bucket.physical_id, LifecycleConfiguration={"Rules": rules}
    )


def _rule(stated: dict[str, Any]) -> dict[str, Any]:
    """Write a rule in the form of S3: CloudFormation has other names for three of its members."""
    rule = dict(stated)
    written = {"ID": rule.pop("Id"), "Filter": {"Prefix": rule.pop("Prefix", "")}}
    if "ExpirationInDays" in rule:
        written["Expiration"] = {"Days": rule.pop("ExpirationInDays")}
    return written | rule


def grant(tools: Tools, role: Created) -> None:
    """Set the inline policies of a role."""
    for policy in role.properties["Policies"]:
        tools.account.client("iam").put_role_policy(
            RoleName=role.physical_id,
            PolicyName=policy["PolicyName"],
            PolicyDocument=json.dumps(policy["PolicyDocument"]),
        )


def keep_secret(tools: Tools, secret: Created) -> None:
    """Store a random text as a secret, under the name in the template's references.

    With a `SecretStringTemplate`, an object of JSON, the text is the member `GenerateStringKey` of it.
    """
    secrets = tools.account.client("secretsmanager")
    stated = dict(secret.properties["GenerateSecretString"])
    template, key = stated.pop("SecretStringTemplate", None), stated.pop("GenerateStringKey", None)
    text = secrets.get_random_password(**stated)["RandomPassword"]
    kept = text if template is None else json.dumps({**json.loads(template), key: text})
    secrets.create_secret(Name=secret.physical_id, SecretString=kept)


def recover(tools: Tools, table: Created) -> None:
    """Set whether a table can be restored to any moment."""
    tools.account.client("dynamodb").update_continuous_backups(
        TableName=table.physical_id,
        PointInTimeRecoverySpecification=table.properties["PointInTimeRecoverySpecification"],
    )


def _lets_in(policy: str | None, queue: str, bucket: str) -> bool:
    """Return whether a statement of the queue's policy lets S3 send for this bucket."""
    source = f"arn:aws:s3:::{bucket}"
    for statement in as_list(json.loads(policy)["Statement"]) if policy else []:
        only_from = statement.get("Condition", {}).get("ArnEquals", {}).get("aws:SourceArn", source)
        if (
            statement["Effect"] == "Allow"
            and statement["Principal"] == {"Service": "s3.amazonaws.com"}
            and "sqs:SendMessage" in as_list(statement["Action"])
            and queue in as_list(statement["Resource"])
            and source in as_list(only_from)
        ):
            return True
    return False
