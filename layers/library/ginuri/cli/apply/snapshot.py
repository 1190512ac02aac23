"""The file that retires the identifiers of a prefix that no file of a folder names."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from datetime import datetime

from ginuri.cli.apply.folder import RegistrationFile
from ginuri.cli.ports import IngestReaders
from ginuri.files.export import write_restatement
from ginuri.files.options import UploadOptions
from ginuri.identifiers.roots import prefix_to_folder, printable_name
from ginuri.registration.retirement import records_of, retire
from ginuri.registration.undo.rollback import Restatement
from ginuri.registry.ports import MemberLister
from ginuri.registry.record.rule_records import rules_of
from ginuri.registry.texts.reasons import not_listed

_FILE = "snapshot.jsonl"


def retire_absent(
    prefix: str, named: Collection[str], readers: IngestReaders, options: UploadOptions, moment: datetime
) -> RegistrationFile | None:
    """Write the retirements of all identifiers under a prefix that are not named; None if there are none.

    Raises RegistryUnavailable.
    """
    folder = prefix_to_folder(prefix)
    reason = options.reason or str(not_listed(printable_name(prefix), f"{moment:%Y-%m-%d}"))
    absent = [name for name in _registered(readers.lister, prefix) if name not in named]
    lines = list[str]()
    for name, beginning, stored in records_of(absent, readers.registry):
        record = rules_of(stored, name) if beginning else stored
        if statements := retire(record, reason, moment):
            stated = record.values().get("record")
            restatement = Restatement(name, statements, str(stated) if stated else None)
            lines += write_restatement(restatement, folder)
    content = "".join(f"{line}\n" for line in lines).encode()
    return RegistrationFile(f"{folder}{_FILE}", content, options) if lines else None


def _registered(lister: MemberLister, prefix: str) -> Iterator[str]:
    after: str | None = ""
    while after is not None:
        page = lister.members(prefix, after)
        yield from (name for name in page.names if name != prefix)
        after = page.next_cursor
