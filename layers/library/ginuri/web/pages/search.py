"""What a search found, as a page with the form to search again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

from ginuri.i18n.labels import format_day, status_name
from ginuri.i18n.translation import as_html, as_text, page_language, translate
from ginuri.identifiers.messages import Message, Words, counted, message, translatable
from ginuri.identifiers.service_paths import SEARCH, description_path
from ginuri.registry.model import Registered, Status
from ginuri.resolution.negotiation.negotiation import Languages
from ginuri.search.searcher import Matches, Question
from ginuri.web.answers.advice import titles_of
from ginuri.web.pages.frame import write_page

FILTERS = {
    "authority": translatable("Only under {it}."),
    "type": translatable("Only of the type {it}."),
    "status": translatable("Only with the status {it}."),
}
"""The parameters that leave something out, and how a page says so."""
_WIDTH = 60
_TURNS = {"prev": translatable("Previous page"), "next": translatable("Next page")}


@dataclass(frozen=True, slots=True)
class Asked:
    """A search as it was asked for."""

    question: Question
    parameters: Mapping[str, str]
    """As they were sent, for links to other pages."""
    page: int
    most: int


@dataclass(frozen=True, slots=True)
class Results:
    """A page of what was found, each as it stands now, and the links to the pages around it."""

    asked: Asked
    matches: Matches
    records: Sequence[Registered]
    links: Mapping[str, str]


def shorten(text: str) -> str:
    """Cut a text to the width of a line."""
    return text if len(text) <= _WIDTH else f"{text[:_WIDTH]}…"


def write_results(results: Results, languages: Languages = ()) -> bytes:
    """Write what was found as a page, in UTF-8."""
    asked, matches = results.asked, results.matches
    text = asked.question.text
    title = message("Search: {it}", it=shorten(text)) if text else Message("Search")
    parts = [f"<h1>{as_html(title, languages)}</h1>", _form(asked, languages)]
    if text:
        parts.append(
            f"<p>{as_html(_count(matches), languages)} {_age(matches, page_language(languages))}</p>"
        )
    if not matches.is_completed:
        cut = "Too many words start like the last one, so only the exact word was searched."
        parts.append(f"<p>{as_html(cut, languages)}</p>")
    if results.records:
        rows = "\n".join(f"<li>{_row(record, languages)}</li>" for record in results.records)
        first = (asked.page - 1) * asked.most + 1
        parts.append(f'<ol class="results" start="{first}">\n{rows}\n</ol>')
    turns = [
        f'<a rel="{rel}" href="{escape(where)}">{as_html(_TURNS[rel], languages)}</a>'
        for rel, where in results.links.items()
    ]
    if turns:
        parts.append(f'<nav aria-label="{as_text("Pages", languages)}"><p>{" ".join(turns)}</p></nav>')
    return write_page(as_text(title, languages), "\n".join(parts), language=page_language(languages))


def _count(matches: Matches) -> Words:
    if not matches.total:
        return message("No results. Every word must be in a title, another name or the identifier.")
    if matches.is_cut:
        return message(
            "More than {number} results. Titles that contain all words come first.",
            number=f"{matches.total:,}",
        )
    return counted(
        "{number} result.", "{number} results. Titles that contain all words come first.", matches.total
    )


def _age(matches: Matches, language: str) -> str:
    day = translate(format_day(matches.made), language)
    return f'{translate("As of", language)} <time datetime="{escape(matches.made)}">{day}</time>.'


def _form(asked: Asked, languages: Languages) -> str:
    sent = {name: asked.parameters[name] for name in FILTERS if name in asked.parameters}
    hidden = "".join(
        f'<input type="hidden" name="{name}" value="{escape(value)}">' for name, value in sent.items()
    )
    told = "".join(
        f"<p>{as_html(message(FILTERS[name], it=value), languages)}</p>" for name, value in sent.items()
    )
    language = page_language(languages)
    return (
        f'<form class="search" role="search" action="/{SEARCH}" method="get">'
        f'<label for="q">{translate("Titles, other names and identifiers", language)}</label>'
        f'<p><input id="q" type="search" name="q" value="{escape(asked.question.text)}">'
        f'{hidden} <button type="submit">{translate("Search", language)}</button></p></form>{told}'
    )


def _row(record: Registered, languages: Languages) -> str:
    where = description_path(record.identifier)
    shown = f" <strong>{as_text(status_name(record.status), languages).lower()}</strong>"
    return (
        f'<a href="{escape(where)}">{as_html(message("{it}", it=titles_of(record)), languages)}</a>'
        f"{shown if record.status is not Status.VALID else ''}<br><code>{escape(record.identifier)}</code>"
    )
