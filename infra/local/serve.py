"""The stack with its uploads in it, until somebody interrupts."""

import os
from collections.abc import Callable
from pathlib import Path

from botocore.exceptions import ClientError

from infra.local import ROOT
from infra.local.aws.permissions import UnknownPolicyElement
from infra.local.cloudformation.completion import TemplateRefused
from infra.local.cloudformation.missing_types import GapsAreWrong
from infra.local.coordinates import coordinates_file, published
from infra.local.schedule import publish, publish_on_news
from infra.local.stack import FunctionBroken, Options, Stack, local_stack
from infra.local.template import REGION, TemplateInvalid
from infra.local.uploads import UploadFailed, upload_folder

_BROKEN = (TemplateRefused, GapsAreWrong, UnknownPolicyElement, FunctionBroken, UploadFailed, ClientError)

Say = Callable[[str], None]


class NotServed(RuntimeError):
    """The stack was not brought up, or not with what was to be in it; says why."""


def serve(options: Options, uploads: Path, say: Say) -> None:
    """Bring the stack up, upload a folder, say that it is ready, and serve until KeyboardInterrupt.

    Raises NotServed. Whatever happens, nothing goes on afterwards.
    """
    try:
        with local_stack(options) as stack, published(stack, coordinates_file(os.environ)):
            upload_folder(stack, uploads, ROOT / "examples", say)
            publish(stack, say)
            say(_welcome(stack))
            publish_on_news(stack, say)
    except TemplateInvalid as error:
        raise NotServed(f"{options.template.name}: {error}") from error
    except (*_BROKEN, OSError) as error:
        raise NotServed(str(error)) from error


def _welcome(stack: Stack) -> str:
    user = stack.account.credentials
    return f"""
S3, DynamoDB and SQS for the AWS command line:
  export AWS_ENDPOINT_URL={stack.endpoint} AWS_DEFAULT_REGION={REGION}
  export AWS_ACCESS_KEY_ID={user.access_key} AWS_SECRET_ACCESS_KEY={user.secret_key}
  aws s3 cp my.csv s3://{stack.uploads_bucket}/uri-gin/azgs/
  aws s3 ls --recursive s3://{stack.reports_bucket}/

Try:
  curl -i {stack.service}/uri-gin/azgs/person/StephenRichard/
  open {stack.service}/reports/
  curl -iL {stack.service}/uri-gin/
  open {stack.service}/search?q=map
  curl -i -H 'Accept: application/ld+json' {stack.service}/about/uri-gin/azgs/

ready {stack.service}"""
