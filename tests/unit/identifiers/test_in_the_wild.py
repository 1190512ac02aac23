"""500 ginURIs from public repositories, with the verdict of the strict grammar and the reason."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from ginuri import MalformedIdentifier, UnknownScheme, parse

# The file's reasons, and the name of the rule for each.
LENIENT_RULES = {"fragment": "fragment", "uri_gin-underscore": "URIscheme"}
STRICT_RULES = {
    "bad-bound-char": "safeBoundChar",
    "colon": "unreserved",
    "colon,one-char-segment": "unreserved",  # our strict grammar allows one character; no colon
    "plus": "unreserved",
    **LENIENT_RULES,
}


def _rule(text: str, *, strict: bool) -> str | None:
    try:
        parse(text, strict=strict)
    except MalformedIdentifier as error:
        return error.rule
    return None


@pytest.fixture(scope="module")
def wild(shared_data: Path) -> list[tuple[str, str, str]]:
    lines = (shared_data / "usgin" / "real-ginuris-sample.tsv").read_text(encoding="utf-8").splitlines()
    return [(uri, fits, why) for uri, fits, why in _cells(lines[1:])]


def _cells(lines: list[str]) -> Iterator[tuple[str, str, str]]:
    for line in lines:
        uri, fits, *why = line.split("\t")
        yield uri, fits, "".join(why).strip()


def test_the_sample_has_500_names(wild: list[tuple[str, str, str]]) -> None:
    assert len(wild) == 500


def test_each_sample_name_parses_leniently_or_is_refused_for_the_given_reason(
    wild: list[tuple[str, str, str]],
) -> None:
    wrong = [
        (uri, why, rule)
        for uri, _, why in wild
        if (rule := _rule(uri, strict=False)) != LENIENT_RULES.get(why)
    ]

    assert wrong == []


def test_the_strict_verdict_is_that_of_the_second_column(wild: list[tuple[str, str, str]]) -> None:
    wrong = [(uri, fits) for uri, fits, _ in wild if (_rule(uri, strict=True) is None) != (fits == "Y")]

    assert wrong == []


def test_the_strict_reason_is_that_of_the_third_column(wild: list[tuple[str, str, str]]) -> None:
    wrong = [
        (uri, why, rule) for uri, _, why in wild if (rule := _rule(uri, strict=True)) != STRICT_RULES.get(why)
    ]

    assert wrong == []


def test_an_underscore_for_the_hyphen_is_an_unknown_scheme(wild: list[tuple[str, str, str]]) -> None:
    underscored = [uri for uri, _, why in wild if why == "uri_gin-underscore"]

    assert len(underscored) == 4
    for uri in underscored:
        with pytest.raises(UnknownScheme, match="did you mean uri-gin"):
            parse(uri)
