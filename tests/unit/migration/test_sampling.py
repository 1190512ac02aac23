"""The sample of a comparison: some identifiers of each prefix, which stand for all."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest

from ginuri.migration.verification.prefixes import merge_smaller, prefix_of
from ginuri.migration.verification.requests import IdentifierUses, Use
from ginuri.migration.verification.sampling import sample

HOST = "purl.example.org"


def _identifiers(prefix: str, number: int, count: float = 1) -> list[IdentifierUses]:
    uses = [Use(None, count / 2), Use("text/turtle", count / 2)]
    return [IdentifierUses(None, HOST, f"{prefix}{each}", uses) for each in range(number)]


def _targets(identifiers: list[IdentifierUses]) -> list[str]:
    return [each.target for each in identifiers]


def test_a_sample_has_at_most_so_many_identifiers_of_each_prefix() -> None:
    everything = _identifiers("/obo/HP_", 500) + _identifiers("/obo/GO_", 70) + _identifiers("/net/", 3)

    chosen = sample(everything, 10, "", HOST)

    assert Counter(prefix_of(each.target) for each in chosen) == {"/obo/HP_": 10, "/obo/GO_": 10, "/net/": 3}


def test_small_prefixes_are_sampled_together() -> None:
    everything = [each for name in range(100) for each in _identifiers(f"/net/{name}/", 2)]

    chosen = sample(everything, 10, "", HOST)

    assert len(chosen) == 10
    assert len({prefix_of(each.target) for each in chosen}) > 5


def test_groups_are_merged_until_each_is_large_enough() -> None:
    groups = {"a.example/x/1/": 2, "a.example/x/2/": 3, "a.example/y/": 9, "b.example/": 1}

    merge_smaller(groups, 5)

    assert groups == {"a.example/x/": 5, "a.example/y/": 9, "": 1}


def test_the_counts_of_a_sample_add_up_to_those_of_its_prefix() -> None:
    everything = [
        identifier
        for number, count in ((1, 1_000), (3, 200), (40, 10), (900, 0.5))
        for identifier in _identifiers(f"/a/{count}-", number, count)
    ]
    all_of_it = sum(each.count for each in everything)

    for most in (1, 2, 5, 50):
        chosen = sample(everything, most, "", HOST)

        assert len(chosen) == most
        assert sum(each.count for each in chosen) == pytest.approx(all_of_it)
        assert chosen[0].uses[0].count == chosen[0].uses[1].count


def test_the_most_used_identifiers_are_certain_and_keep_their_count() -> None:
    everything = _identifiers("/a/", 1, 1_000) + _identifiers("/a/rare-", 1_000)

    for seed in map(str, range(20)):
        first, *others = sample(everything, 11, seed, HOST)

        assert (first.target, first.count) == ("/a/0", 1_000)
        assert [each.count for each in others] == pytest.approx([100] * 10)


def test_a_seed_gives_the_same_sample_again() -> None:
    everything = _identifiers("/a/", 1_000)

    samples = [_targets(sample(everything, 20, seed, HOST)) for seed in ("one", "one", "two")]

    assert samples[0] == samples[1]
    assert samples[0] != samples[2]
    assert all(one < other for one, other in pairwise(int(each[3:]) for each in samples[0]))


def test_samples_are_right_on_average() -> None:
    everything = _identifiers("/a/", 90, 1) + _identifiers("/a/often-", 10, 11)

    shares = [
        sum(each.count for each in sample(everything, 10, str(seed), HOST) if "often" in each.target) / 200
        for seed in range(400)
    ]

    assert sum(shares) / len(shares) == pytest.approx(110 / 200, abs=0.02)
