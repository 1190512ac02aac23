"""Is a page in the reader's language, with a mark on words in another?"""

from __future__ import annotations

import re
from importlib.resources import files

import pytest

from ginuri.descriptions.composer import compose
from ginuri.descriptions.html.page import write_page
from ginuri.registry.model import NameAuthority, Registered, ResourceType, Status
from ginuri.resolution.descriptions.decision import Describe
from ginuri.resolution.negotiation.languages import read_languages
from tests.builders import MAP, PUT, find, representation, resource

MODIFIED = PUT.format(0)
AUTHORITY = NameAuthority(
    identifier="uri-gin/azgs/",
    modified=MODIFIED,
    titles={"en": "Arizona Geological Survey", "es": "Servicio Geológico de Arizona"},
    contact="stewards@example.org",
)
TYPE = ResourceType(identifier="uri-gin/azgs/doc/map/", modified=MODIFIED, titles={"es": "Mapa", "en": "Map"})
TEMPLATES = sorted(
    (
        template
        for package in ("ginuri.web.pages", "ginuri.descriptions.html")
        for template in files(package).joinpath("templates").iterdir()
    ),
    key=lambda path: path.name,
)


def page(record: Registered, languages: str, *around: Registered) -> str:
    found = find(record.identifier, record, *around)
    outcome = Describe(
        found.identifier,
        record,
        found,
        "resources.example.org",
        "html",
        negotiated=False,
        languages=read_languages(languages),
    )
    return write_page(compose(outcome)).decode()


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda path: path.name)
def test_a_template_has_only_translated_words(template: object) -> None:
    text = template.read_text(encoding="utf-8")  # type: ignore[attr-defined]
    bare = re.sub(r"\{%.*?%\}|\{\{.*?\}\}|<[^>]*>", "", re.sub(r"\{[{%].*?[%}]\}", "", text, flags=re.DOTALL))

    assert re.findall(r"[A-Za-z]{3,}", bare) == []


def test_a_page_is_in_spanish_for_readers_who_prefer_it() -> None:
    shown = page(resource(titles={"en": "A map"}), "es-MX, es;q=0.9, en;q=0.5", AUTHORITY, TYPE)

    assert '<html lang="es">' in shown
    assert "Esto nombra una cosa (mapa), no un archivo." in shown
    assert "Servicio Geológico de Arizona" in shown
    assert '<h1 lang="en" dir="auto">A map</h1>' in shown


@pytest.mark.parametrize(
    ("languages", "phrase"),
    [("en", "This names a UK Act, not a file."), ("es", "Esto nombra una cosa (UK Act), no un archivo.")],
)
def test_an_abbreviation_keeps_its_capitals_in_every_language(languages: str, phrase: str) -> None:
    kind = ResourceType(identifier=TYPE.identifier, modified=MODIFIED, titles={"": "UK Act"})

    assert phrase in page(resource(), languages, AUTHORITY, kind)


def test_lines_break_after_a_slash_but_not_at_short_hyphens() -> None:
    shown = page(resource(), "en")

    assert 'http://resources.example.org/<wbr><span class="whole">uri-gin/</span><wbr>azgs/<wbr>' in shown


def test_an_overlong_word_may_break_before_a_dot() -> None:
    shown = page(
        resource(links={"license": [{"href": "https://licences.of.the.survey.example.org/by/"}]}), "en"
    )

    assert "https://licences<wbr>.of<wbr>.the<wbr>.survey<wbr>.example<wbr>.org/<wbr>by/" in shown


def test_a_name_without_a_title_bound_to_a_host_shows_its_uri() -> None:
    assert '<h1 class="bare">http://id.example/<wbr>doc/<wbr>school</h1>' in page(
        resource("//id.example/doc/school"), "en"
    )


def test_a_relation_of_a_vocabulary_has_words_that_link_to_it() -> None:
    term = "http://www.w3.org/2000/01/rdf-schema#isDefinedBy"
    record = resource(links={term: [{"href": "https://example.org/"}]})

    assert f'<dt><a href="{term}" class="away">Is defined by</a></dt>' in page(record, "en")


def test_print_shows_the_address_of_a_link_with_other_words() -> None:
    links = [{"href": "https://example.org/a", "title": "A licence"}, {"href": "https://example.org/b"}]
    record = resource(links={"license": links})
    shown = page(record, "en")

    assert '<a href="https://example.org/a" class="away">A licence</a>' in shown
    assert '<a href="https://example.org/b">' in shown


def test_a_title_may_be_in_the_readers_language_unlike_the_page() -> None:
    shown = page(resource(titles={"en": "A map", "de": "Eine Karte"}), "de")

    assert '<html lang="en">' in shown
    assert '<h1 lang="de" dir="auto">Eine Karte</h1>' in shown


def test_markup_in_registered_values_stays_text_in_every_sentence() -> None:
    record = resource(status=Status.RETIRED, reason="<b>{x}</b>", titles={"": "<i>"})

    for languages in ("en", "es"):
        shown = page(record, languages)
        assert "&lt;b&gt;{x}&lt;/b&gt;" in shown
        assert "<b>" not in shown


def test_dated_versions_are_ordered_on_a_timeline() -> None:
    forms = [
        representation(part=None, valid_from=day, location="https://example.org/")
        for day in ("2001-02-03", "prospective", "1997-06-01")
    ]

    shown = page(resource("uri-gin/azgs/doc/report", representations=forms), "es")

    days = re.findall(
        r'<li><a href="([^"]*)">(?:<time[^>]*>)?([^<]*)<', shown.partition('class="timeline"')[2]
    )
    assert days[:3] == [
        ("/uri-gin/azgs/doc/report/1997-06-01", "1 de junio de 1997"),
        ("/uri-gin/azgs/doc/report/2001-02-03", "3 de febrero de 2001"),
        ("/uri-gin/azgs/doc/report/prospective", "en preparación"),
    ]


def test_a_problem_is_reported_by_a_letter_with_a_subject() -> None:
    assert (
        '<a href="mailto:stewards@example.org?subject=Problem%20with%20http%3A%2F%2Fresources.example.org%2F'
        in page(resource(), "en", AUTHORITY)
    )


@pytest.mark.parametrize("contact", ["javascript:alert(1)", "call us"])
def test_a_contact_with_an_unsafe_target_gets_no_link(contact: str) -> None:
    authority = NameAuthority(identifier="uri-gin/azgs/", modified=MODIFIED, contact=contact)

    assert "Report a problem" not in page(authority, "en")


def test_other_names_are_shown_in_their_own_languages() -> None:
    record = resource(properties={"alternative@de": ["Stein"], "alternative": "rock", "county": "Cochise"})

    shown = page(record, "en")

    assert '<li lang="de" dir="auto">Stein</li>' in shown
    assert "<li>rock</li>" in shown


def test_the_code_for_phones_is_an_image_with_a_size() -> None:
    shown = page(resource(), "en").partition('<figure class="qr">')[2]

    assert f'<img src="/qr.svg/{MAP}" width="176" height="176" alt="QR code of the identifier">' in shown
    assert "<svg" not in shown
