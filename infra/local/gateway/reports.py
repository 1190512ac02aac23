"""Serves the reports bucket at `/reports/<key>/<version>.html`, on this machine only.

In AWS, reports are read from the bucket, with the rights of the reader.
"""

import asyncio
from collections.abc import Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from botocore.exceptions import ClientError

from ginuri.identifiers.service_paths import REPORTS, report_path
from ginuri.web.pages.environment import make_environment
from ginuri.web.pages.frame import page_headers
from infra.local.gateway.http_answer import plain
from infra.local.servers.asgi import Application, Receive, Scope, Send, reply

if TYPE_CHECKING:
    from jinja2 import Template
    from mypy_boto3_s3 import S3Client

MOST_LISTED = 200
"""The most reports on the page that lists them."""
_CHUNK = 1024 * 1024
_METHODS = {"GET", "HEAD"}


class Reports:
    """ASGI application: the reports of a bucket at `/reports/`; elsewhere `others` answers."""

    def __init__(self, client: "S3Client", bucket: str, others: Application) -> None:
        self._client = client
        self._bucket = bucket
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
            await reply(send, 200, page_headers(), await asyncio.to_thread(self._list))
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
        with found["Body"] as body:  # a report may be larger than what should be held at once
            while chunk := await asyncio.to_thread(body.read, _CHUNK):
                await send({"type": "http.response.body", "body": chunk, "more_body": True})
        await send({"type": "http.response.body", "body": b""})

    def _get(self, key: str) -> Any:  # noqa: ANN401 - the client's own shape
        try:
            return self._client.get_object(Bucket=self._bucket, Key=key)
        except ClientError as error:
            if error.response["Error"]["Code"] == "NoSuchKey":
                return None
            raise

    def _list(self) -> bytes:
        pages = self._client.get_paginator("list_objects_v2").paginate(Bucket=self._bucket)
        stored = [object_ for page in pages for object_ in page.get("Contents", ())]
        keys = {object_["Key"] for object_ in stored}
        reports = sorted(
            (object_ for object_ in stored if _is_report(object_["Key"])),
            key=lambda object_: object_["LastModified"],
            reverse=True,
        )
        rows = [
            _row(object_["Key"], object_["LastModified"].isoformat(), keys)
            for object_ in reports[:MOST_LISTED]
        ]
        page = _template().render(rows=rows, older=max(0, len(reports) - MOST_LISTED))
        return page.encode()


@cache
def _template() -> "Template":
    environment = make_environment("en", "infra.local.gateway")
    environment.filters["report_path"] = report_path
    return environment.get_template("reports.html")


def _is_report(key: str) -> bool:
    name = key[key.rfind("/") + 1 :]
    return name.endswith(".json") and name.count(".") == 1  # and no `<version>.progress.json`


def _row(key: str, written: str, keys: set[str]) -> Mapping[str, object]:
    stem, upload = key.removesuffix(".json"), key[: key.rfind("/")]
    return {"written": written, "upload": upload, "forms": tuple(_forms(stem, keys))}


def _forms(stem: str, keys: set[str]) -> Iterator[tuple[str, str]]:
    if f"{stem}.html" in keys:
        yield "page", f"{stem}.html"
    yield "JSON", f"{stem}.json"
    for key in sorted(key for key in keys if key.startswith(f"{stem}.refused.")):
        yield "refused lines", key
