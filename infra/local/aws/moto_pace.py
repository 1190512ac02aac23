"""Speeds up moto: the operations that slow down as a table grows, and the overhead of every call.

A query in moto sorts the whole table, comparing wrapped values two by two, before it looks for the key. A
transaction copies the whole table, value by value, for each of its items. For every returned value, moto
tests each possible kind, by several names. Every call searches all members of the responding class, derives
its name again and draws a number digit by digit.
"""

import itertools
from collections.abc import Mapping, MutableMapping, Sequence
from contextvars import ContextVar
from copy import copy, deepcopy
from functools import cache
from operator import attrgetter
from typing import Any
from uuid import uuid4

from moto.core import responses
from moto.core.model import StructureShape
from moto.core.serialize import ResponseSerializer
from moto.core.utils import camelcase_to_underscores, method_names_from_class
from moto.dynamodb.models import DynamoDBBackend
from moto.dynamodb.models.dynamo_type import DynamoType, Item
from moto.dynamodb.models.table import Table
from moto.sqs import models as sqs

_TEXTS = {"S", "N"}
_BY_HASH = attrgetter("hash_key.cast_value")
_BY_BOTH = attrgetter("hash_key.cast_value", "range_key.cast_value")
_CONDITIONS: ContextVar[Sequence[tuple[str, DynamoType]]] = ContextVar("_CONDITIONS", default=())
_TRANSACTION: ContextVar[Sequence[Mapping[str, Any]] | None] = ContextVar("_TRANSACTION", default=None)
_query_of_moto = Table.query
_transact_of_moto = DynamoDBBackend.transact_write_items
_serialize_of_moto = ResponseSerializer._serialize_type_structure  # noqa: SLF001  there is no public one
_method_names = cache(method_names_from_class)
_underscored = cache(camelcase_to_underscores)


def quicken() -> None:
    """Make every table of this process answer the same, only faster."""
    Table.query = _query  # type: ignore[assignment,method-assign]
    Table.all_items = _all_items  # type: ignore[assignment,method-assign]
    Table.__deepcopy__ = _copy  # type: ignore[attr-defined]
    DynamoDBBackend.transact_write_items = _transact  # type: ignore[assignment,method-assign]
    ResponseSerializer._serialize_type_structure = _serialize  # type: ignore[assignment,method-assign]  # noqa: SLF001
    responses.method_names_from_class = _method_names  # type: ignore[attr-defined]
    responses.camelcase_to_underscores = sqs.camelcase_to_underscores = _underscored  # type: ignore[attr-defined]
    responses.gen_amzn_requestid_long = _number_answer  # type: ignore[attr-defined]


def _number_answer(headerdict: dict[str, Any] | None = None) -> str:
    number = uuid4().hex
    if headerdict is not None:
        headerdict["x-amzn-requestid"] = number
    return number


def _transact(backend: DynamoDBBackend, transact_items: list[dict[str, Any]]) -> None:
    before = _TRANSACTION.set(transact_items)
    try:
        _transact_of_moto(backend, transact_items)
    finally:
        _TRANSACTION.reset(before)


def _copy(table: Table, memo: dict[int, Any]) -> Table:
    # moto copies the whole table for each item of a transaction, to restore it after a failure: copies of the
    # affected partitions suffice.
    transaction = _TRANSACTION.get()
    duplicate: Table = object.__new__(type(table))
    memo[id(table)] = duplicate
    if transaction is None:
        duplicate.__dict__.update(deepcopy(table.__dict__, memo))
        return duplicate
    duplicate.__dict__.update(table.__dict__)
    partitions: Any = copy(table.items)
    duplicate.items = partitions
    for operation in itertools.chain.from_iterable(item.values() for item in transaction):
        value = (operation.get("Item") or operation.get("Key", {})).get(table.hash_key_attr)
        if value and (key := DynamoType(value)) in partitions:
            # A copy of a copy, because other threads write meanwhile.
            partitions[key] = deepcopy(copy(partitions[key]), memo)
    return duplicate


def _query(table: Table, *arguments: Any, **named: Any) -> Any:  # noqa: ANN401  passed on unchanged
    before = _CONDITIONS.set(named.get("hash_key_conditions") or ())
    try:
        return _query_of_moto(table, *arguments, **named)
    finally:
        _CONDITIONS.reset(before)


def _all_items(table: Table) -> list[Item]:
    # Lists, because other threads write meanwhile.
    partitions: Any = list(table.items.values())
    items = (
        partitions
        if table.range_key_attr is None
        else [item for partition in partitions for item in list(partition.values())]
    )
    for name, value in _CONDITIONS.get():
        items = [item for item in items if name in item.attrs and item.attrs[name].value == value.value]
    return sorted(items, key=_BY_HASH if table.range_key_attr is None else _BY_BOTH)


def _serialize(
    serializer: ResponseSerializer,
    serialized: MutableMapping[str, Any],
    value: DynamoType | dict[str, Any],
    shape: StructureShape,
    key: str,
) -> None:
    content = value.to_json() if isinstance(value, DynamoType) else value
    if shape.name == "AttributeValue" and content.keys() <= _TEXTS:
        serialized[key] = content
    else:
        _serialize_of_moto(serializer, serialized, value, shape, key)
