"""Files in S3: the pinned ones, in a private, versioned bucket, and the uploads of stewards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from datetime import datetime
from functools import partial
from typing import IO, TYPE_CHECKING, Any

from ginuri.aws.bucket import LINK_SECONDS, MISSING, Bucket, find, list_objects, read_object
from ginuri.aws.clients import unavailable
from ginuri.identifiers.errors import ContentMissing, PartsMissing, RegistryUnavailable
from ginuri.registry.content import UploadHead
from ginuri.registry.model import StoredFile

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client
    from mypy_boto3_s3.type_defs import GetObjectOutputTypeDef, HeadObjectOutputTypeDef

_CHUNK = 64 * 1024
_MOST_COPIED_AT_ONCE = 8 * 1024 * 1024
"""Bytes of a file that S3 copies within a client's timeout; a longer one is copied in parts."""
_NO_VERSION = {"InvalidArgument", "MethodNotAllowed"}
"""The refusals of GET for a malformed version, and for one that is a delete marker."""
_REFUSED = {"400", "405"}
"""The same for HEAD, and for expired credentials."""
_REPORT_TYPES = {
    ".json": "application/json",
    ".geojson": "application/geo+json",
    ".html": "text/html; charset=utf-8",
    ".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    ".xlsm": "application/vnd.ms-excel.sheet.macroEnabled.12",
    ".ods": "application/vnd.oasis.opendocument.spreadsheet",
    ".gz": "application/gzip",
}


class S3ContentStore(Bucket):
    """Reads stored files."""

    def read(self, file: StoredFile, first: int = 0, last: int | None = None) -> bytes:
        """Read the file or a part of it. Raises ContentMissing and RegistryUnavailable."""
        # S3 answers a request for a part of an empty file with an error.
        part: Any = {} if last is None else {"Range": f"bytes={first}-{last}"}
        named = {"Bucket": self.name, "Key": file.key, **part}
        body = read_object(lambda: self.client.get_object(VersionId=file.version, **named))
        if body is None:
            raise ContentMissing(file.key)
        return body

    def link(self, file: StoredFile, media_type: str, method: str) -> str:
        """Sign a link to the file for GET or HEAD, valid for `LINK_SECONDS`."""
        return self.client.generate_presigned_url(
            "head_object" if method == "HEAD" else "get_object",
            Params={
                "Bucket": self.name,
                "Key": file.key,
                "VersionId": file.version,
                "ResponseContentType": media_type,
            },
            ExpiresIn=LINK_SECONDS,
        )


