"""`python -m infra.deployment.publication ENV` publishes the registry of a new stack.

Nothing happens if there is a publication. Otherwise a new stack would have no data set, no search and no
sitemaps until the first daily run. Exits with 1 if it could not be published; the stack is deployed then.
"""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError

from ginuri.published.publications import CURRENT
from infra.deployment.environment import UnusableValue, load_environment
from infra.deployment.stack import list_resources

if TYPE_CHECKING:
    from mypy_boto3_lambda import LambdaClient
    from mypy_boto3_s3 import S3Client

_FUNCTION, _BUCKET, _ALIAS = "PublishFunction", "PublishedBucket", "live"
PATIENT = Config(read_timeout=910, retries={"total_max_attempts": 1}, tcp_keepalive=True)
"""Waits for the function, which may take fifteen minutes, and invokes it once."""


class PublicationFailed(RuntimeError):
    """Raised when the function failed, with its message."""


def is_published(s3: S3Client, bucket: str) -> bool:
    """Return whether the bucket has a current publication. Raises ClientError."""
    found = s3.list_objects_v2(Bucket=bucket, Prefix=CURRENT, MaxKeys=1)
    return found["KeyCount"] > 0


def publish(functions: LambdaClient, name: str) -> str:
    """Invoke the publish function; return its answer.

    Raises PublicationFailed, ClientError and BotoCoreError.
    """
    answer = functions.invoke(FunctionName=name, Qualifier=_ALIAS)
    text = answer["Payload"].read().decode()
    if answer.get("FunctionError"):
        raise PublicationFailed(_read_message(text))
    return text


def _read_message(text: str) -> str:
    try:
        return str(json.loads(text)["errorMessage"])
    except (ValueError, KeyError, TypeError):
        return text


def _main() -> None:
    try:
        environment = load_environment(sys.argv[1])
    except UnusableValue as error:
        sys.exit(str(error))
    name = "the publish function"
    try:
        session = environment.session()
        found = list_resources(session.client("cloudformation"), environment.stack)
        resources = {each.name: each.id for each in found}
        if is_published(session.client("s3"), resources[_BUCKET]):
            return
        name = resources[_FUNCTION]
        print("Publishing the registry for the first time …", file=sys.stderr)
        answer = publish(session.client("lambda", config=PATIENT), name)
    except KeyError as missing:
        sys.exit(f"The stack is deployed, but nothing was published: it has no resource {missing}.")
    except (PublicationFailed, BotoCoreError, ClientError) as error:
        sys.exit(
            f"The stack is deployed, but {name} did not publish: {error} Its log is "
            f"/aws/lambda/{environment.stack}-publish; it runs again within a day, or at the next "
            "make deploy."
        )
    print(f"Published: {answer}", file=sys.stderr)


if __name__ == "__main__":
    _main()
