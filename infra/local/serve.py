"""The stack with its uploads, until it is interrupted."""

import os
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

from botocore.exceptions import ClientError

from infra.local import EXAMPLES
from infra.local.aws.permissions import UnknownPolicyElement
from infra.local.cloudformation.completion import TemplateRefused
from infra.local.cloudformation.missing_types import GapsAreWrong
from infra.local.coordinates import coordinates_file, published
from infra.local.schedule import publish, publish_on_news
from infra.local.stack import FunctionBroken, Options, Stack, local_stack
from infra.local.steward import FOLDER, add_steward
from infra.local.template import REGION, TemplateInvalid
from infra.local.uploads import UploadFailed, upload_folder

_BROKEN = (TemplateRefused, GapsAreWrong, UnknownPolicyElement, FunctionBroken, UploadFailed, ClientError)

PROFILE = "ginuri-local"
"""The profile of the AWS command line for the running stack."""

Say = Callable[[str], None]


class NotServed(RuntimeError):
    """Raised when the stack or its uploads failed, with the reason."""


def serve(options: Options, uploads: Path, say: Say) -> None:
    """Start the stack, upload a folder, print that it is ready, and serve until KeyboardInterrupt.

    Raises NotServed. In every case, all processes have ended afterwards.
    """
    try:
        with local_stack(options) as stack, published(stack, _file_of(stack)):
            upload_folder(stack, uploads, EXAMPLES, say)
            publish(stack, say)
            say(welcome(stack, add_steward(stack)))
            publish_on_news(stack, say)
    except TemplateInvalid as error:
        raise NotServed(f"{options.template.name}: {error}") from error
    except (*_BROKEN, OSError) as error:
        raise NotServed(str(error)) from error


def _file_of(stack: Stack) -> Path:
    return coordinates_file(os.environ, urlsplit(stack.service).port or 80)


def welcome(stack: Stack, token: str) -> str:
    """Print all addresses, and a steward's token, in commands that work in every shell on every system."""
    user = stack.account.credentials
    settings = {
        "endpoint_url": stack.endpoint,
        "region": REGION,
        "aws_access_key_id": user.access_key,
        "aws_secret_access_key": user.secret_key,
    }
    configure = "\n".join(
        f"  aws configure set {name} {value} --profile {PROFILE}" for name, value in settings.items()
    )
    bare = f"""An answer is given again for a minute. The gateway behind the edge wants its secret:
  curl -i -e {stack.referer} "{stack.gateway}/uri-gin/"

"""
    return f"""
S3, DynamoDB and SQS for the AWS command line, as the profile {PROFILE}:
{configure}
  aws s3 cp my.csv s3://{stack.uploads_bucket}/uri-gin/azgs/ --profile {PROFILE}
  aws s3 ls s3://{stack.reports_bucket}/ --recursive --profile {PROFILE}

Try (in Windows PowerShell, curl is curl.exe):
  curl -i "{stack.service}/uri-gin/azgs/person/StephenRichard/"
  curl -iL "{stack.service}/uri-gin/"
  curl -i -H "Accept: application/ld+json" "{stack.service}/about/uri-gin/azgs/"

As a steward of {FOLDER}, over HTTP with a token that lasts as long as this stack:
  curl -i -H "Authorization: Bearer {token}" "{stack.service}/api/me"

{bare if stack.referer else ""}In a browser:
  {stack.service}/reports/
  {stack.service}/search?q=map

ready {stack.service}"""
