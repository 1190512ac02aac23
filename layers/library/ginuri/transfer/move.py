"""Moves a whole registry: stored files, uploads, reports, then the records that depend on them.

Each part is compared with the target, and only what is missing or differs is written. A move that was
interrupted continues in this way, and so does a second pass.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeVar

from ginuri.identifiers.errors import GinuriError
from ginuri.identifiers.messages import Message, message
from ginuri.registry.transfer import (
    Item,
    RegistryTarget,
    ReportFile,
    UploadedFile,
    WholeRegistry,
)
from ginuri.transfer.pairs import pair
from ginuri.transfer.stored_versions import VersionMap, replace_versions

_Thing = TypeVar("_Thing")

FINISHED = "finished "
"""The beginning of the note on a finished move; the identity of its source follows."""


class MoveRefused(GinuriError):
    """A registry cannot be moved; `words` has the reason and the remedy."""

    def __init__(self, words: Message) -> None:
        super().__init__(str(words))
        self.words = words


@dataclass(frozen=True, slots=True)
class Moved:
    """The result of a move."""

    read: Mapping[str, int]
    """The number of things that the source has, by part."""
    written: Mapping[str, int]
    """The number of things that were written, by part."""
    to_set: Mapping[str, str]
    """The settings that must be set by hand, by the name to set."""


class Move:
    """A move from one registry to another. `show` is called with the part and the number of things read."""

    def __init__(
        self, source: WholeRegistry, target: RegistryTarget, show: Callable[[str, int], None]
    ) -> None:
        self._source, self._target, self._show = source, target, show
        self._read: Counter[str] = Counter()
        self._written: Counter[str] = Counter()

    def run(self, *, again: bool) -> Moved:
        """Move everything. Raises MoveRefused, and RegistryUnavailable.

        `again` allows a source with waiting uploads, and a target that was filled from this source before.
        """
        self._check(is_again=again)
        self._target.note_move(self._source.identity)
        versions = self._move_contents()
        self._move_uploads()
        self._move_reports()
        self._move_items(versions)
        to_set = self._target.adopt_settings(self._source.settings())
        self._target.note_move(FINISHED + self._source.identity)
        return Moved(self._read, self._written, to_set)

    def _check(self, *, is_again: bool) -> None:
        waiting = self._source.waiting()
        if waiting and not is_again:
            raise MoveRefused(
                message(
                    "{source} has uploads in its queue ({number}). Wait until they are processed, or state "
                    "--again to copy it now and its changes later.",
                    source=self._source.name,
                    number=f"{waiting:,}",
                )
            )
        note, begun = self._target.moved_from(), self._source.identity
        finished = FINISHED + begun
        if note == begun or (is_again and note == finished):
            return
        if note == finished:
            raise MoveRefused(
                message(
                    "{source} was moved to {target} already. State --again to copy what has changed since.",
                    source=self._source.name,
                    target=self._target.name,
                )
            )
        if not self._target.is_empty():
            raise MoveRefused(
                message(
                    "{target} is not empty: registries cannot be merged. Name an empty one.",
                    target=self._target.name,
                )
            )

    def _move_contents(self) -> VersionMap:
        here: dict[tuple[str, str], str] = {}
        for kept in self._target.contents():
            here[kept.file.key, kept.origin] = kept.file.version
        versions = {known: version for known, version in here.items() if known[1] != version}
        missing = (
            content.file
            for content in self._counted("contents", self._source.contents())
            if (content.file.key, content.file.version) not in here
        )
        added = self._target.add_contents(missing, self._source.open_content)
        for file, version in self._note("contents", added):
            if version != file.version:
                versions[file.key, file.version] = version
        return versions

    def _move_uploads(self) -> None:
        missing = self._differing("uploads", self._source.uploads(), self._target.uploads(), key_of_upload)
        self._target.add_uploads(missing, self._source.open_upload)

    def _move_reports(self) -> None:
        missing = self._differing(
            "reports", self._source.reports(), self._target.reports(), key_of_report, same_report
        )
        self._target.add_reports(missing, self._source.open_report)

    def _move_items(self, versions: VersionMap) -> None:
        items = (replace_versions(item, versions) for item in self._source.items())
        self._target.write_items(self._differing("items", items, self._target.items(), key_of_item))

    def _differing(
        self,
        part: str,
        source: Iterable[_Thing],
        target: Iterable[_Thing],
        key: Callable[[_Thing], tuple[str, ...]],
        same: Callable[[_Thing, _Thing], bool] = lambda one, other: one == other,
    ) -> Iterator[_Thing]:
        for wanted, present in pair(self._counted(part, source), target, key):
            if wanted is None:
                raise MoveRefused(
                    message(
                        "{target} has {thing}, which {source} lacks: it was used meanwhile. "
                        "Name an empty one.",
                        target=self._target.name,
                        source=self._source.name,
                        thing=" ".join(key(present)) if present is not None else "",
                    )
                )
            if present is None or not same(wanted, present):
                self._written[part] += 1
                yield wanted

    def _note(self, part: str, things: Iterable[_Thing]) -> Iterator[_Thing]:
        for thing in things:
            self._written[part] += 1
            yield thing

    def _counted(self, part: str, things: Iterable[_Thing]) -> Iterator[_Thing]:
        for thing in things:
            self._read[part] += 1
            self._show(part, self._read[part])
            yield thing


def key_of_item(item: Item) -> tuple[str, str]:
    """Return the key by which items are in order."""
    return item["identifier"], item["version"]


def key_of_upload(file: UploadedFile) -> tuple[str, str]:
    """Return the key by which uploads are in order."""
    return file.key, file.version


def key_of_report(file: ReportFile) -> tuple[str]:
    """Return the key by which reports are in order."""
    return (file.key,)


def same_report(one: ReportFile, other: ReportFile) -> bool:
    """Return whether two reports have the same content, whenever they were written."""
    return one.sha256 == other.sha256
