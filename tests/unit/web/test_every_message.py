"""Is every possible message raised, on a page and in a document, in every language?

The cases are checked against the code: a message that no case raises, or an outcome without a case, is a
failure.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from http import HTTPStatus
from typing import get_args

import pytest

from ginuri.descriptions.composer import compose
from ginuri.descriptions.html.page import write_page
from ginuri.i18n.catalogue import spoken_languages
from ginuri.i18n.translation import as_html
from ginuri.identifiers import Identifier, Kind, parse, parse_host
from ginuri.identifiers.errors import MalformedIdentifier, RegistryUnavailable, TooManySteps, UnknownScheme
from ginuri.identifiers.grammars.bound import parse_bound
from ginuri.identifiers.grammars.generic import split
from ginuri.identifiers.messages import Message, Words, message
from ginuri.registry.model import NameAuthority, Namespace, Resource, Scheme, Status
from ginuri.registry.statuses import STATUSES
from ginuri.resolution.descriptions.decision import Describe
from ginuri.resolution.explanations.explanation import MEANINGS, OF_SERVICE, PREFERRED
from ginuri.resolution.negotiation.negotiation import Preferences
from ginuri.resolution.outcomes import (
    Choices,
    ContentLost,
    Decision,
    Embargoed,
    Malformed,
    MethodNotAllowed,
    NoSuchHost,
    NoSuchScheme,
    NoSuchTitle,
    NoSuchVersion,
    NotAcceptable,
    NotRegistered,
    Reserved,
    Retired,
    RuledOut,
    Unanswered,
    Unavailable,
    UnreadableMoment,
    Withheld,
)
from ginuri.resolution.versions.timeline import Timeline
from ginuri.web.answers.advice import explain
from ginuri.web.answers.problems import write_problem
from infra.catalogues import SOURCES, extract
from tests.builders import MAP, find, representation, resource

STRICT: Callable[[str], Identifier] = partial(parse, strict=True)
LENIENT: Callable[[str], Identifier] = parse
BROKEN: list[tuple[Callable[[str], object], str]] = [
    (LENIENT, "uri-gin/azgs/%zz"),
    (LENIENT, "uri-gin/azgs/a#b"),
    (LENIENT, "uri-gin/azgs/a?b"),
    (LENIENT, "uri-gin/azgs//x"),
    (LENIENT, "uri-gin/azgs/../x"),
    (LENIENT, "uri-gin/azgs/a b"),
    (LENIENT, f"uri-gin/{'x' * 1100}"),
    (LENIENT, f"uri-gin{'/x' * 33}"),
    (STRICT, "uri-gin/azgs"),
    (STRICT, "uri-gin/azgs/a!b"),
    (STRICT, "uri-gin/azgs/-a"),
    (LENIENT, "ark:aeiou/x"),
    (LENIENT, "ark:12345"),
    (LENIENT, "ark:12345/x#y"),
    (LENIENT, "ark:12345/--"),
    (LENIENT, "urn:?+x"),
    (LENIENT, "urn:isbn"),
    (LENIENT, "urn:isbn:x?y"),
    (LENIENT, "urn:isbn:x?+y é"),
    (LENIENT, "urn:isbn:x?+?"),
    (LENIENT, "urn:-a:x"),
    (STRICT, "urn:ab:x"),
    (LENIENT, "urn:isbn:%z"),
    (LENIENT, "urn:isbn:%00"),
    (LENIENT, "urn:isbn:\0"),
    (LENIENT, "urn:isbn:/x"),
    (STRICT, "urn:isbn:a/b"),
    (LENIENT, "urn:isbn:a b"),
    (LENIENT, "info:pmid/1#x"),
    (LENIENT, "info:pmid/1?x"),
    (LENIENT, "info:1/x"),
    (LENIENT, "info:pmid"),
    (STRICT, "info:pmid/./x"),
    (LENIENT, "ftp://example.org/x"),
    (LENIENT, "uri_gin/azgs/"),
    (LENIENT, "doi/x"),
    (parse_host, "a b"),
    (split, "relative"),
    (partial(parse_bound, host="id.example"), "assets/x"),
]
AZGS = NameAuthority(
    identifier="uri-gin/azgs/",
    modified="",
    titles={"": "Arizona Geological Survey"},
    contact="maps@azgs.example",
)
SCHEME = Scheme(identifier="uri-gin/", modified="")
INFO = Scheme(identifier="info:", modified="")
PMID = Namespace(
    identifier="info:pmid/",
    modified="",
    services=({"href": "https://pubmed.example/{rest}", "title": "PubMed"},),
)
TIMELINE = Timeline(MAP, Kind.THING, ("1997-06-01", "prospective"))
THE_MAP = resource(titles={"": "DGM 37"}, reason="DGM37bis", successor="uri-gin/azgs/doc/map/DGM38/")
CONTACTED = resource(contact="maps@azgs.example")
FORMS = (
    representation("application/pdf", part="map.pdf"),
    representation("image/x-survey", location="https://a.b/d", language="de"),
    representation(None, location="https://a.b/c", language="tlh"),
)
UNANSWERED: list[Unanswered] = [
    Malformed(MalformedIdentifier("x", message("only http and https URIs are supported"), rule="httpURI")),
    NoSuchHost(parse("//evil.example/x")),
    NoSuchScheme(
        UnknownScheme(
            "x/y", message("{path} is reserved for the service itself", path="/x"), rule="reserved", segment=1
        )
    ),
    NotRegistered(find(MAP, AZGS), near=("uri-gin/AZGS/doc/map/DGM38/",)),
    NotRegistered(find(MAP), in_sequence=("uri-gin/azgs/doc/map/DGM36/", "uri-gin/azgs/doc/map/DGM39/")),
    NotRegistered(find(MAP)),
    NotRegistered(find("//id.example/doc/x")),
    NotRegistered(find("//id.example/doc/x"), fallback="legacy.example.net"),
    NotRegistered(find("info:lccn/1", INFO)),
    NotRegistered(find("info:pmid/1", INFO, PMID)),
    NoSuchTitle(find(AZGS.identifier, AZGS), AZGS, "Geology"),
    NoSuchVersion(find(MAP), THE_MAP, TIMELINE),
    UnreadableMoment(find(MAP), THE_MAP, TIMELINE),
    Reserved(find(MAP, AZGS), CONTACTED),
    Embargoed(find(MAP, AZGS), CONTACTED),
    Withheld(find(MAP, AZGS), resource(reason="By order")),
    Withheld(find(MAP), resource(requested_by="A court")),
    Retired(find(MAP), THE_MAP),
    Retired(find(f"{MAP}map.pdf"), THE_MAP),
    Retired(find("ark:12345/x8/c3"), resource("ark:12345/x8", status=Status.RETIRED)),
    NotAcceptable(find(MAP), THE_MAP, FORMS),
    RuledOut(find(MAP, SCHEME), THE_MAP),
    Choices(find(MAP), ("uri-gin/azgs/a/", "uri-gin/azgs/b/")),
    ContentLost("maps/image.pdf"),
    MethodNotAllowed("POST"),
    Unavailable(1),
    Unavailable(300, is_costly=True),
    Unavailable(5),
]
LANGUAGES = spoken_languages()
ENGLISH_MARK = '<span lang="en"'


def _extracted(place: str) -> set[object]:
    return {extracted.id for extracted in extract([SOURCES[0] / place]) if extracted.id}


def _said(words: Words) -> Iterator[object]:
    """Return the keys of a message, and of those in it, in a catalogue."""
    if isinstance(words, str):
        yield words
        return
    yield (words.template, words.plural) if words.plural else words.template
    for value in words.values.values():
        if isinstance(value, Message):
            yield from _said(value)


def _fault(read: Callable[[str], object], text: str) -> MalformedIdentifier:
    with pytest.raises(MalformedIdentifier) as raised:
        read(text)
    return raised.value


def _advised(decision: Unanswered) -> Iterator[object]:
    problem = explain(decision)
    for words in (problem.title, problem.detail, *(advice.text for advice in problem.advice)):
        yield from _said(words)


def _page(decision: Unanswered, language: str) -> str:
    preferences = Preferences("text/html", language)
    return str(write_problem(HTTPStatus.NOT_FOUND, explain(decision), preferences, ()).body, "utf-8")


def test_every_fault_of_an_identifier_is_raised() -> None:
    raised = {words for case in BROKEN for words in _said(_fault(*case).words)}
    raised |= {
        words for error in (RegistryUnavailable("SlowDown"), TooManySteps()) for words in _said(error.words)
    }
    # The reason why two names are equal is no error: test_equivalence.
    faults = _extracted("identifiers/") - _extracted("identifiers/comparison/equivalence.py")

    assert faults - raised == set()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("read", "text"), BROKEN)
def test_a_fault_of_an_identifier_is_described_in_every_language(
    read: Callable[[str], object], text: str, language: str
) -> None:
    assert ENGLISH_MARK not in _page(Malformed(_fault(read, text)), language)


def test_every_error_outcome_is_explained_with_every_advice() -> None:
    explained = {words for decision in UNANSWERED for words in _advised(decision)}

    assert {type(decision) for decision in UNANSWERED} == set(get_args(Unanswered))
    assert _extracted("web/answers/advice.py") - explained == set()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("decision", UNANSWERED, ids=lambda decision: type(decision).__name__)
def test_an_outcome_is_explained_in_every_language(decision: Unanswered, language: str) -> None:
    page = _page(decision, language)

    assert f'<html lang="{language}">' in page
    assert ENGLISH_MARK not in page


@pytest.mark.parametrize("decision", UNANSWERED, ids=lambda decision: type(decision).__name__)
def test_a_document_explains_an_outcome_in_english(decision: Unanswered) -> None:
    problem, preferences = explain(decision), Preferences("application/json", "es")

    document = json.loads(write_problem(HTTPStatus.NOT_FOUND, problem, preferences, ()).body)

    assert (document["title"], document["detail"]) == (str(problem.title), str(problem.detail))
    assert "{" not in document["detail"]


def test_every_outcome_has_a_meaning() -> None:
    assert MEANINGS.keys() == set(get_args(Decision))
    meanings = (*MEANINGS.values(), PREFERRED, OF_SERVICE)
    assert {words for meaning in meanings for words in _said(meaning)} == _extracted(
        "resolution/explanations/explanation.py"
    ) | {meaning.meaning for meaning in STATUSES.values() if meaning.meaning}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("outcome", MEANINGS, ids=lambda outcome: outcome.__name__)
def test_an_explanation_describes_an_outcome_in_every_language(
    outcome: type[Decision], language: str
) -> None:
    assert ENGLISH_MARK not in as_html(MEANINGS[outcome], ((language, 1.0),))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("status", Status)
def test_a_page_describes_a_status_in_every_language(status: Status, language: str) -> None:
    record: Resource = replace(THE_MAP, status=status)
    outcome = Describe(
        find(MAP).identifier,
        record,
        find(MAP, record),
        "resources.example.org",
        "html",
        negotiated=False,
        languages=((language, 1.0),),
    )

    page = write_page(compose(outcome)).decode()

    assert f'<html lang="{language}">' in page
    assert ENGLISH_MARK not in page
    assert ('class="notice"' in page) == (status is not Status.VALID)
