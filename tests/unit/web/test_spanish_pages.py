"""Do advice, explanations, searches and what is published speak Spanish as well?"""

from __future__ import annotations

import ast
import inspect
import json
from http import HTTPStatus
from pathlib import Path
from types import ModuleType
from typing import get_args

import pytest

from ginuri.i18n.translation import as_html, as_text
from ginuri.identifiers import parse
from ginuri.identifiers.errors import MalformedIdentifier
from ginuri.identifiers.messages import message
from ginuri.registry.model import Scheme
from ginuri.resolution import outcomes
from ginuri.resolution.negotiation.negotiation import Preferences
from ginuri.resolution.outcomes import Decision, Malformed, NotRegistered, Retired
from ginuri.web import content, lookups
from ginuri.web.answers import advice, publications
from ginuri.web.answers import descriptions as description_answers
from ginuri.web.answers import search as search_answers
from ginuri.web.answers import services as service_answers
from ginuri.web.answers.advice import explain
from ginuri.web.answers.problems import Problem, write_problem
from ginuri.web.pages import explanation as explanation_page
from ginuri.web.pages import search as search_page
from tests.builders import MAP, find, resource
from tests.catalogues import SPANISH

SCHEME = Scheme(identifier="uri-gin/", modified="")
MODULES = (
    advice,
    content,
    description_answers,
    lookups,
    publications,
    search_answers,
    search_page,
    service_answers,
)
SPEAKING = {"message": 0, "translate": 0, "Message": 0, "Problem": None, "Advice": 1, "as_html": 0}


def _sentences(module: ModuleType) -> set[str]:
    """Gather the texts that a module says: those of its calls, and what it puts into variables first."""
    found = set()
    for each in ast.walk(ast.parse(inspect.getsource(module))):
        said_by: list[ast.expr] = []
        if isinstance(each, ast.Call) and isinstance(each.func, ast.Name) and each.func.id in SPEAKING:
            place = SPEAKING[each.func.id]
            said_by = each.args if place is None else each.args[place : place + 1]
        elif isinstance(each, ast.Assign) and {it.id for it in each.targets if isinstance(it, ast.Name)} & {
            "detail",
            "told",
            "cut",
            "LICENCE_NOTE",
        }:
            said_by = [each.value]
        found |= {it.value for it in said_by if isinstance(it, ast.Constant) and isinstance(it.value, str)}
    return found


@pytest.mark.parametrize("module", MODULES, ids=lambda it: it.__name__.rpartition(".")[2])
def test_all_that_a_module_says_is_said_in_spanish(module: ModuleType) -> None:
    sentences = _sentences(module)

    assert sentences
    assert sentences - SPANISH.keys() == set()


def test_every_step_filter_and_outcome_of_an_explanation_is_said_in_spanish() -> None:
    told = {*explanation_page._STEPS.values(), *search_page.FILTERS.values(), *search_page._TURNS.values()}  # noqa: SLF001  the tables themselves
    told |= {(each.__doc__ or "").partition("\n")[0] for each in get_args(Decision)}
    told |= {(outcomes.Versioned.__doc__ or "").partition("\n")[0]}

    assert told - SPANISH.keys() == set()


def test_every_rule_that_an_identifier_can_break_is_said_in_spanish() -> None:
    folder = Path(inspect.getfile(parse)).parent
    rules = set()
    for path in folder.rglob("*.py"):
        for each in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(each, ast.keyword) and each.arg == "rule" and isinstance(each.value, ast.Constant):
                rules.add(str(each.value.value))

    assert len(rules) > 5
    assert {f"rule {each}" for each in rules} - SPANISH.keys() == set()


def _page(problem: Problem, languages: str) -> tuple[str, dict[str, str]]:
    answered = write_problem(HTTPStatus.NOT_FOUND, problem, Preferences("text/html", languages), ())
    return str(answered.body, "utf-8"), dict(answered.headers)


def test_advice_is_a_page_in_spanish_for_who_prefers_it() -> None:
    page, headers = _page(explain(NotRegistered(find(MAP, SCHEME), near=())), "es-MX, es;q=0.9, en;q=0.5")

    assert headers["Content-Language"] == "es"
    assert '<html lang="es">' in page
    assert "<h1>Este identificador no está registrado</h1>" in page
    assert f"Nadie ha registrado {MAP}." in page
    assert "Ir al contenido" in page
    assert "Acerca de este servidor" in page


def test_advice_is_a_document_in_english_for_every_machine() -> None:
    problem = explain(NotRegistered(find(MAP, SCHEME), near=()))

    answered = write_problem(HTTPStatus.NOT_FOUND, problem, Preferences("application/json", "es"), ())

    assert json.loads(answered.body)["detail"] == f"Nobody has registered {MAP}."
    assert "Content-Language" not in dict(answered.headers)


def test_a_title_in_the_advice_is_in_the_readers_language_and_marked_where_it_is_not() -> None:
    spoken = {"en": "A map", "es": "Un mapa"}

    for titles, told in ((spoken, "Un mapa"), ({"de": "Karte"}, '<span lang="de" dir="auto">Karte</span>')):
        record = resource(titles=titles)
        page, _ = _page(explain(Retired(find(MAP, record), record)), "es")
        assert f"{MAP} nombraba: {told}. Ya no está en uso." in page


@pytest.mark.parametrize("text", ["uri-gin/azgs//x", "uri-gin/azgs/%zz", "uri-gin/azgs/a?b", "info:pmid"])
def test_what_cannot_be_an_identifier_is_told_which_segment_and_why_in_spanish(text: str) -> None:
    with pytest.raises(MalformedIdentifier) as raised:
        parse(text)

    page, _ = _page(explain(Malformed(raised.value)), "es")

    assert "no es un identificador:" in page
    assert 'lang="en"' not in page


def test_a_rule_without_words_in_spanish_is_told_in_english_and_says_so() -> None:
    problem = explain(Malformed(MalformedIdentifier("x", "too <odd>", rule="new")))

    page, _ = _page(problem, "es")

    assert '<span lang="en" dir="auto">too &lt;odd&gt;</span>' in page
    assert as_text(problem.detail) == "'x' is no identifier: '' at character 0: too <odd>"


@pytest.mark.parametrize("data", ["{x}", "<b>", "\0", "{", "%s", "a\0x\0b"])
def test_whatever_is_told_in_a_sentence_stands_there_as_it_is(data: str) -> None:
    sentence = message("Nobody has registered {identifier}.", identifier=data)

    assert as_text(sentence) == f"Nobody has registered {data}."
    assert "<b>" not in as_html(sentence, (("es", 1.0),))
