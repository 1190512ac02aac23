"""The pages of reports as an ASGI application: the list of uploads at `/reports/`, and each report.

Reports name submitters: they belong on a listening address of their own, which only their readers reach.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Container, Iterator
from urllib.parse import parse_qs, unquote

from ginuri.files.reports.listed_uploads import Mapper, ReportedUploads
from ginuri.identifiers.errors import RegistryUnavailable
from ginuri.identifiers.service_paths import REPORTS
from ginuri.resolution.negotiation.languages import read_languages
from ginuri.resolution.negotiation.preferences import Languages
from ginuri.server.asgi import Application, Receive, Scope, Send, reply
from ginuri.server.uploads_page import Filter, UploadsPage
from ginuri.web.query import LANGUAGE
from ginuri.web.response import Headers

_METHODS = {"GET", "HEAD"}
_RETRY_SECONDS = "5"
_PAGE = re.compile(r"[1-9][0-9]{0,5}")
_MEDIA_TYPES = {
    ".json": "application/json",
    ".geojson": "application/geo+json",
    ".html": "text/html; charset=utf-8",
    ".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    ".xlsm": "application/vnd.ms-excel.sheet.macroEnabled.12",
    ".ods": "application/vnd.oasis.opendocument.spreadsheet",
    ".gz": "application/gzip",
}
_TEXT = "text/plain; charset=utf-8"


async def show_list_only(scope: Scope, _receive: Receive, send: Send) -> None:
    """Redirect from `/` to the list; there is nothing at other paths."""
    if scope["raw_path"] in {b"", b"/"}:
        await reply(send, 302, [("location", f"/{REPORTS}/")])
    else:
        await _refuse(send, 404, "There is nothing here. The reports are at /reports/.")


class ReportPages:
    """ASGI application: the reports at `/reports/`; `others` answers all other paths.

    `service` is the address that links to the service lead to; without it, there are none. With `hosts`, only
    requests for one of these names are answered.
    """

    def __init__(
        self,
        uploads: ReportedUploads,
        others: Application = show_list_only,
        *,
        service: str = "",
        hosts: Container[str] | None = None,
        mapper: Mapper = map,
    ) -> None:
        self._uploads = uploads
        self._others = others
        self._hosts = hosts
        self._page = UploadsPage(uploads, mapper, service)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if self._hosts is not None and _host(scope) not in self._hosts:
            await _refuse(
                send, 421, "Reports are at the address that the server prints, under no other name."
            )
            return
        root, _, written = scope["raw_path"].decode("latin-1").removeprefix("/").partition("/")
        if root != REPORTS:
            await self._others(scope, receive, send)
        elif scope["method"] not in _METHODS:
            await _refuse(send, 405, "Reports can only be read.", (("allow", "GET, HEAD"),))
        else:
            try:
                await (self._send_report(send, unquote(written)) if written else self._send_list(scope, send))
            except RegistryUnavailable as error:
                await _refuse(send, 503, str(error), (("retry-after", _RETRY_SECONDS),))

    async def _send_list(self, scope: Scope, send: Send) -> None:
        query = scope["query_string"].decode("latin-1")
        values = parse_qs(query)
        folder, state, lang, page = (
            values.get(name, [""])[0] for name in ("folder", "state", LANGUAGE, "page")
        )
        number = int(page) if _PAGE.fullmatch(page) else 1
        chosen = Filter(folder, state, lang, number)
        headers, page = await asyncio.to_thread(self._page.write, chosen, _languages(scope, chosen.lang))
        await reply(send, 200, headers, page)

    async def _send_report(self, send: Send, key: str) -> None:
        chunks = await asyncio.to_thread(self._uploads.report, key)
        if chunks is None:
            await _refuse(send, 404, f"There is no report at {key}")
            return
        # A report may be too large to hold at once.
        first, second = await asyncio.to_thread(lambda: (_read(chunks), _read(chunks)))
        headers = [
            ("content-type", _MEDIA_TYPES.get(key[key.rfind(".") :], _TEXT)),
            ("cache-control", "no-cache"),
            ("x-content-type-options", "nosniff"),
        ]
        if second is None:
            await reply(send, 200, headers, first or b"")
            return
        raw = [(name.encode("ascii"), value.encode("ascii")) for name, value in headers]
        await send({"type": "http.response.start", "status": 200, "headers": raw})
        await send({"type": "http.response.body", "body": first, "more_body": True})
        while second is not None:
            await send({"type": "http.response.body", "body": second, "more_body": True})
            second = await asyncio.to_thread(_read, chunks)
        await send({"type": "http.response.body", "body": b""})


def _read(chunks: Iterator[bytes]) -> bytes | None:
    return next(chunks, None)


def _host(scope: Scope) -> str:
    sent = next((value.decode("latin-1") for name, value in scope["headers"] if name == b"host"), "")
    return re.sub(r":[0-9]*\Z", "", sent).lower()


def _languages(scope: Scope, chosen: str) -> Languages:
    accepted = [value.decode("latin-1") for name, value in scope["headers"] if name == b"accept-language"]
    return read_languages(chosen or ", ".join(accepted))


async def _refuse(send: Send, status: int, reason: str, headers: Headers = ()) -> None:
    await reply(send, status, [("content-type", _TEXT), *headers], f"{reason}\n".encode())
