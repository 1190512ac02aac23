"""Serves the reports bucket at `/reports/<key>/<version>.html`, on this machine only.

In AWS, reports are read from the bucket, with the rights of the reader.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, get_args
from urllib.parse import parse_qs, unquote

from botocore.exceptions import ClientError

from ginuri.cli.aws_stack import AwsStack
from ginuri.files.reports.listed_uploads import (
    ListedUpload,
    UploadState,
    read_newest,
    read_reported,
)
from ginuri.files.reports.report import page_key, progress_key, refused_key, report_key
from ginuri.files.reports.wording import write_counts
from ginuri.identifiers.service_paths import REPORTS, report_path
from ginuri.web.pages.environment import make_environment
from ginuri.web.pages.frame import page_headers
from infra.local.aws.clients import Account
from infra.local.gateway.http_answer import plain
from infra.local.servers.asgi import Application, Receive, Scope, Send, reply

if TYPE_CHECKING:
    from jinja2 import Template

MOST_LISTED = 200
"""The number of uploads on the page that lists them."""
_CHUNK = 1024 * 1024
_METHODS = {"GET", "HEAD"}


@dataclass(frozen=True, kw_only=True)
class _Buckets(AwsStack):
    """The stack as the commands see it, through the account of the local one."""

    account: Account

    def client(self, service: str) -> Any:  # noqa: ANN401 - boto3 has a type for each literal name only
        """Return a client of one of its services."""
        return self.account.client(service)  # type: ignore[call-overload]


class Reports:
    """ASGI application: the reports of a stack at `/reports/`; `others` answers all other paths."""

    def __init__(self, account: Account, uploads: str, reports: str, others: Application) -> None:
        outputs = {"UploadsBucket": uploads, "ReportsBucket": reports}
        self._stack = _Buckets("this machine", outputs, is_local=True, account=account)
        self._others = others

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        root, _, written = scope["raw_path"].decode("ascii").removeprefix("/").partition("/")
        if root != REPORTS:
            await self._others(scope, receive, send)
        elif scope["method"] not in _METHODS:
            answer = plain(405, "Reports are read only")
            await reply(send, answer.status, [*answer.headers, ("allow", "GET, HEAD")], answer.body)
        elif not written:
            query = parse_qs(scope["query_string"].decode("ascii"))
            page = await asyncio.to_thread(
                self._list, query.get("folder", [""])[0], query.get("state", [""])[0]
            )
            await reply(send, 200, _headers(), page)
        else:
            await self._give(send, unquote(written))

    async def _give(self, send: Send, key: str) -> None:
        found = await asyncio.to_thread(self._get, key)
        if found is None:
            answer = plain(404, f"There is no report at {key}")
            await reply(send, answer.status, answer.headers, answer.body)
            return
        headers = {
            "content-type": found["ContentType"],
            "content-length": str(found["ContentLength"]),
            "cache-control": "no-cache",
            "x-content-type-options": "nosniff",
        }
        raw = [(name.encode("ascii"), value.encode("latin-1")) for name, value in headers.items()]
        await send({"type": "http.response.start", "status": 200, "headers": raw})
        with found["Body"] as body:  # a report may be too large to hold at once
            while chunk := await asyncio.to_thread(body.read, _CHUNK):
                await send({"type": "http.response.body", "body": chunk, "more_body": True})
        await send({"type": "http.response.body", "body": b""})

    def _get(self, key: str) -> Any:  # noqa: ANN401 - the client's own shape
        try:
            return self._stack.s3.get_object(Bucket=self._stack.outputs["ReportsBucket"], Key=key)
        except ClientError as error:
            if error.response["Error"]["Code"] == "NoSuchKey":
                return None
            raise

    def _list(self, folder: str, state: str) -> bytes:
        uploads = read_newest(self._stack, folder, MOST_LISTED)
        rows = [self._row(upload) for upload in uploads if state in {"", upload.state}]
        sections = [
            (title, of_kind)
            for title, is_dry_run in (("Uploads", False), ("Dry runs", True))
            if (of_kind := [row for row in rows if row["is_dry_run"] is is_dry_run])
        ]
        page = _template().render(
            sections=sections,
            folder=folder,
            state=state,
            states=get_args(UploadState),
            most=MOST_LISTED if len(uploads) == MOST_LISTED else 0,
        )
        return page.encode()

    def _row(self, upload: ListedUpload) -> Mapping[str, object]:
        key, version, summary = upload.key, upload.version, upload.summary
        links = []
        if upload.is_counted and not summary.is_stored:
            links.append(("page", page_key(key, version)))
        if upload.is_reported:
            links.append(("JSON", report_key(key, version)))
        if summary.counts.get("refused") and self._has(refused_key(key, version)):
            links.append(("refused rows", refused_key(key, version)))
        return {
            "put": f"{summary.put[:10]} {summary.put[11:19]}",
            "key": key,
            "by": ": ".join(filter(None, (summary.submitter, summary.reason))),
            "is_dry_run": summary.is_dry_run,
            "state": upload.state,
            "result": self._result(upload),
            "links": links,
        }

    def _result(self, upload: ListedUpload) -> str:
        match upload.state:
            case "complete" if upload.summary.is_stored:
                return "stored"
            case "complete":
                return str(write_counts(upload.summary.counts, upload.summary.scope))
            case "waiting":
                progress = read_reported(self._stack, progress_key(upload.key, upload.version)) or {}
                if names := progress.get("waits_for"):
                    return f"waits for {', '.join(names)}"
                return f"{progress['done']:,} of {progress['of']:,} rows" if progress.get("of") else ""
            case "unfinished" | "given up":
                return str((upload.unfinished or {}).get("reason", ""))

    def _has(self, key: str) -> bool:
        try:
            self._stack.s3.head_object(Bucket=self._stack.outputs["ReportsBucket"], Key=key)
        except ClientError:
            return False
        return True


def _headers() -> list[tuple[str, str]]:
    # The filter is a form that is sent to this page.
    return [
        (name, value.replace("form-action 'none'", "form-action 'self'")) for name, value in page_headers()
    ]


@cache
def _template() -> "Template":
    environment = make_environment("en", "infra.local.gateway")
    environment.filters["report_path"] = report_path
    return environment.get_template("reports.html")
