"""The names of tests are plain sentences."""

import pytest

from infra.claims import find_faults


@pytest.mark.parametrize(
    "claim",
    [
        "a terminal slash makes another identifier",
        "the first of two contradicting uploads wins",
        "an understanding reader standardizes the outcome of a saying",
        "one two three four five six seven eight nine ten eleven twelve",
    ],
)
def test_a_plain_sentence_names_a_test(claim: str) -> None:
    assert find_faults(f"test_{claim.replace(' ', '_')}") == []


@pytest.mark.parametrize(
    ("claim", "fault"),
    [
        ("one two three four five six seven eight nine ten eleven twelve 13", "has more than twelve words"),
        ("what was written is read back", "does not begin with its subject"),
        ("of two uploads the first wins", "does not begin with its subject"),
        ("an outcome is told in every language", "reads like a translation"),
        ("another host answers for names of ours", "reads like a translation"),
        ("a pattern takes digits and nothing else", "reads like a translation"),
        ("the registry is theirs", "reads like a translation"),
    ],
)
def test_a_long_or_unclear_name_is_refused(claim: str, fault: str) -> None:
    assert find_faults(f"test_{claim.replace(' ', '_')}") == [fault]
