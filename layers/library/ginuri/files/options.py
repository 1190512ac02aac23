"""The options of an upload, sent as the metadata of the object (`x-amz-meta-…`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, unquote

from ginuri.i18n.catalogue import ENGLISH, spoken_languages
from ginuri.identifiers import parse
from ginuri.identifiers.errors import MalformedIdentifier
from ginuri.registration.conditions import IF_MATCH, IF_NONE_MATCH, are_tags
from ginuri.registration.verdicts import Finding, refuse, warn
from ginuri.registry.texts.plain_text import plain

_DRY_RUN = "dry-run"
_ALLOWANCES = {
    "is_many": "many",
    "is_correction": "correction",
    "is_stored": "store",
    "is_strict": "strict-tests",
    "is_only_new": "only-new",
}
READING = {
    "columns": "map",
    "sheet": "sheet",
    "encoding": "encoding",
    "hidden_rows": "hidden-rows",
    "links": "links",
    "dates": "dates",
    "read_as": "read-as",
}
"""The options of how a file is read: the name of each in the metadata, by its field."""
TEXTS = {name: name for name in ("snapshot", "reason", "submitter", "language")} | READING
"""The options that are texts: the name of each in the metadata, by its field."""
_CONDITIONS = {"if_match": "if-match", "if_none_match": "if-none-match"}
"""The names of conditions in the metadata, by their fields."""
REGISTRATIONS = "registrations"
"""The value of the option `read-as` with which a JSON file is read; without it, the file is stored."""
ALL_SHEETS = "*"
"""The value of the option `sheet` for all visible sheets with identifiers."""
SHEET_SEPARATOR = "/"
"""Separates the names of several sheets; no name of a sheet contains it."""
HIDDEN_ROWS = ("register", "leave-out")
"""What may be done with the hidden rows of a sheet."""
# The characters besides letters and digits that are not escaped; S3 accepts only ASCII.
_PLAIN = " !#$&'()*+,-./:;<=>?@[]^_`{|}~"


@dataclass(frozen=True, slots=True)
class UploadOptions:
    """The options of an upload."""

    is_dry_run: bool = False
    """Whether to report what would change, and change nothing."""
    is_many: bool = False
    """Whether it may change or retire more than a tenth of the records under its prefix."""
    is_correction: bool = False
    """Whether it may change the immutable type of a record or kind of a resource. Requires a reason."""
    is_stored: bool = False
    """Whether to store an unread file without a warning about its content."""
    is_strict: bool = False
    """Whether to register nothing if a test that the upload affects would fail."""
    snapshot: str = ""
    """The prefix for which the file is complete: missing records under it are retired."""
    reason: str = ""
    submitter: str = ""
    """The name of the submitter, as stated."""
    columns: str = ""
    """The mapping of columns to fields: `identifier=uri,title=label`."""
    language: str = ""
    """The language of the report as a language tag, BCP 47; English without one."""
    sheet: str = ""
    """The sheet to read, several separated by slashes, or `*` for all; else the first visible one."""
    encoding: str = ""
    """The code page of a text (`files.code_pages`); UTF-8, or as its byte order mark says, without one."""
    hidden_rows: str = ""
    """Whether to `register` the hidden rows of a sheet or to `leave-out` them; empty: with a warning."""
    links: str = ""
    """The columns whose cells stand for the addresses that they link to: `Report,"Data, raw"`."""
    dates: str = ""
    """The order of dates with the year last, `day-first` or `month-first`, for all columns of days or by
    column: `Issued=day-first`; without one they are refused."""
    read_as: str = ""
    """`registrations`: a `.json` or `.geojson` file is read; without it, it is stored."""
    if_match: str = ""
    """The entity tags one of which each record must have, or `*`: RFC 9110 §13.1.1."""
    if_none_match: str = ""
    """`*`: no identifier may be registered before."""
    is_only_new: bool = False
    """Whether to register only names that nothing answers for (`registration.conditions`)."""


def read_options(metadata: Mapping[str, str]) -> UploadOptions:
    """Read options from the metadata of an object.

    Any value but `false` asks for a dry run; the options that allow more must be exactly `true`.
    """
    values: dict[str, Any] = {
        field: metadata.get(name, "").strip().lower() == "true" for field, name in _ALLOWANCES.items()
    } | {
        field: plain(unquote(metadata.get(name, "")).strip(), has_lines=False)
        for field, name in {**TEXTS, **_CONDITIONS}.items()
    }
    return UploadOptions(metadata.get(_DRY_RUN, "false").strip().lower() != "false", **values)


def write_options(options: UploadOptions) -> dict[str, str]:
    """Write options as the metadata of an object, in ASCII."""
    flags = {"is_dry_run": _DRY_RUN, **_ALLOWANCES}
    return {name: "true" for field, name in flags.items() if getattr(options, field)} | {
        name: quote(text, safe=_PLAIN)
        for field, name in {**TEXTS, **_CONDITIONS}.items()
        if (text := getattr(options, field))
    }


def is_several(sheet: str) -> bool:
    """Return whether the option `sheet` is about several sheets."""
    return sheet == ALL_SHEETS or SHEET_SEPARATOR in sheet


def fault_of_options(options: UploadOptions, under: str) -> Finding | None:
    """Return the finding against the options of an upload to the folder of a prefix, if any."""
    if (fault := _fault_of_conditions(options)) is not None:
        return fault
    prefix = options.snapshot
    if not prefix:
        return None
    try:
        normal = parse(prefix).normal_form
    except MalformedIdentifier as error:
        return refuse("snapshot", error.rule, prefix, error.words)
    if normal == prefix and prefix.endswith(("/", ":")) and prefix.startswith(under):
        return None
    return refuse(
        "snapshot",
        "folder",
        prefix,
        "The prefix of a snapshot must end in a slash and start with the folder of the upload, {folder}.",
        folder=under,
    )


def _fault_of_conditions(options: UploadOptions) -> Finding | None:
    for name, tags in ((IF_MATCH, options.if_match), (IF_NONE_MATCH, options.if_none_match)):
        if tags and not are_tags(tags):
            return refuse(
                name,
                name,
                tags,
                "This is no list of entity tags. Write the tag of the record with its quotation marks.",
            )
    if options.snapshot and (options.if_match or options.if_none_match or options.is_only_new):
        return refuse(
            "snapshot",
            "condition",
            options.snapshot,
            "A snapshot retires what it does not name, which no condition is about. Upload it without one.",
        )
    return None


def report_language(options: UploadOptions) -> str:
    """Return the language of the report: the requested one if it has a catalogue, else English.

    >>> report_language(UploadOptions(language="es-MX")), report_language(UploadOptions(language="tlh"))
    ('es', 'en')
    """
    return _spoken(options.language) or ENGLISH


def warn_of_language(options: UploadOptions) -> Finding | None:
    """Return the warning about a requested language without a catalogue, if any."""
    if not options.language or _spoken(options.language):
        return None
    return warn(
        "language",
        "language",
        options.language,
        "There are no reports in this language, so this one is in English. Ask for one of: {languages}.",
        languages=", ".join(spoken_languages()),
    )


def _spoken(tag: str) -> str | None:
    # RFC 4647 §3.4, lookup: the subtags are removed from the end.
    subtags = tag.lower().split("-")
    ranges = ["-".join(subtags[:length]) for length in range(len(subtags), 0, -1)]
    return next((found for found in ranges if found in spoken_languages()), None)
