"""A snapshot of moto's state, to be restored: a set-up takes dozens of calls of AWS."""

from __future__ import annotations

from collections.abc import Iterable
from copy import deepcopy
from typing import Any

from moto.dynamodb.models import dynamodb_backends
from moto.s3.models import s3_backends

from infra.local.template import ACCOUNT, REGION


class Snapshot:
    """The items of tables and the objects of buckets at the time of the snapshot."""

    def __init__(self, *, tables: Iterable[str] = (), buckets: Iterable[str] = ()) -> None:
        self._items = {table: deepcopy(_table(table).items) for table in tables}
        # A dict of moto's that shows only the newest version of an object, except through `lists`.
        self._versions = {bucket: deepcopy(dict(_objects(bucket).lists())) for bucket in buckets}

    def restore(self) -> None:
        """Restore the same tables and buckets, while no other thread calls."""
        for table, items in self._items.items():
            _table(table).items = deepcopy(items)
        for bucket, versions in self._versions.items():
            objects = _objects(bucket)
            for key in list(objects):
                objects.pop(key)
            for key, of_key in deepcopy(versions).items():
                objects.setlist(key, of_key)


def _table(name: str) -> Any:
    return dynamodb_backends[ACCOUNT][REGION].tables[name]


def _objects(bucket: str) -> Any:
    return s3_backends[ACCOUNT]["aws"].buckets[bucket].keys
