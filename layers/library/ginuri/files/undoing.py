"""Plans the undo of an upload: the lines that restate what stood before, and the values left unchanged."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath
from typing import Any, Protocol

from ginuri.files.export import write_restatement
from ginuri.files.formats import READABLE
from ginuri.identifiers.messages import message
from ginuri.registration.undo.rollback import Restatement, Skipped, plan_rollback
from ginuri.registration.verdicts import Outcome
from ginuri.registry.model import RecordType, StoredFile
from ginuri.registry.ports import HistoryReader
from ginuri.registry.record.grant_records import is_grant_record, record_of_grants
from ginuri.registry.record.history import History
from ginuri.registry.record.rule_records import history_of
from ginuri.registry.rules.beginnings import record_of_rule

ENDINGS = "|".join(re.escape(suffix) for suffix in sorted(READABLE, key=len, reverse=True))
_MOST_NAME = 100
"""The maximum number of characters of a file name that are repeated in the name of its undo."""
_ABOVE_OTHERS = {
    RecordType.SCHEME,
    RecordType.HOST,
    RecordType.AUTHORITY,
    RecordType.NAMESPACE,
    RecordType.RESOURCE_TYPE,
}
RecordName = tuple[str, str]
"""An identifier, with a record of it, of some of its rules, or of its grants."""
FindBelow = Callable[[Sequence[str], set[str]], Mapping[str, str]]
"""Finds for each prefix an identifier under it that is neither reserved nor among the given ones."""


class HistoryMapper(Protocol):
    """Calls a function with each record, as `map` does; one with threads reads several at once."""

    def __call__(
        self,
        function: Callable[[RecordName], Restatement | Skipped | None],
        records: Iterable[RecordName],
        /,
    ) -> Iterable[Restatement | Skipped | None]:
        """Return the results in order."""


@dataclass(slots=True)
class UndoPlan:
    """The values to state again, and those to leave unchanged; `add` receives the lines."""

    key: str
    version: str
    add: Callable[[Iterable[str]], None]
    skipped: list[Skipped] = field(default_factory=list)
    reserved: set[str] = field(default_factory=set)
    files: dict[str, StoredFile] = field(default_factory=dict)
    """The stored files to restore first, by key."""
    is_correction: bool = False

    @property
    def reason(self) -> str:
        """The reason of the upload that undoes."""
        return f"rollback of {self.key}#{self.version}"


def changed_records(report: Mapping[str, Any]) -> list[RecordName]:
    """Return the records that an upload changed, by its complete report."""
    outcomes = {Outcome.REGISTERED, Outcome.CHANGED}
    changed = (verdict for verdict in report["verdicts"] if verdict["verdict"] in outcomes)
    return list(dict.fromkeys(record for verdict in changed for record in _records_of(verdict)))


def undo_name(key: str) -> str:
    """Return the key of the upload that undoes another.

    >>> undo_name("uri-gin/azgs/wells.csv")
    'uri-gin/azgs/rollback-wells.jsonl'
    """
    folder, _, file = key.rpartition("/")
    stem = PurePosixPath(re.sub(rf"(?:{ENDINGS})$", "", file, flags=re.IGNORECASE)).name[:_MOST_NAME]
    return f"{folder}/rollback-{stem}.jsonl"


def plan_undo(
    plan: UndoPlan,
    changed: Sequence[RecordName],
    histories: HistoryReader,
    below: FindBelow,
    mapper: HistoryMapper = map,
) -> UndoPlan:
    """Plan the undo of the changed records. Raises RegistryUnavailable."""
    folder = plan.key.rpartition("/")[0]
    above: list[Restatement] = []
    for undone in mapper(
        lambda each: plan_rollback(_history(histories, each), plan.key, plan.version), changed
    ):
        if isinstance(undone, Skipped):
            plan.skipped.append(undone)
        elif isinstance(undone, Restatement):
            if undone.reserves:
                plan.reserved.add(undone.identifier)
            if undone.reserves and undone.record in _ABOVE_OTHERS:
                above.append(undone)
            else:
                _add(plan, undone, folder)
    others = below([restatement.identifier for restatement in above], plan.reserved) if above else {}
    for restatement in above:
        name = restatement.identifier
        if name in others:
            reason = message("{identifier} is registered under it.", identifier=others[name])
            plan.skipped.append(Skipped(name, None, reason))
        else:
            _add(plan, restatement, folder)
    return plan


def _records_of(verdict: Mapping[str, Any]) -> Iterator[RecordName]:
    # Older rules are in the record of their prefix, whatever their pattern begins with.
    name = verdict["identifier"]
    if "to" in verdict:
        yield name, record_of_grants(name)
        return
    yield name, name
    if "pattern" in verdict:
        yield name, record_of_rule(name, verdict["pattern"])


def _history(histories: HistoryReader, record: RecordName) -> History:
    identifier, name = record
    history = histories.history(name)
    if is_grant_record(name):
        return replace(history, identifier=identifier)
    return history if name == identifier else history_of(identifier, history)


def _add(plan: UndoPlan, restatement: Restatement, folder: str) -> None:
    for file in restatement.files:
        if plan.files.setdefault(file.key, file).sha256 != file.sha256:
            reason = message(
                "Another version of the stored file {file} is restored for another identifier.", file=file.key
            )
            plan.skipped.append(Skipped(restatement.identifier, None, reason))
            return
    plan.add(write_restatement(restatement, f"{folder}/"))
    plan.is_correction = plan.is_correction or restatement.is_correction
