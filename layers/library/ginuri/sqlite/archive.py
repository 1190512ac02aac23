"""The complete registry in SQLite, current and past."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any

from ginuri.registry.reading import read_values
from ginuri.registry.record.history import History, gather_history
from ginuri.registry.record.record import Entries
from ginuri.registry.record.rule_records import histories_under, record_names_under, standing_under
from ginuri.registry.record.serialization import read_changes, read_field_entries, read_record
from ginuri.registry.record.stamps import Stamp
from ginuri.sqlite.members import SqliteBeginnings

# All parts come in the order of an index, so that they are merged without being sorted.
_CURRENT_AND_PAST = """
SELECT identifier, body, stamps, revision FROM record WHERE identifier BETWEEN ?1 AND ?2
UNION ALL SELECT name, body, stamps, revision FROM rule_record WHERE name BETWEEN ?1 AND ?2
UNION ALL SELECT identifier, NULL, stamps, NULL FROM history WHERE identifier BETWEEN ?1 AND ?2
ORDER BY identifier
"""
_STANDING = """
SELECT identifier, body FROM record WHERE identifier BETWEEN ? AND ?
UNION ALL SELECT name, body FROM rule_record WHERE name BETWEEN ? AND ?
UNION ALL SELECT name, body FROM rule_record WHERE name BETWEEN ? AND ?
"""


class SqliteArchive(SqliteBeginnings):
    """Reads histories, all current records, and the uploads that a record comes from."""

    def history(self, name: str) -> History:
        """Read the history of an identifier. Raises RegistryUnavailable."""
        rows = self._database.read(_CURRENT_AND_PAST, (name, name))
        return gather_history(name, map(_read_entries, rows))

    def standing(self, prefix: str, *, with_grants: bool = False) -> Iterator[tuple[str, Mapping[str, Any]]]:
        """Read the current values of every identifier under a prefix. Raises RegistryUnavailable."""
        bounds = (bound for name in record_names_under(prefix) for bound in _bounds(name))
        stored = ((name, read_values(body)) for name, body in self._database.scan(_STANDING, tuple(bounds)))
        return standing_under(prefix, stored, with_grants=with_grants)

    def histories(self, prefix: str, *, with_grants: bool = False) -> Iterator[History]:
        """Read the history of every identifier under a prefix. Raises RegistryUnavailable."""
        for names in record_names_under(prefix) if prefix else ("",):
            rows = self._database.scan(_CURRENT_AND_PAST, _bounds(names))
            stored = (
                gather_history(name, map(_read_entries, kept))
                for name, kept in groupby(rows, key=itemgetter(0))
            )
            yield from histories_under(prefix, stored, with_grants=with_grants)

    def stored(self) -> Iterator[tuple[str, str, str]]:
        """Read every record: name, moment of the last change, and current values as JSON.

        Raises RegistryUnavailable.
        """
        return self._database.scan(
            "SELECT identifier, modified, body FROM record"
            " UNION ALL SELECT name, modified, body FROM rule_record"
        )

    def stamps(self, name: str) -> Sequence[Stamp]:
        """Return the stamps of the statements in force, in order. Raises RegistryUnavailable."""
        rows = self._database.read("SELECT stamps FROM record WHERE identifier = ?", (name,))
        return read_changes(rows[0][0]) if rows else ()


def _bounds(prefix: str) -> tuple[str, str]:
    # An identifier in normal form has only characters from "!" to "~".
    return prefix, f"{prefix}\x7f"


def _read_entries(row: tuple[str, str | None, str, int]) -> Entries:
    """Read the entries of a record, or of an entry of its history, which has no body."""
    name, body, stamps, revision = row
    return (
        read_field_entries(stamps, {}) if body is None else read_record(name, body, stamps, revision).entries
    )
