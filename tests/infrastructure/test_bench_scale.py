"""The benches of size load the items that the adapter would write, and count calls."""

from __future__ import annotations

from ginuri.aws.dynamodb.reader import DynamoReader
from ginuri.aws.dynamodb.record_writer import DynamoRegistry
from ginuri.identifiers.comparison.folding import fold
from infra.bench import many_rules
from infra.bench.records import change, registered, unregistered
from infra.bench.scale import compare, load, make_table, table_of
from tests.aws import dynamodb_client


def test_the_loaded_table_has_the_adapters_items_and_expected_calls(dynamodb_local: str) -> None:
    client, sizes = dynamodb_client(dynamodb_local), (30, 61)
    for size in sizes:
        make_table(client, table_of(size))
        load(client, dynamodb_local, table_of(size), size)

    registry, reader = DynamoRegistry(client, table_of(61)), DynamoReader(client, table_of(61))
    rows = compare(client, sizes, pairs=3)

    assert registry.read([registered(60)])[registered(60)] == change(registered(60)).after
    assert registry.read([registered(61), unregistered(0)]) == {}
    assert reader.near(fold(registered(60))) == [registered(60)]
    assert [(row[0], *row[-2:]) for row in rows] == [
        ("hit", "1", "1"),
        ("rule", "1", "1"),
        ("miss", "2", "2"),
        ("first page", "2", "2"),
        ("last page", "2", "2"),
    ]
    client.close()


def test_the_loaded_rules_are_those_of_the_adapter_and_cost_one_call(dynamodb_local: str) -> None:
    client, sizes = dynamodb_client(dynamodb_local), (10, 31)
    for size in sizes:
        make_table(client, many_rules.table_of(size))
        many_rules.load(client, dynamodb_local, many_rules.table_of(size), size)

    registry, loaded = DynamoRegistry(client, many_rules.table_of(31)), many_rules.rule_change(30).after
    registered_before = registry.read([loaded.identifier])
    listed = registry.beginnings(many_rules.PREFIX).names
    rows = {row[0]: row[-2:] for row in many_rules.compare(client, sizes, pairs=2)}

    assert registered_before == {loaded.identifier: loaded}
    assert len(listed) == 31
    assert rows["answer by a rule, nothing in memory"] == ("1", "1")
    assert rows["answer by a rule, the rest in memory"] == ("1", "1")
    assert rows["no rule, the rest in memory"] == ("1", "1")
    assert rows["register a catch-all"][0] == rows["register a catch-all"][1]
    client.close()
