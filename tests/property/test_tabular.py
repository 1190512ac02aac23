"""A table states the same as the lines that it was made from."""

from __future__ import annotations

import io
import json
from typing import Any

from hypothesis import given

from ginuri.files.export import write_lines
from ginuri.files.json_lines import read_json_lines
from ginuri.files.lines import split_at_returns, split_lines
from ginuri.files.tables.delimited import read_delimited
from ginuri.files.tables.export import columns_of, rows_of, unwritable_fields, write_table
from ginuri.registration.rows import Registration, combine
from ginuri.registry.record.record import Record, apply
from tests.builders import forms_of, stamp
from tests.property.test_writing import FOLDER, NAME, SAYINGS


def _stated(record: Record, rows: Any) -> Record:
    for piece in combine(rows):
        if isinstance(piece, Registration):
            record = apply(record, piece.statements, stamp()).after
    return record


@given(SAYINGS)
def test_table_and_lines_give_the_same_registry(sayings: list[dict[str, Any]]) -> None:
    record = Record(NAME, {})
    for second, said in enumerate(sayings):
        for piece in combine(read_json_lines([json.dumps(said).encode()])):
            if isinstance(piece, Registration):
                record = apply(record, piece.statements, stamp(second)).after
    written = [json.loads(line) for line in write_lines(NAME, record.values(), FOLDER)]

    rows = [row for line in written for row in rows_of(line)]
    table = io.StringIO()
    write_table(table, columns_of(rows), rows)
    read = read_delimited(split_at_returns(split_lines([table.getvalue().encode()])))
    again = _stated(Record(NAME, {}), read)

    assert [unwritable_fields(line) for line in written if unwritable_fields(line)] == []
    assert again.values() == record.values()
    assert list(forms_of(again)) == list(forms_of(record))
