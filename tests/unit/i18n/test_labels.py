"""Does every code have a label, in every language?"""

from __future__ import annotations

import pytest

from ginuri.i18n.catalogue import spoken_languages
from ginuri.i18n.labels import (
    format_day,
    format_size,
    language_name,
    media_type_name,
    property_name,
    record_type_note,
    role_name,
    status_name,
    status_note,
    version_name,
)
from ginuri.i18n.translation import as_html, translate
from ginuri.registry.model import RecordType, Role, Status

_WITHOUT_NOTE = {RecordType.RESOURCE, RecordType.GRANT}
ALL = [
    *(record_type_note(record_type) for record_type in RecordType if record_type not in _WITHOUT_NOTE),
    *(status_name(status) for status in Status),
    *(status_note(status) for status in Status if status is not Status.VALID),
    *(role_name(role) for role in Role),
]


@pytest.mark.parametrize("language", spoken_languages())
@pytest.mark.parametrize("label", ALL, ids=str)
def test_every_code_has_a_label_in_every_language(label: object, language: str) -> None:
    assert "<span" not in as_html(label, ((language, 1.0),))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("length", "english", "spanish"),
    [
        (0, "0 bytes", "0 bytes"),
        (999, "999 bytes", "999 bytes"),
        (1500, "1.5 kB", "1,5 kB"),
        (123_456, "123 kB", "123 kB"),
        (5_000_000_000_000, "5000 GB", "5000 GB"),
    ],
)
def test_a_size_is_written_readably(length: int, english: str, spanish: str) -> None:
    assert str(format_size(length)) == english
    assert translate(format_size(length), "es") == spanish


def test_a_day_is_written_in_the_readers_notation() -> None:
    assert str(format_day("2011-08-25T17:29:00.000Z")) == "25 August 2011"
    assert translate(version_name("2011-08-05"), "es") == "5 de agosto de 2011"
    assert translate(version_name("prospective"), "es") == "en preparación"


def test_codes_have_names() -> None:
    assert str(property_name("isVersionOf")) == "Is version of"
    assert str(property_name("latest-version")) == "Latest version"
    assert str(property_name("http://example.org/x")) == "http://example.org/x"
    assert str(language_name("pt-BR")) == "Portuguese"
    assert str(language_name("tlh")) == "tlh"
    assert str(media_type_name("text/html; charset=utf-8")) == "Web page"
    assert media_type_name("model/vrml") is None


def test_a_property_without_a_label_shows_its_name_in_every_language() -> None:
    assert as_html(property_name("bedRock"), (("es", 1.0),)) == "Bed rock"
