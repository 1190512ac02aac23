"""The shipped fakes: a registry, stores and a queue in the memory of the process."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from threading import Lock
from typing import IO, Any
from urllib.parse import quote, urlencode

from ginuri.identifiers.errors import (
    ContentMissing,
    PartsMissing,
    RegistryUnavailable,
    RevisionConflict,
    UploadExists,
)
from ginuri.identifiers.stewards import steward_below
from ginuri.registry.content import UploadHead
from ginuri.registry.model import Registered, StoredFile
from ginuri.registry.ports import MOST_BESIDE, MOST_ITEM_BYTES, MOST_MEMBERS, MOST_NEAR, NamePage
from ginuri.registry.reading import read_stored, read_values
from ginuri.registry.record.applied_uploads import AppliedUpload
from ginuri.registry.record.history import History, gather_history
from ginuri.registry.record.items import REVISION, Item, items_of
from ginuri.registry.record.record import Change, Entries, Record, revisions_before
from ginuri.registry.record.rule_records import histories_under, standing_under
from ginuri.registry.record.serialization import read_changes, read_field_entries, read_record
from ginuri.registry.record.stamps import Stamp
from ginuri.registry.rules.beginnings import LISTED

_CHUNK = 4_096


class _Index:
    """Names by a value that each may have, like an index of the table."""

    def __init__(self) -> None:
        self._names: dict[str, dict[str, None]] = {}
        self._values: dict[str, str | None] = {}

    def put(self, name: str, value: str | None) -> None:
        before = self._values.get(name)
        if before == value:  # the name keeps its place
            return
        if before is not None:
            del self._names[before][name]
        self._values[name] = value
        if value is not None:
            self._names.setdefault(value, {})[name] = None

    def names(self, value: str) -> Sequence[str]:
        return list(self._names.get(value, ()))


class MemoryRegistry:
    """A registry in a dictionary; `calls` counts the calls that a network would have had."""

    def __init__(self, most_item_bytes: int = MOST_ITEM_BYTES, most_written: int = 400) -> None:
        self.calls = 0
        self.most_written = most_written
        self._most_item_bytes = most_item_bytes
        self._records: dict[str, Item] = {}
        self._history: dict[str, dict[str, str]] = {}
        self._applied: dict[tuple[str, str], AppliedUpload] = {}
        self._folded, self._stewards, self._collections, self._broader = (_Index() for _ in range(4))
        self._beginnings: dict[str, set[str]] = {}

    def fetch(self, names: Sequence[str]) -> Mapping[str, Registered]:
        """Read records for answering requests."""
        self.calls += 1
        items = {name: self._records[name] for name in names if name in self._records}
        return {name: read_stored(name, item["body"], item["modified"]) for name, item in items.items()}

    def near(self, folded: str) -> Sequence[str]:
        """Return identifiers that fold to this text, or are listed under this scheme."""
        self.calls += 1
        index = self._stewards if folded.endswith(("/", ":")) else self._folded
        return index.names(folded)[:MOST_NEAR]

    def beside(self, container: str, name: str, *, is_after: bool) -> Sequence[str]:
        """Return identifiers in a container before or after a name, the nearest first."""
        self.calls += 1
        listed = self._stewards.names(steward_below(container))
        names = [other for other in listed if other.startswith(container) and (other >= name) is is_after]
        return sorted(names, reverse=not is_after)[:MOST_BESIDE]

    def read(self, names: Sequence[str]) -> Mapping[str, Record]:
        """Read whole records."""
        self.calls += 1
        items = {name: self._records[name] for name in names if name in self._records}
        return {
            name: read_record(name, item["body"], item["stamps"], int(item[REVISION]))
            for name, item in items.items()
        }

    def displaced(self, name: str, stamp: Stamp) -> Entries:
        """Read the values that a registration displaced."""
        self.calls += 1
        kept = self._history.get(name, {}).get(str(stamp))
        return {} if kept is None else read_field_entries(kept, {})

    def write(self, *changes: Change) -> None:
        """Write records and their displaced values. Raises RecordTooLarge and RevisionConflict."""
        self.calls += 1
        written = [(change, items_of(change, self._most_item_bytes)) for change in changes]
        if any(items.past and self._has(items.past) for _, items in written):
            return  # this change was applied before, and others followed
        for seen, revision in revisions_before(changes).items():
            current = self._records.get(seen)
            if (int(current[REVISION]) if current else 0) != revision:
                raise RevisionConflict(changes[0].after.identifier)
        for _, items in written:
            self._put(*items)

    def _has(self, past: Item) -> bool:
        return past["version"] in self._history.get(past["identifier"], {})

    def _put(self, now: Item, past: Item | None, listed: Iterable[Item]) -> None:
        name = now["identifier"]
        self._folded.put(name, now.get("folded"))
        self._stewards.put(name, now.get("steward"))
        self._collections.put(name, now.get("collection"))
        self._broader.put(name, now.get("broader"))
        self._records[name] = now
        if past is not None:
            self._history.setdefault(name, {})[past["version"]] = past["stamps"]
        for item in listed:
            prefix = item["identifier"].removeprefix(LISTED)
            self._beginnings.setdefault(prefix, set()).add(item["version"])

    def beginnings(self, prefix: str, start: str = "", after: str = "", most: int = MOST_MEMBERS) -> NamePage:
        """Return a page of the beginnings of the rules of a prefix."""
        listed = self._beginnings.get(prefix, ())
        return self._page((each for each in listed if each.startswith(start)), after, most)

    def check(self, change: Change) -> None:
        """Raise RecordTooLarge if a change is too large to be written."""
        items_of(change, self._most_item_bytes)

    def applied(self, key: str, version: str) -> AppliedUpload | None:
        """Return the proof that an upload was applied."""
        self.calls += 1
        return self._applied.get((key, version))

    def note_applied(self, upload: AppliedUpload) -> None:
        """Store the proof that an upload was applied."""
        self.calls += 1
        self._applied[upload.key, upload.version] = upload

    def stamps(self, name: str) -> Sequence[Stamp]:
        """Return the stamps of the statements in force, in order."""
        self.calls += 1
        return read_changes(self._records[name]["stamps"]) if name in self._records else ()

    def history(self, name: str) -> History:
        """Read the history of an identifier."""
        current = [record.entries for record in self.read([name]).values()]
        past = (read_field_entries(stamps, {}) for stamps in self._history.get(name, {}).values())
        return gather_history(name, [*current, *past])

    def members(self, prefix: str, after: str = "", most: int = MOST_MEMBERS) -> NamePage:
        """Return a page of the identifiers with a prefix."""
        return self._page(self._members(prefix), after, most)

    def count(self, prefix: str, most: int) -> int:
        """Count the identifiers that begin with a prefix, up to `most`."""
        self.calls += 1
        return min(most, len(self._members(prefix)))

    def parts(self, collection: str, after: str = "", most: int = MOST_MEMBERS) -> NamePage:
        """Return a page of the parts of a collection."""
        return self._page(self._collections.names(collection), after, most)

    def narrower(self, broader: str, after: str = "", most: int = MOST_MEMBERS) -> NamePage:
        """Return a page of the types below another."""
        return self._page(self._broader.names(broader), after, most)

    def _page(self, names: Iterable[str], after: str, most: int) -> NamePage:
        self.calls += 1
        later = sorted(name for name in names if name > after)[:most]
        return NamePage(tuple(later), later[-1] if len(later) == most else None)

    def _members(self, prefix: str) -> list[str]:
        return [name for name in self._stewards.names(steward_below(prefix)) if name.startswith(prefix)]

    def standing(self, prefix: str, *, with_grants: bool = False) -> Iterator[tuple[str, Mapping[str, Any]]]:
        """Read the current values of every identifier under a prefix."""
        stored = ((name, read_values(body)) for name, _, body in self.stored())
        return standing_under(prefix, stored, with_grants=with_grants)

    def histories(self, prefix: str, *, with_grants: bool = False) -> Iterator[History]:
        """Read the history of every identifier under a prefix."""
        return histories_under(prefix, map(self.history, list(self._records)), with_grants=with_grants)

    def stored(self) -> Iterator[tuple[str, str, str]]:
        """Read every record: identifier, moment of the last change, and current values as JSON."""
        self.calls += 1
        for name, item in list(self._records.items()):
            yield name, item["modified"], item["body"]


class MemoryContentStore:
    """A content store in a dictionary."""

    def __init__(self, files: Mapping[tuple[str, str], bytes] | None = None) -> None:
        self.files = dict(files or {})

    def read(self, file: StoredFile, first: int = 0, last: int | None = None) -> bytes:
        """Read a file by key and version, or a part of it. Raises ContentMissing."""
        try:
            return self.files[file.key, file.version][first : None if last is None else last + 1]
        except KeyError:
            raise ContentMissing(file.key) from None

    def link(self, file: StoredFile, media_type: str, method: str) -> str:
        """Return a dummy address with the file and its parameters."""
        query = urlencode({"version": file.version, "type": media_type, "method": method}, safe="/")
        return f"https://content.invalid/{quote(file.key)}?{query}"


class MemoryUploadPutter:
    """Puts uploads into memory for one authenticated identity."""

    def __init__(self, uploads: MemoryUploads, identity: str) -> None:
        self._uploads, self._identity = uploads, identity
        self._lock = Lock()

    def put(
        self, key: str, body: bytes | IO[bytes], metadata: Mapping[str, str], *, is_new: bool = False
    ) -> str:
        """Put an upload, and return its version. Raises UploadExists."""
        content = body if isinstance(body, bytes) else body.read()
        with self._lock:
            if is_new and any(name == key for name, _ in self._uploads.uploads):
                raise UploadExists(key)
            version = f"put {len(self._uploads.uploads)}"
            self._uploads.uploads[key, version] = content
            self._uploads.metadata_of[key, version] = dict(metadata)
            self._uploads.identities[key, version] = self._identity
        return version


class MemoryUploads:
    """Uploads, reports and kept files in dictionaries: key and version → bytes, key → bytes."""

    def __init__(self, content: MemoryContentStore | None = None) -> None:
        self.uploads: dict[tuple[str, str], bytes] = {}
        self.reports: dict[str, bytes] = {}
        self.metadata_of: dict[tuple[str, str], Mapping[str, str]] = {}
        self.puts: dict[tuple[str, str], str] = {}
        """The upload time of a version; one without an entry always existed."""
        self.identities: dict[tuple[str, str], str] = {}
        """Who put a version."""
        self._content = content or MemoryContentStore()

    def head(self, key: str, version: str) -> UploadHead | None:
        """Return the size and the metadata of an upload."""
        body = self.uploads.get((key, version))
        return None if body is None else UploadHead(len(body), self.metadata_of.get((key, version), {}))

    def read(self, key: str, version: str) -> Iterator[bytes]:
        """Read an upload in small chunks, like a network. Raises RegistryUnavailable."""
        if (key, version) not in self.uploads:
            raise RegistryUnavailable(f"{key} is not there")
        body = self.uploads[key, version]
        return (body[start : start + _CHUNK] for start in range(0, len(body), _CHUNK))

    def reported(self, key: str) -> bytes | None:
        """Read a report."""
        return self.reports.get(key)

    def reported_range(self, key: str, first: int, length: int) -> bytes:
        """Read some bytes of a report. Raises PartsMissing."""
        if key not in self.reports:
            raise PartsMissing(key)
        return self.reports[key][first : first + length]

    def reports_under(self, prefix: str) -> Sequence[str]:
        """Return the keys of reports with a prefix."""
        return sorted(key for key in self.reports if key.startswith(prefix))

    def report(self, key: str, body: bytes | IO[bytes]) -> None:
        """Store a report."""
        self.reports[key] = body if isinstance(body, bytes) else body.read()

    def keep(self, name: str, put: str) -> StoredFile | None:
        """Store the version of an upload that was current at a moment as content."""
        version = self._version_at(name, put)
        if version is not None and not self._kept(name, self.uploads[name, version]):
            self._content.files[name, version] = self.uploads[name, version]
        return self.inspect(name, put)

    def inspect(self, name: str, put: str) -> StoredFile | None:
        """Return the stored file that `keep` would create."""
        if (version := self._version_at(name, put)) is None:
            return None
        body = self.uploads[name, version]
        return StoredFile(
            name,
            self._kept(name, body),
            len(body),
            hashlib.sha256(body).hexdigest(),
            "1970-01-01T00:00:00Z",
        )

    def _version_at(self, name: str, put: str) -> str | None:
        """Return the version that was current at a moment; the latest if there was none."""
        versions = [version for key, version in self.uploads if key == name]
        earlier = [version for version in versions if self.puts.get((name, version), "") <= put]
        return next(reversed(earlier or versions), None)

    def _kept(self, name: str, body: bytes) -> str:
        return next(
            (version for (key, version), kept in self._content.files.items() if key == name and kept == body),
            "",
        )


class MemoryQueue:
    """A queue in a list; `pass_time` advances its clock."""

    def __init__(self) -> None:
        self.waiting: list[str] = []
        self.delayed: list[tuple[float, str]] = []
        """The delayed messages, and their remaining seconds."""

    def send(self, messages: Sequence[str], delay: int = 0) -> None:
        """Append messages, after `delay` seconds if stated."""
        if delay:
            self.delayed += [(delay, message) for message in messages]
        else:
            self.waiting += messages

    def pass_time(self, seconds: float) -> None:
        """Advance the clock, and append the delayed messages that are due, in order."""
        later = sorted((left - seconds, message) for left, message in self.delayed)
        self.waiting += [message for left, message in later if left <= 0]
        self.delayed = [message for message in later if message[0] > 0]
