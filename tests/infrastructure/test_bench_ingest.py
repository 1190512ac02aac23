"""The bench of ingest measures the right work: writes are counted, and every size has its row."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import botocore.session
import pytest

from ginuri.files.reports.report import Upload
from infra.bench.cases import INGEST_RATIO
from infra.bench.ingest import WARMING, Taken, measure, write_table
from infra.bench.large_records import write_large_records
from infra.bench.workers.ingest_worker import StubbedRegistry

FIRST = Taken(1_000, cpu=1_000, writes=1, calls=1.01, peak=20, wall=1_200, bare=800)


@pytest.mark.skipif(not Path("/proc/self/clear_refs").exists(), reason="bench: nothing tells of memory here")
def test_a_new_record_takes_one_write_and_an_upload_one_more() -> None:
    small, large = measure([100, 300])

    assert (small.records, large.records) == (100, 300)
    uploads = 2  # the first one warms up
    assert small.writes == (100 + WARMING + uploads) / (100 + WARMING)
    assert large.writes == (300 + WARMING + uploads) / (300 + WARMING)
    assert 1 < large.calls < 1.3
    assert small.cpu > 0
    assert small.peak >= 0
    assert small.bare > 0


def test_the_history_of_a_discarded_record_names_its_upload() -> None:
    client = botocore.session.get_session().create_client("dynamodb", region_name="us-east-1")
    registry = StubbedRegistry(client, "registry")  # type: ignore[arg-type]  # made at run time
    registry.upload = Upload("uploads", "uri-gin/azgs/a.csv", "v1", "2026-05-17T10:04:31.120Z")

    (statement,) = registry.history("uri-gin/azgs/doc/map/1/").statements

    assert (statement.stamp.upload, statement.stamp.version) == ("uri-gin/azgs/a.csv", "v1")


@pytest.mark.parametrize(
    ("other", "flat"),
    [
        (Taken(10_000, 1_100, 1, 1.01, 22, 9_999, 900), True),
        (Taken(10_000, 1_101, 1, 1.01, 20, 1_200, 900), False),
        (Taken(10_000, 1_000, 1.2, 1.01, 20, 1_200, 900), False),
        (Taken(10_000, 1_000, 1, 1.01, 23, 1_200, 900), False),
        (Taken(10_000, 500, 0.5, 0.5, 2, 1_200, 900), True),
    ],
)
def test_a_flat_cost_grows_by_a_tenth_at_most(other: Taken, flat: bool) -> None:  # noqa: FBT001  a table's column
    assert other.is_flat(FIRST) is flat


def test_the_table_has_each_size_with_its_ratio_to_the_first() -> None:
    lines = write_table([FIRST, Taken(10_000, 1_500, 1, 1.01, 30, 1_200, 900)]).splitlines()

    assert [line.split("|")[1].strip() for line in lines[2:]] == ["1,000", "10,000"]
    assert [line.split("|")[3].strip() for line in lines[2:]] == ["1.00", "1.50"]
    assert [line.split("|")[11].strip() for line in lines[2:]] == ["flat", "not flat"]


def test_a_record_has_a_limit_in_calls_of_the_bare_client() -> None:
    slow = replace(FIRST, bare=FIRST.cpu / INGEST_RATIO / 1.01)

    assert FIRST.holds(FIRST)
    assert slow.is_flat(slow)
    assert not slow.holds(slow)
    assert "× bare |" in write_table([slow])


def test_the_bench_measures_changes_to_large_records() -> None:
    rows = [line.split("|") for line in write_large_records().splitlines()[2:]]

    assert [row[1].strip() for row in rows] == ["200 forms", "240 rules"]
    assert all(float(row[3].strip().removesuffix(" ms")) > 0 for row in rows)
