"""The uploads of a service over HTTP, and the files beside their reports, as commands read them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from ginuri.cli.service.failures import unavailable
from ginuri.client import Client, ListedUpload, NotAllowed, NotFound, Report, Waiting
from ginuri.files.options import UploadOptions, write_options
from ginuri.registry.content import UploadVersion

# A key ends with a slash and the version, which has no slash in any store.
_FILE = re.compile(
    r"(?P<key>.+)/(?P<version>[^/]+?)(?P<kind>\.summary\.json|\.progress\.json|\.json|\.refused\.[^/]+)"
)
_IN_SUMMARY = (
    *("identity", "principal", "token", "submitter", "reason", "denied"),
    *("dry_run", "stored", "language", "counts", "rows", "identifiers", "not_in_file", "grants"),
)
"""The members that a summary has in common with its report."""


class ServiceReports:
    """The uploads of a service, and the reports on them. Its methods raise RegistryUnavailable."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._listed: dict[tuple[str, str], ListedUpload] = {}
        self._keys: dict[tuple[str, str], str] = {}
        self._waiting: dict[tuple[str, str], Waiting] = {}

    def rename(self, upload: tuple[str, str], key: str) -> None:
        """Note the key of an upload that the service stored under another name than the one asked for."""
        self._keys[upload] = key

    def versions(self, prefix: str) -> Iterator[UploadVersion]:
        """List the versions of uploads to a folder or of a key, newest first; without one, of all folders."""
        return self._list(prefix, None)

    def newest(self, folder: str, number: int) -> Iterator[UploadVersion]:
        """List the newest versions of uploads to a folder; without one, of all folders."""
        return self._list(folder, number)

    def _list(self, prefix: str, last: int | None) -> Iterator[UploadVersion]:
        with unavailable():
            for upload in self._client.uploads(prefix[: prefix.rfind("/") + 1], last=last):
                if upload.key.startswith(prefix):
                    self._listed[upload.key, upload.version] = upload
                    yield UploadVersion(upload.key, upload.version, datetime.fromisoformat(upload.put))

    def metadata(self, key: str, version: str) -> Mapping[str, str]:
        """Read the metadata of an upload that was listed: what people stated."""
        listed = self._listed[key, version]
        options = UploadOptions(
            is_dry_run=listed.is_dry_run,
            submitter=listed.submitter,
            reason=listed.document.get("reason") or "",
        )
        return write_options(options)

    def report(self, key: str) -> Iterator[bytes] | None:
        """Open a report or a file beside it; None if it is missing or forbidden."""
        found = _FILE.fullmatch(key)
        if found is None:
            return None
        key, version, kind = found.group("key", "version", "kind")
        upload = (self._keys.get((key, version), key), version)
        with unavailable():
            body = self._read(upload, kind)
        return None if body is None else iter([body])

    def _read(self, upload: tuple[str, str], kind: str) -> bytes | None:
        if kind.startswith(".refused"):
            return self._client.refused(*upload)
        if kind == ".progress.json":
            waiting = self._waiting.pop(upload, None) or self._look(upload)
            return _write(waiting.progress) if isinstance(waiting, Waiting) and waiting.progress else None
        if kind == ".summary.json" and (summary := self._listed_summary(upload)):
            return _write(summary)
        report = self._look(upload)
        if not isinstance(report, Report):
            return None
        if kind == ".json":
            return _write(report.document)
        return _write(_summarize(report)) if report.is_complete else None

    def _look(self, upload: tuple[str, str]) -> Report | Waiting | None:
        try:
            found = self._client.look(*upload)
        except (NotFound, NotAllowed):
            return None
        if isinstance(found, Waiting):
            self._waiting[upload] = found
        return found

    def _listed_summary(self, upload: tuple[str, str]) -> Mapping[str, Any] | None:
        """Return the summary that a list of uploads had; None if it had none yet."""
        listed = self._listed.get(upload)
        if listed is None or not listed.counts:
            return None
        return {name: value for name, value in listed.document.items() if value is not None}


def _summarize(report: Report) -> Mapping[str, Any]:
    document = report.document
    members = {name: document[name] for name in _IN_SUMMARY if name in document}
    return {"put": document["upload"]["put"], **members}


def _write(document: Mapping[str, Any]) -> bytes:
    return json.dumps(document, ensure_ascii=False).encode()
