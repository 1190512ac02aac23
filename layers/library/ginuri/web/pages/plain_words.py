"""Plain words for a form: its language and its media type, as people call them."""

from __future__ import annotations

from datetime import datetime

from ginuri.i18n.translation import translate

_LANGUAGES = {
    "ar": "Arabic",
    "de": "German",
    "en": "English",
    "es": "Spanish",
    "fr": "French",
    "it": "Italian",
    "ja": "Japanese",
    "nl": "Dutch",
    "pt": "Portuguese",
    "ru": "Russian",
    "zh": "Chinese",
}
_MEDIA_TYPES = {
    "application/gml+xml": "GML",
    "application/json": "JSON",
    "application/ld+json": "JSON-LD",
    "application/msword": "Word document",
    "application/n-triples": "N-Triples",
    "application/pdf": "PDF",
    "application/rdf+xml": "RDF/XML",
    "application/vnd.ms-excel": "Excel spreadsheet",
    "application/xml": "XML",
    "application/zip": "ZIP archive",
    "image/jpeg": "JPEG image",
    "image/png": "PNG image",
    "image/svg+xml": "SVG drawing",
    "image/tiff": "TIFF image",
    "text/csv": "CSV",
    "text/html": "Web page",
    "text/plain": "Plain text",
    "text/turtle": "Turtle",
}


def tell_language(tag: str) -> str:
    """Name a language; the tag itself where no name is known."""
    return _LANGUAGES.get(tag.lower().split("-")[0], tag)


def tell_media_type(media_type: str) -> str | None:
    """Name a media type in plain words; None where none are known."""
    return _MEDIA_TYPES.get(media_type.partition(";")[0])


def tell_day(moment: str, language: str = "en") -> str:
    """Write the day of an RFC 3339 moment.

    >>> tell_day("2011-08-05T17:29:00.000Z"), tell_day("2011-08-05", "es")
    ('5 August 2011', '5 de agosto de 2011')
    """
    day = datetime.fromisoformat(moment)
    month = translate(f"{day:%B}", language)
    return translate("{day} {month} {year}", language).format(day=day.day, month=month, year=day.year)