class S3Uploads:
    """The uploads, the reports on them, and their stored files."""

    def __init__(self, client: S3Client, *, uploads: str, content: str, reports: str) -> None:
        self._client = client
        self._uploads, self._content = uploads, content
        self._reports = Bucket(lambda: client, reports)

    def head(self, key: str, version: str) -> UploadHead | None:
        """Return the size and the metadata of an upload; None if it is gone. Raises RegistryUnavailable."""
        ask = partial(self._client.head_object, Bucket=self._uploads, Key=key, VersionId=version)
        # A refusal of HEAD has no reason; that of GET has one.
        head = find(ask, MISSING | _REFUSED) or self._open(key, VersionId=version)
        return None if head is None else UploadHead(head["ContentLength"], head["Metadata"])

    def read(self, key: str, version: str) -> Iterator[bytes]:
        """Read an upload in chunks. Raises RegistryUnavailable."""
        with unavailable():
            answer = self._client.get_object(Bucket=self._uploads, Key=key, VersionId=version)
            with closing(answer["Body"]) as body:  # even if only the beginning is read
                yield from body.iter_chunks(_CHUNK)

    def reported(self, key: str) -> bytes | None:
        """Read a report; None if it is not written yet. Raises RegistryUnavailable."""
        return read_object(lambda: self._client.get_object(Bucket=self._reports.name, Key=key))

    def reported_range(self, key: str, first: int, length: int) -> bytes:
        """Read some bytes of a report. Raises PartsMissing and RegistryUnavailable."""
        named: Any = {"Bucket": self._reports.name, "Range": f"bytes={first}-{first + length - 1}"}
        body = read_object(lambda: self._client.get_object(Key=key, **named))
        if body is None:
            raise PartsMissing(key)
        return body

    def reports_under(self, prefix: str) -> Sequence[str]:
        """Return the keys of reports with a prefix. Raises RegistryUnavailable."""
        return [item["Key"] for item in list_objects(self._reports, prefix)]

    def report(self, key: str, body: bytes | IO[bytes]) -> None:
        """Write a report. Raises RegistryUnavailable."""
        kind = type_of_report(key)
        with unavailable():
            if isinstance(body, bytes):
                self._client.put_object(Bucket=self._reports.name, Key=key, Body=body, ContentType=kind)
            else:
                from boto3.s3.transfer import TransferConfig

                in_sequence = TransferConfig(use_threads=False)  # piece by piece, to limit memory
                self._client.upload_fileobj(
                    body, self._reports.name, key, ExtraArgs={"ContentType": kind}, Config=in_sequence
                )

    def keep(self, name: str, put: str) -> StoredFile | None:
        """Copy an uploaded file to the content bucket, once. Raises RegistryUnavailable."""
        if (upload := self._open_at(name, put)) is None:
            return None
        sha256 = _digest(upload)
        kept = self._kept(name, sha256)
        return self._copy(name, upload, sha256) if kept is None else _stored_file(name, sha256, kept)

    def inspect(self, name: str, put: str) -> StoredFile | None:
        """Return the stored file that `keep` would create. Raises RegistryUnavailable."""
        if (upload := self._open_at(name, put)) is None:
            return None
        sha256 = _digest(upload)
        return _stored_file(name, sha256, self._kept(name, sha256) or {**upload, "VersionId": ""})

    def _open_at(self, name: str, put: str) -> GetObjectOutputTypeDef | None:
        """Open an uploaded file as of a moment; the current one if it did not exist yet.

        The versions are listed only if the current one is younger, or is gone.
        """
        current, moment = self._open(name), datetime.fromisoformat(put)
        if current is not None and current["LastModified"] <= moment:
            return current
        version = self._version_at(name, moment)
        if version is None:
            return current
        if current is not None:
            current["Body"].close()
        return self._open(name, VersionId=version)

    def _open(self, name: str, **version: Any) -> GetObjectOutputTypeDef | None:
        ask = partial(self._client.get_object, Bucket=self._uploads, Key=name, **version)
        return find(ask, MISSING | _NO_VERSION)

    def _version_at(self, name: str, moment: datetime) -> str | None:
        """Find the newest version up to a moment, unless it was deleted before that.

        S3 reports whole seconds, rounded down. A version of the same second counts: a steward who uploads a
        file and then its registration does so in this order.
        """
        candidates, removed = list[Any](), list[datetime]()
        pages = self._client.get_paginator("list_object_versions").paginate(Bucket=self._uploads, Prefix=name)
        with unavailable():
            for page in pages:
                versions, markers = page.get("Versions", []), page.get("DeleteMarkers", [])
                candidates += [
                    version for version in versions if version["Key"] == name and _second(version) <= moment
                ]
                removed += [
                    _second(marker)
                    for marker in markers
                    if marker["Key"] == name and _second(marker) <= moment
                ]
                # The key itself comes first of all keys with this prefix.
                if any(item["Key"] != name for item in (*versions, *markers)):
                    break
        newest = max(candidates, key=_second, default=None)  # S3 lists the newest of a second first
        if newest is None or any(when > _second(newest) for when in removed):
            return None
        return str(newest["VersionId"])

    def _kept(self, name: str, sha256: str) -> HeadObjectOutputTypeDef | None:
        kept = self._head(self._content, name)
        return kept if kept and kept["Metadata"].get("sha256") == sha256 else None

    def _copy(self, name: str, upload: GetObjectOutputTypeDef, sha256: str) -> StoredFile:
        source: Any = {"Bucket": self._uploads, "Key": name, "VersionId": upload["VersionId"]}
        target: Any = {
            "Metadata": {"sha256": sha256},
            "MetadataDirective": "REPLACE",
            "TaggingDirective": "REPLACE",
        }
        with unavailable():
            if upload["ContentLength"] <= _MOST_COPIED_AT_ONCE:  # the copy is in one response
                copy = self._client.copy_object(CopySource=source, Bucket=self._content, Key=name, **target)
                modified = copy["CopyObjectResult"]["LastModified"]
                return _stored_file(name, sha256, {**upload, **copy, "LastModified": modified})
            self._client.copy(source, self._content, name, ExtraArgs=target)
        if (kept := self._kept(name, sha256)) is None:
            raise RegistryUnavailable(f"{name} was copied and is not there")
        return _stored_file(name, sha256, kept)

    def _head(self, bucket: str, key: str, **version: Any) -> HeadObjectOutputTypeDef | None:
        return find(lambda: self._client.head_object(Bucket=bucket, Key=key, **version))


def type_of_report(key: str) -> str:
    """Return the media type of a report, or of a file beside it."""
    return _REPORT_TYPES.get(key[key.rfind(".") :], "text/plain; charset=utf-8")


def _second(listed: Any) -> datetime:
    when: datetime = listed["LastModified"]
    return when.replace(microsecond=0)


def _digest(upload: GetObjectOutputTypeDef) -> str:
    import hashlib

    digest = hashlib.sha256()
    with unavailable():
        for chunk in upload["Body"].iter_chunks(_CHUNK):
            digest.update(chunk)
    return digest.hexdigest()


def _stored_file(name: str, sha256: str, head: Mapping[str, Any]) -> StoredFile:
    stored = head["LastModified"].strftime("%Y-%m-%dT%H:%M:%SZ")
    return StoredFile(name, head["VersionId"], head["ContentLength"], sha256, stored)
