"""Reads the field `tests`: the types of its values, and paths below the identifier of the registration."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, PlainValidator, model_validator

from ginuri.files.schema.values import Text, Unfit, fold_word, read_identifier
from ginuri.identifiers import Identifier
from ginuri.identifiers.messages import message
from ginuri.identifiers.roots import printable_name
from ginuri.identifiers.service_paths import is_service_name
from ginuri.registration.checks.answer_tests import refuse_contradiction
from ginuri.registration.verdicts import Finding, refuse
from ginuri.registry.locations import is_location
from ginuri.registry.record.answer_tests import (
    HEADERS,
    TESTS,
    AnswerTest,
    find_contradiction,
    merge_tests,
    write_test,
)
from ginuri.registry.record.statements import JsonValue

_MOST_CHARACTERS = 2_000
# A path may be any that a client can send, even of no identifier (RFC 9112 §3.2); it has no fragment.
_PATH = re.compile(r"[!-\"$->@-~]*")
_QUERY = re.compile(r"[!-\"$-~]*")
# RFC 9110 §5.5  field-value, of visible ASCII characters and blanks
_HEADER_VALUE = re.compile(r"[!-~](?:[ \t!-~]*[!-~])?")
_HEADERS = {name.lower(): name for name in HEADERS}
_WHOLE = re.compile(r"(?:https?:)(//[^/?#]+)(/.*)?", re.IGNORECASE)
_STATUSES = range(200, 600)


def _path(text: str) -> str:
    path, mark, query = text.strip().partition("?")
    if len(text) > _MOST_CHARACTERS or not _PATH.fullmatch(path) or not _QUERY.fullmatch(query):
        raise ValueError(
            message(
                "Write the path as a client sends it, with escapes such as %20, without blanks and `#`, in "
                "at most {most} characters.",
                most=f"{_MOST_CHARACTERS:,}",
            )
        )
    return f"{path}{mark}{query}"


def _query(text: str) -> str:
    query = text.strip().removeprefix("?")
    if len(query) > _MOST_CHARACTERS or not _QUERY.fullmatch(query):
        raise ValueError(
            message(
                "Write the query as a client sends it, with escapes such as %20, without blanks and `#`, in "
                "at most {most} characters.",
                most=f"{_MOST_CHARACTERS:,}",
            )
        )
    return query


def _header(name: str) -> str:
    if (known := _HEADERS.get(name.strip().lower())) is None:
        raise ValueError(
            message(
                "A test may state these headers: {headers}. Others do not change where an answer leads.",
                headers=", ".join(HEADERS),
            )
        )
    return known


def _header_value(text: str) -> str:
    if len(text) > _MOST_CHARACTERS or not _HEADER_VALUE.fullmatch(text.strip()):
        raise ValueError(
            message(
                "Write the header as a client sends it, in ASCII characters and at most {most} of them.",
                most=f"{_MOST_CHARACTERS:,}",
            )
        )
    return text.strip()


def _status(given: object) -> int:
    text = str(given) if isinstance(given, int | str) and not isinstance(given, bool) else ""
    if not re.fullmatch(r"\s*[0-9]{3}\s*", text) or int(text) not in _STATUSES:
        raise ValueError(message("Write a status code from 200 to 599."))
    return int(text)


def _target(text: str) -> str:
    if text.startswith("/"):
        return _path(text)
    if is_location(text):
        return text
    if "://" in text:
        raise Unfit(message("Write the web address without blanks and in ASCII characters."))
    return read_identifier(text)


class AnswerTestFields(BaseModel):
    """One test: a request, and the expected status, the expected target, or both."""

    model_config = ConfigDict(extra="forbid", frozen=True, cache_strings="keys")

    path: Annotated[str, AfterValidator(_path)] | None = None
    query: Annotated[str, AfterValidator(_query)] | None = None
    headers: (
        dict[Annotated[str, AfterValidator(_header)], Annotated[str, AfterValidator(_header_value)]] | None
    ) = None
    status: Annotated[int, PlainValidator(_status)] | None = None
    target: Annotated[Text, AfterValidator(_target)] | None = None
    label: Text | None = None

    @model_validator(mode="after")
    def _expects(self) -> Self:
        if self.status is None and self.target is None:
            raise ValueError(message("A test expects a `status`, a `target`, or both. State one of them."))
        return self


TEST_FIELDS = tuple(AnswerTestFields.model_fields)
TEST_COLUMNS: Mapping[str, str] = {
    fold_word(f"{TESTS}.{name}"): f"{TESTS}.{name}" for name in (*TEST_FIELDS, *HEADERS) if name != "headers"
}
"""The columns of a table with one test in each row, by their folded names: `tests.path`, `tests.Accept`."""


def nest_test(cells: Mapping[str, str]) -> dict[str, Any]:
    """Return the test of a row, from the cells of its columns.

    >>> nest_test({"tests.path": "HP_1", "tests.Accept": "text/turtle"})
    {'path': 'HP_1', 'headers': {'Accept': 'text/turtle'}}
    """
    values = {name.removeprefix(f"{TESTS}."): text for name, text in cells.items()}
    test: dict[str, Any] = {name: text for name, text in values.items() if name not in HEADERS}
    headers = {name: text for name, text in values.items() if name in HEADERS}
    return {**test, "headers": headers} if headers else test


def read_tests(
    stated: Sequence[AnswerTestFields], identifier: Identifier
) -> tuple[list[JsonValue], list[Finding]]:
    """Return the value of the field for the tests of an identifier, with the findings on single tests."""
    tests, findings = list[AnswerTest](), list[Finding]()
    for number, fields in enumerate(stated):
        given, mark, within = (fields.path or "").partition("?")
        place, path = f"{TESTS}.{number}", _below(given, identifier)
        if path is None:
            findings.append(_refuse_outside(f"{place}.path", given, identifier))
        elif _is_of_service(identifier, path):
            findings.append(
                refuse(
                    f"{place}.path",
                    "service",
                    given,
                    "This is a path of the service itself, which no registration changes.",
                )
            )
        elif mark and fields.query:
            findings.append(
                refuse(
                    f"{place}.query",
                    "one query",
                    fields.query,
                    "The path has a query as well. State the query once.",
                )
            )
        test = AnswerTest(
            path or "",
            fields.query or within,
            dict(sorted((fields.headers or {}).items())),
            fields.status,
            fields.target,
            fields.label or "",
        )
        if find_contradiction([*tests, test]) is not None:
            findings.append(refuse_contradiction(place, test))
        tests.append(test)
    return merge_tests([write_test(test) for test in tests]), findings


def _below(given: str, identifier: Identifier) -> str | None:
    """Return the path after an identifier; None for a whole identifier that is not below it.

    >>> from ginuri.identifiers import parse
    >>> [_below(path, parse("http://id.example/obo/")) for path in ("HP_1", "http://id.example/obo/HP_1")]
    ['HP_1', 'HP_1']
    """
    name = identifier.normal_form
    if whole := _WHOLE.fullmatch(given):
        path = whole[2] or "/"
        full = f"{whole[1].lower()}{path}" if identifier.is_bound else path.removeprefix("/")
    elif given.startswith("/") and identifier.is_terminated:  # from the root of the host
        full = f"{identifier.root if identifier.is_bound else ''}{given[1:]}"
    elif given.startswith(name):
        full = given
    else:
        return given
    return full.removeprefix(name) if full.startswith(name) else None


def _is_of_service(identifier: Identifier, path: str) -> bool:
    # The empty name is that of the front page. A name that begins with such a path is judged with its host.
    first = f"{identifier.normal_form}{path}".removeprefix(identifier.root).partition("/")[0]
    return identifier.is_bound and not identifier.is_of_service and (first == "" or is_service_name(first))


def _refuse_outside(field: str, given: str, identifier: Identifier) -> Finding:
    return refuse(
        field,
        "under",
        given,
        "The path is not {identifier} or under it. State the test with the identifier that it is about, or "
        "write the text after {identifier} only.",
        identifier=printable_name(identifier.normal_form),
    )
