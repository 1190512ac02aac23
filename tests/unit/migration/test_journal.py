"""The state of a comparison: answers are stored in a file, and recalled."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from ginuri.migration.verification.answers import ResolverAnswer
from ginuri.migration.verification.comparison import BothAnswers, SideAnswer
from ginuri.migration.verification.journal import Journal, OtherComparison
from ginuri.migration.verification.probe import RateLimit, Resolver
from ginuri.migration.verification.requests import IdentifierUses, Resolvers, Use

RESOLVERS = Resolvers(Resolver("http://here.example", 1), Resolver("https://there.example", 1), RateLimit(1))
NAMED = IdentifierUses(7, "purl.example.org", "/net/a", [Use(None), Use("text/turtle", 9)])
UNNAMED = IdentifierUses(None, None, "/uri-gin/azgs/doc/a", [Use(None)])
PLACE = ResolverAnswer(302, "https://a.example/ä")
ANSWERS = [
    BothAnswers(
        None,
        SideAnswer("http://purl.example.org/net/a", ResolverAnswer(302, "/net/b"), end=PLACE),
        SideAnswer("https://purl.example.org/net/a", PLACE),
    ),
    BothAnswers(
        "text/turtle",
        SideAnswer("http://purl.example.org/net/a", ResolverAnswer(200, media_type="text/turtle")),
        SideAnswer("https://purl.example.org/net/a", ResolverAnswer(error="no answer")),
    ),
]
OTHERS = [
    BothAnswers(
        None,
        SideAnswer("http://there.example/uri-gin/azgs/doc/a", PLACE),
        SideAnswer("https://there.example/uri-gin/azgs/doc/a", PLACE),
    )
]


def _journal(path: Path, settings: str = "a") -> Journal:
    return Journal(path / "state", {"--accept": settings}, RESOLVERS)


def test_stored_answers_are_recalled_by_another_process(tmp_path: Path) -> None:
    with closing(_journal(tmp_path)) as journal:
        journal.store(0, NAMED, ANSWERS)
        journal.store(2, UNNAMED, OTHERS)

    with closing(_journal(tmp_path)) as journal:
        assert journal.recall(0, NAMED) == ANSWERS
        assert journal.recall(1, NAMED) is None
        assert journal.recall(2, UNNAMED) == OTHERS
        assert journal.recall(3, NAMED) is None


def test_the_last_of_several_answers_counts(tmp_path: Path) -> None:
    with closing(_journal(tmp_path)) as journal:
        for answers in (ANSWERS[:1], ANSWERS):
            journal.store(0, NAMED, answers)

    with closing(_journal(tmp_path)) as journal:
        assert journal.recall(0, NAMED) == ANSWERS


def test_answers_to_another_identifier_are_not_recalled(tmp_path: Path) -> None:
    with closing(_journal(tmp_path)) as journal:
        journal.store(0, NAMED, ANSWERS)

    with closing(_journal(tmp_path)) as journal, pytest.raises(OtherComparison, match="request"):
        journal.recall(0, UNNAMED)


def test_other_settings_are_another_comparison(tmp_path: Path) -> None:
    _journal(tmp_path).close()

    with pytest.raises(OtherComparison, match="--accept"):
        _journal(tmp_path, "b")
