"""Rows of one identifier belong together anywhere in the file, and must agree."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ginuri import parse
from ginuri.registration.rows import Registration, Row, combine
from ginuri.registration.verdicts import Outcome, Verdict, refuse, warn
from ginuri.registry.record.serialization import Path
from ginuri.registry.record.statements import FIRST
from tests.builders import MAP, keyed, short

TITLE = ("title", "")


def _row(
    line: int, identifier: str | None = MAP, statements: Mapping[Path, Any] | None = None, **how: Any
) -> Row:
    return Row(line, parse(identifier) if identifier else None, keyed(statements or {}), **how)


def _form(key: str, ordinal: int, **values: str) -> dict[Path, Any]:
    place = ("representations", key)
    return {(*place, FIRST): ordinal, **{(*place, name): value for name, value in values.items()}}


def _registered(*rows: Row) -> Registration:
    [result] = combine(rows)
    assert isinstance(result, Registration)
    return result


def _refused(*rows: Row) -> Verdict:
    [result] = combine(rows)
    assert isinstance(result, Verdict)
    assert result.outcome is Outcome.REFUSED
    return result


def test_rows_of_one_identifier_anywhere_are_one_registration() -> None:
    results = list(
        combine(
            [
                _row(2, statements={TITLE: "Map"}),
                _row(3, "uri-gin/azgs/doc/other", statements={TITLE: "Other"}),
                _row(9, statements={("reason",): "why"}),
            ]
        )
    )

    assert [(str(result.identifier), tuple(result.lines)) for result in results] == [
        (MAP, (2, 9)),
        ("uri-gin/azgs/doc/other", (3,)),
    ]


def test_the_host_does_not_matter_for_combining_rows() -> None:
    registration = _registered(
        _row(1, f"http://resources.usgin.org/{MAP}", statements={TITLE: "Map"}),
        _row(2, f"https://geon.org:88/{MAP}", statements={("reason",): "why"}),
    )

    assert short(registration.statements) == {TITLE: "Map", ("reason",): "why"}


def test_a_terminal_slash_makes_another_registration() -> None:
    results = list(combine([_row(1, MAP), _row(2, MAP[:-1])]))

    assert len(results) == 2


def test_rows_may_repeat_the_same_value() -> None:
    registration = _registered(*(_row(line, statements={TITLE: "Map"}) for line in (1, 2, 3)))

    assert registration.lines == (1, 2, 3)
    assert short(registration.statements) == {TITLE: "Map"}


def test_rows_that_contradict_each_other_are_refused_together() -> None:
    verdict = _refused(
        _row(80, statements={TITLE: "Pool Spring"}),
        _row(86, statements={TITLE: "Trilby Spring"}),
        _row(87, statements={("reason",): "why"}),
    )

    [finding] = verdict.findings
    assert verdict.lines == (80, 86, 87)
    assert (finding.field, finding.rule, finding.value) == ("title", "one value", "Trilby Spring")
    assert "'Pool Spring' (80)" in str(finding.message)
    assert "'Trilby Spring' (86)" in str(finding.message)


def test_one_identifier_in_a_whole_column_gives_a_short_report() -> None:
    verdict = _refused(*(_row(line, statements={TITLE: f"Well {line}"}) for line in range(2, 2_000)))

    [finding] = verdict.findings
    assert len(verdict.lines) == 1_998
    assert len(str(finding.message)) < 5_000


def test_a_row_that_clears_contradicts_one_with_a_value() -> None:
    verdict = _refused(_row(1, statements={("reason",): None}), _row(2, statements={("reason",): "why"}))

    assert [finding.field for finding in verdict.findings] == ["reason"]


def test_titles_in_two_languages_do_not_contradict_each_other() -> None:
    registration = _registered(
        _row(1, statements={("title", "de"): "Karte"}), _row(2, statements={("title", "es"): "Mapa"})
    )

    assert short(registration.statements) == {("title", "de"): "Karte", ("title", "es"): "Mapa"}


def test_representations_are_numbered_through_all_rows() -> None:
    registration = _registered(
        _row(1, statements=_form("part a.pdf", 0, media_type="application/pdf")),
        _row(2, statements=_form("part a.png", 0, media_type="image/png")),
        _row(3, statements=_form("part a.html", 0, media_type="text/html")),
    )

    assert [
        short(registration.statements)["representations", f"part a.{end}", FIRST]
        for end in ("pdf", "png", "html")
    ] == [
        0,
        1,
        2,
    ]


def test_a_form_in_two_rows_keeps_its_first_place() -> None:
    registration = _registered(
        _row(1, statements=_form("a", 0)),
        _row(2, statements=_form("b", 0)),
        _row(3, statements=_form("a", 0)),
    )

    ordinals = {path[1]: value for path, value in short(registration.statements).items() if path[-1] == FIRST}
    assert ordinals == {"a": 0, "b": 1}


def test_one_form_with_two_locations_is_a_contradiction() -> None:
    verdict = _refused(
        _row(4, statements=_form("part a.pdf", 0, location="https://a.example/")),
        _row(5, statements=_form("part a.pdf", 0, location="https://b.example/")),
    )

    [finding] = verdict.findings
    assert finding.field == "location"


def test_a_property_named_first_is_a_value_like_any_other() -> None:
    registration = _registered(_row(1, statements={("properties", "first"): "one", ("links", "first"): []}))

    assert short(registration.statements) == {("properties", "first"): "one", ("links", "first"): []}


def test_a_property_named_first_can_be_contradicted() -> None:
    verdict = _refused(
        _row(1, statements={("properties", "first"): "one"}),
        _row(2, statements={("properties", "first"): "two"}),
    )

    assert [finding.field for finding in verdict.findings] == ["properties.first"]


def test_a_bad_row_refuses_all_rows_of_its_identifier() -> None:
    bad = refuse("location", "location", "ftp://x", "no location")

    verdict = _refused(_row(1, statements={TITLE: "Map"}), _row(2, findings=(bad,)), _row(3))

    assert verdict.lines == (1, 2, 3)
    assert verdict.identifier == MAP
    assert list(verdict.findings) == [bad]


def test_warnings_of_all_rows_belong_to_the_registration() -> None:
    warnings = [warn("identifier", "normal form", str(number), "another writing") for number in range(2)]

    registration = _registered(
        *(_row(line + 1, findings=(warning,)) for line, warning in enumerate(warnings))
    )

    assert list(registration.findings) == warnings


def test_a_row_without_an_identifier_has_its_own_verdict() -> None:
    bad, known = refuse("", "JSON", "{", "no JSON"), warn("colour", "unknown column", "colour", "no field")

    results = list(combine([_row(1, None, findings=(known,)), _row(2, None, findings=(bad,)), _row(3)]))

    assert results[:2] == [
        Verdict(Outcome.WARNED, (1,), None, (known,)),
        Verdict(Outcome.REFUSED, (2,), None, (bad,)),
    ]
    assert isinstance(results[2], Registration)


def test_a_heading_without_findings_has_no_verdict() -> None:
    assert list(combine([_row(1, None)])) == []
