"""The limits of a record's size."""

from __future__ import annotations

import json

from ginuri.identifiers.errors import RecordTooLarge
from ginuri.registration.checks.answer_tests import find_excess_of_tests
from ginuri.registration.verdicts import Finding, refuse
from ginuri.registry.ports import MOST_ITEM_BYTES
from ginuri.registry.record.answer_tests import part_tests
from ginuri.registry.record.record import Change

MOST_BYTES = 64_000
"""The most bytes of a record as JSON, without its rules, which requests skip."""
MOST_ENTRIES = 3_000
"""The most fields of a record without its rules, including cleared ones, as each keeps a stamp."""


def find_excess(change: Change) -> Finding | None:
    """Return a finding if a change makes a record too large."""
    record = change.after
    values, tests = part_tests(record.values())
    own = {name: value for name, value in values.items() if name != "rules"}
    size = len(json.dumps(own, ensure_ascii=False).encode())
    if size > MOST_BYTES:
        return refuse(
            "",
            "size",
            size,
            "The record would have {size} bytes; at most {most} are allowed. Shorten its texts.",
            size=size,
            most=MOST_BYTES,
        )
    number = sum(key.place.pattern is None for key in record.entries)
    if number > MOST_ENTRIES:
        return refuse(
            "",
            "size",
            number,
            "The record would have {number} fields; at most {most} are allowed. Register some of it under "
            "identifiers of their own.",
            number=number,
            most=MOST_ENTRIES,
        )
    return find_excess_of_tests(tests)


def too_many_rules(error: RecordTooLarge) -> Finding:
    """Return the finding on rules of one beginning that would be too large together."""
    return refuse(
        "pattern",
        "size",
        error.size,
        "With this rule, the rules of this beginning would take {size} bytes; at most {most} are allowed. "
        "Begin some of the patterns with more literal text, or shorten the texts of the rules.",
        size=error.size,
        most=MOST_ITEM_BYTES,
    )


def too_large(error: RecordTooLarge) -> Finding:
    """Return the finding on a record that the registry refused as too large."""
    return refuse(
        "",
        "size",
        error.size,
        "The record would take {size} bytes in the registry, which include the names of the files that "
        "stated its fields; at most {most} are allowed. State its fields in one file with a shorter name.",
        size=error.size,
        most=MOST_ITEM_BYTES,
    )
