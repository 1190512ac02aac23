"""The prefixes that identifiers are counted under."""

from __future__ import annotations

from operator import add

from ginuri.migration.verification.prefixes import group_of, merge_groups, prefix_of


def _weigh(count: int) -> tuple[float, float]:
    return count, 0


def test_a_prefix_ends_with_a_break() -> None:
    cases = {
        "purl.example.org/obo/HP_0000001": "purl.example.org/obo/HP_",
        "purl.example.org/ref/states/01/": "purl.example.org/ref/states/",
        "purl.example.org/a?b=/c/d": "purl.example.org/",
        "resolver.example/ark:12345/x6": "resolver.example/ark:12345/",
        "resolver.example/doi:10.1000": "resolver.example/doi:",
        "resolver.example/": "",
    }

    assert {name: prefix_of(name) for name in cases} == cases


def test_the_lightest_groups_are_merged_into_those_above() -> None:
    groups = {"a.example/x/y/": 1, "a.example/x/": 2, "a.example/z/": 5, "b.example/": 9, "c.example/": 1}

    merge_groups(groups, add, _weigh, 4)
    assert groups == {"a.example/x/": 3, "a.example/z/": 5, "b.example/": 9, "c.example/": 1}

    merge_groups(groups, add, _weigh, 2)
    assert groups == {"b.example/": 9, "": 9}

    merge_groups(groups, add, _weigh, 1)
    assert groups == {"": 18}


def test_a_name_is_in_the_longest_group_above_it() -> None:
    groups = {"a.example/x/": 1, "": 2}

    assert group_of("a.example/x/y/", groups) == "a.example/x/"
    assert group_of("a.example/z/", groups) == ""
