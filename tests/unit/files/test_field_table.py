"""Does the table of fields match the reader of registrations and the documentation?"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ginuri.files.schema.fields import RegistrationFields
from ginuri.registry.metadata.fields import FIELDS
from ginuri.registry.model import RecordType

DOCS = Path(__file__).parents[3] / "docs"
HEADING = re.compile(r"^\| field \|(?P<types>(?: [a-z-]+ \|)+) value \|$", re.MULTILINE)


def _documented() -> dict[str, set[RecordType]]:
    """Read the fields of each record from the table in the documentation, on any page."""
    page = next(text for each in DOCS.rglob("*.md") if HEADING.search(text := each.read_text()))
    heading = HEADING.search(page)
    assert heading is not None
    types = [RecordType(each.strip()) for each in heading["types"].split("|") if each.strip()]
    rows = page[heading.end() :].strip().split("\n\n")[0].split("\n")[1:]
    documented: dict[str, set[RecordType]] = {}
    for row in rows:
        names, *marks = row.strip("|").split("|")[: len(types) + 1]
        having = {each for each, mark in zip(types, marks, strict=True) if mark.strip()}
        documented |= dict.fromkeys(re.findall("`([a-z_]+)`", names), having)
    return documented


def test_registrations_are_read_by_the_fields_of_the_table_in_their_order() -> None:
    assert list(RegistrationFields.model_fields) == list(FIELDS)


@pytest.mark.parametrize("name", FIELDS)
def test_the_documentation_states_which_records_have_a_field(name: str) -> None:
    assert _documented()[name] == FIELDS[name].on | FIELDS[name].read_on
