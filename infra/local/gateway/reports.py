"""The pages of reports of a local stack, on its own address: in AWS, reports are read from the bucket."""

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from ginuri.cli.aws_stack import AwsStack
from ginuri.files.reports.listed_uploads import AT_ONCE
from ginuri.server.asgi import Application
from ginuri.server.reports import ReportPages
from infra.local.aws.clients import Account


@dataclass(frozen=True, kw_only=True)
class _Buckets(AwsStack):
    """The stack as the commands see it, through the account of the local one."""

    account: Account

    def client(self, service: str) -> Any:  # noqa: ANN401 - boto3 has a type for each literal name only
        """Return a client of one of its services."""
        return self.account.client(service)  # type: ignore[call-overload]


def serve_reports(
    account: Account, outputs: Mapping[str, str], service: str, others: Application
) -> ReportPages:
    """Return the pages of the reports bucket; `others` answers all other paths."""
    stack = _Buckets("this machine", outputs, is_local=True, account=account)
    return ReportPages(stack, others, service=service, mapper=ThreadPoolExecutor(AT_ONCE).map)
