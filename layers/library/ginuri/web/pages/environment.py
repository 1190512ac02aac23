"""The jinja2 environment of every page, one for each language.

This module imports jinja2, so it is imported only to write a page.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache, partial
from typing import TYPE_CHECKING

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined, pass_context
from markupsafe import Markup

from ginuri.i18n.catalogue import spoken_languages
from ginuri.i18n.labels import format_day, language_name, status_name
from ginuri.i18n.translation import as_html, as_text, page_language, translate
from ginuri.identifiers.messages import Message, Words, counted
from ginuri.registry.statuses import STATUSES
from ginuri.resolution.negotiation.preferences import Languages
from ginuri.web.pages.assets import asset_path
from ginuri.web.pages.bytecode import TemplateCache
from ginuri.web.pages.line_breaks import break_long_names
from ginuri.web.query import LANGUAGE

if TYPE_CHECKING:
    from collections.abc import Callable

    from jinja2.runtime import Context

_PACKAGE = "ginuri.web.pages"
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]")


def write_page(name: str, /, languages: Languages = (), **values: object) -> bytes:
    """Write a page in UTF-8 from a template in `templates/`.

    Its text is in the preferred of the available `languages`. U+FFFD replaces control characters in text from
    the client (HTML, control-character-in-input-stream).
    """
    template = _environment(page_language(languages)).get_template(f"{name}.html")
    return _CONTROL.sub("\N{REPLACEMENT CHARACTER}", template.render(values, languages=languages)).encode()


def make_environment(language: str, *packages: str) -> Environment:
    """Return the environment of the templates of packages, which may extend `frame.html`.

    `_` and `_text` write a message in the language of the page; the filters `html` and `text` also choose
    registered texts by the languages of the reader.
    """
    environment = Environment(
        loader=ChoiceLoader([PackageLoader(package) for package in (*packages, _PACKAGE)]),
        autoescape=True,
        auto_reload=False,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.bytecode_cache = TemplateCache(environment)
    environment.filters |= {
        "breakable": break_long_names,
        "html": _html,
        "broken": _broken,
        "text": _text,
        "format_day": format_day,
        "in_language": _in_language,
        "status_name": status_name,
    }
    environment.globals |= {
        "_": _html_writer(language),
        "_text": partial(_write_text, language),
        "counted": counted,
        "STATUSES": STATUSES,
        "language": language,
        "asset": asset_path,
        "languages_of_pages": {tag: translate(language_name(tag), tag) for tag in spoken_languages()},
    }
    return environment


_environment = cache(make_environment)


def _in_language(path: str, tag: str) -> str:
    return f"{path}{'&' if '?' in path else '?'}{LANGUAGE}={tag}"


def _html_writer(language: str) -> Callable[..., Markup]:
    languages = ((language, 1.0),)

    @lru_cache(maxsize=1024)
    def write_constant(words: str) -> Markup:
        return Markup(as_html(words, languages))  # noqa: S704  as_html escapes

    def write(words: Words, /, **values: str | Message) -> Markup:
        if not isinstance(words, str):
            return Markup(as_html(words, languages))  # noqa: S704  as_html escapes
        if not values:
            return write_constant(words)
        return Markup(as_html(Message(words, values), languages))  # noqa: S704  as_html escapes

    return write


def _write_text(language: str, words: Words, /) -> str:
    # For titles and attributes, which cannot contain the markup that marks untranslated text.
    return translate(words, language)


@pass_context
def _html(context: Context, words: Words) -> Markup:
    return Markup(as_html(words, context["languages"]))  # noqa: S704  as_html escapes


@pass_context
def _broken(context: Context, words: Words) -> Markup:
    """Write a message as HTML, with marks at possible line breaks in long names."""
    return Markup(as_html(words, context["languages"], break_long_names))  # noqa: S704  as_html escapes


@pass_context
def _text(context: Context, words: Words) -> str:
    return as_text(words, context["languages"])
