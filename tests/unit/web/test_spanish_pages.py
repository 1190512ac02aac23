"""Are advice, explanations, searches and published pages available in Spanish as well?"""

from __future__ import annotations

import json
from http import HTTPStatus

import pytest

from ginuri.i18n.translation import as_text
from ginuri.identifiers import parse
from ginuri.identifiers.errors import MalformedIdentifier
from ginuri.identifiers.messages import message
from ginuri.registry.model import Scheme
from ginuri.resolution.negotiation.negotiation import Preferences
from ginuri.resolution.outcomes import Malformed, NotRegistered, Retired
from ginuri.web.answers.advice import explain
from ginuri.web.answers.problems import Problem, write_problem
from tests.builders import MAP, find, resource
from tests.line_breaks import unbroken

SCHEME = Scheme(identifier="uri-gin/", modified="")


def _page(problem: Problem, languages: str) -> tuple[str, dict[str, str]]:
    answered = write_problem(HTTPStatus.NOT_FOUND, problem, Preferences("text/html", languages), ())
    return unbroken(str(answered.body, "utf-8")), dict(answered.headers)


def test_advice_is_a_page_in_spanish_for_readers_who_prefer_it() -> None:
    page, headers = _page(explain(NotRegistered(find(MAP, SCHEME), near=())), "es-MX, es;q=0.9, en;q=0.5")

    assert headers["Content-Language"] == "es"
    assert '<html lang="es">' in page
    assert "<h1>Este identificador no está registrado</h1>" in page
    assert f"{MAP} no está registrado." in page
    assert "Ir al contenido" in page
    assert "Sobre este registro" in page


def test_advice_is_a_document_in_english_for_every_machine() -> None:
    problem = explain(NotRegistered(find(MAP, SCHEME), near=()))

    answered = write_problem(HTTPStatus.NOT_FOUND, problem, Preferences("application/json", "es"), ())

    assert json.loads(answered.body)["detail"] == f"{MAP} is not registered."
    assert "Content-Language" not in dict(answered.headers)


def test_a_title_in_advice_has_the_readers_language_or_a_mark() -> None:
    spoken = {"en": "A map", "es": "Un mapa"}

    for titles, shown in ((spoken, "Un mapa"), ({"de": "Karte"}, '<span lang="de" dir="auto">Karte</span>')):
        record = resource(titles=titles)
        page, _ = _page(explain(Retired(find(MAP, record), record)), "es")
        assert f"{MAP} nombraba: {shown}. Ya no está en uso." in page


@pytest.mark.parametrize("text", ["uri-gin/azgs//x", "uri-gin/azgs/%zz", "uri-gin/azgs/a?b", "info:pmid"])
def test_a_malformed_identifier_is_explained_in_spanish(text: str) -> None:
    with pytest.raises(MalformedIdentifier) as raised:
        parse(text)

    page, _ = _page(explain(Malformed(raised.value)), "es")

    assert "no es un identificador:" in page
    assert '<span lang="en"' not in page


def test_a_rule_without_spanish_words_is_explained_in_english_with_notice() -> None:
    problem = explain(Malformed(MalformedIdentifier("x", message("too <odd>"), rule="new")))

    page, _ = _page(problem, "es")

    assert '<span lang="en" dir="auto">too &lt;odd&gt;</span>' in page
    assert as_text(problem.detail) == "'x' is not an identifier: '' at character 0: too <odd>"
