"""Rows are stored by identifier, and read again a few at a time."""

from __future__ import annotations

from collections import Counter
from itertools import count, islice
from zlib import crc32

from ginuri.identifiers import parse
from ginuri.ingest.checkpoints import MemoryCheckpoints
from ginuri.ingest.chunks import BUCKETS, ROWS, chunk_names, chunk_rows, read_chunks, read_slices, write_chunk
from ginuri.ingest.plan import ChunkTotals, plan_steps
from ginuri.registration.rows import Row
from tests.builders import keyed

ALL = 10_000
"""More rows than any task here has."""


def _of_one_bucket(number: int) -> list[str]:
    names = (f"uri-gin/azgs/doc/{serial}" for serial in count())
    return list(islice((name for name in names if crc32(name.encode()) % BUCKETS == 1), number))


def test_slices_of_a_big_bucket_keep_the_rows_of_a_name_together() -> None:
    names = _of_one_bucket(100) * 2  # each twice, the second far behind the first
    checkpoints, totals = MemoryCheckpoints(), ChunkTotals()
    rows = [
        Row(line, parse(name), keyed({("title", ""): name}), ()) for line, name in enumerate(names, start=2)
    ]
    for chunk, content in chunk_rows(rows, 0, 30, ALL**2):
        write_chunk(checkpoints, chunk, content)
    write_chunk(checkpoints, *chunk_names(names[:5], 0))
    for kind in (ROWS, "standing"):
        for chunk in read_chunks(checkpoints, kind):
            totals.add(chunk)
    [[(task, ranges)], [(_, name_ranges)]] = [list(step) for step in plan_steps(totals, ALL)]

    slices = list(read_slices(checkpoints, ranges, 20))

    assert task.rows == len(names) + 5
    assert ranges == name_ranges
    assert max(len(part_rows.rows) + len(part_rows.standing) for part_rows in slices) <= 20 + 2
    assert sorted(row.line for part_rows in slices for row in part_rows.rows) == list(
        range(2, len(names) + 2)
    )
    assert sorted(name for part_rows in slices for name in part_rows.standing) == sorted(names[:5])
    slices_by_name = Counter(
        name for part_rows in slices for name in {str(row.identifier) for row in part_rows.rows}
    )
    assert set(slices_by_name.values()) == {1}
    assert all(part_rows.rows == sorted(part_rows.rows, key=lambda row: row.line) for part_rows in slices)
