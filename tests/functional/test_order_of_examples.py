"""The examples, uploaded within a minute and delivered in any order, end in one registry."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from ginuri.files.reports.report import Upload
from ginuri.ingest.flow import ingest_part
from ginuri.registry.record.rule_records import merge_rules
from tests.example_registry import EXAMPLES, in_order
from tests.steward import Steward

BEGIN = datetime(2026, 7, 1, 12, tzinfo=UTC)


def _take_in(shuffled_by: int | None) -> tuple[Steward, list[Upload]]:
    """Upload the examples in their order, a fifth of a second after each other, and deliver them."""
    steward, passed = Steward(), 0.0
    steward.now = lambda: BEGIN + timedelta(seconds=passed)
    uploads = []
    for number, path in enumerate(in_order(EXAMPLES.rglob("*"))):
        put = BEGIN + timedelta(seconds=number / 5)
        upload = steward.put(path.relative_to(EXAMPLES).as_posix(), path.read_bytes())
        uploads.append(replace(upload, put=f"{put:%Y-%m-%dT%H:%M:%S}.{put.microsecond // 1000:03d}Z"))
    order = list(uploads)
    if shuffled_by is not None:
        random.Random(shuffled_by).shuffle(order)  # noqa: S311  nothing secret
    for upload in order:
        ingest_part(upload, steward.collaborators)
        steward.work_off()
    while steward.queue.delayed:
        passed += 10
        steward.queue.pass_time(10)
        steward.work_off()
    return steward, uploads


def _heard(steward: Steward, uploads: list[Upload]) -> dict[str, list[Any]]:
    """Return the refused lines of each upload."""
    return {upload.key: list(steward.report(upload).refused) for upload in uploads}


def _state(steward: Steward) -> dict[str, str]:
    merged = merge_rules(steward.memory.standing(""))
    return {name: json.dumps(values, sort_keys=True) for name, values in merged.items()}


@pytest.fixture(scope="module")
def in_their_order() -> tuple[dict[str, str], dict[str, list[Any]]]:
    """Return the registered and the refused lines when the examples are ingested one after the other."""
    steward, uploads = _take_in(None)
    return _state(steward), _heard(steward, uploads)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.untraced
def test_the_examples_end_in_one_registry_in_any_order_of_delivery(
    seed: int, in_their_order: tuple[dict[str, str], dict[str, list[Any]]]
) -> None:
    steward, uploads = _take_in(seed)

    assert (_state(steward), _heard(steward, uploads)) == in_their_order
