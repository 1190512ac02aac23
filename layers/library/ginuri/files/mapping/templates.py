"""Templates of mappings: fill a field from columns, with each value escaped for its place.

`uri-gin/azgs/well/{ID}`, `https://doi.org/{DOI}`, `POINT({lon} {lat})`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import cycle
from unicodedata import normalize
from urllib.parse import quote

from ginuri.files.angles import Axis, write_degrees, write_position
from ginuri.files.dois import RESOLVER, SCHEME
from ginuri.identifiers.messages import Message
from ginuri.registration.verdicts import Finding, refuse, shown
from ginuri.registry.metadata.fields import AS_JSON

# template   = *literal 1*( expression *literal )
# literal    = "{{" / "}}" / any character but braces
# expression = "{" [ "+" ] column "}"       ; "+" as in RFC 6570 §3.2.3: reserved characters and escapes stay
# column     = 1*( "{{" *CHAR "}}" / any character but braces )
_COLUMN = r"(?:\{\{[^{}]*\}\}|[^{}])+"
_PIECE = re.compile(rf"(?P<literal>(?:\{{\{{|\}}\}}|[^{{}}])+)|\{{(?P<sign>\+?)(?P<column>{_COLUMN})\}}")
_TEMPLATE = re.compile(rf"(?:{_PIECE.pattern})+")
_IDENTIFIERS = {"identifier", "part_of", "successor", "broader", "stands_for", "to", "authority"}
_ADDRESSES = {"location", "homepage", "document", "document_of", "specification", "profile"}
_REQUIRED = {"identifier", "location"}
_SPATIAL, _POINT = "spatial", "POINT"
CLEARED = "-"
"""The value that clears a field, and the result of a template with such a value."""
# What stands in the first column of a row with totals or units, of a note, and of the line below a
# heading: in English, and in the languages of the synonyms for columns.
_NO_NAME = re.compile(
    r"""
    \[.*\] | \(.*\) | [:\-=_*\s]+
    | (?:(?:grand|sub|sous)[\s-]?)?(?:totale?|totals|totaal|totalt|totalsumme|gesamt|gesamtsumme|summe
    |average|mean|median|max(?:imum)?|min(?:imum)?|mittelwert|durchschnitt|moyenne|promedio|среднее|平均値?
    |summa|suma
    |sum|somme|somma|soma|celkem|razem|ogółem|łącznie|összesen|toplam|jumlah|yhteensä|итого|всего|разом
    |σύνολο|المجموع|الإجمالي|合計|総計|总计|合计|總計|합계|총계)(?:\s*:.*)?
    | totals?\s[^:]*:.*
    | (?:notes?|source|sources|quelle|stand|hinweis|anmerkung|fuente|nota|fonte|bron|källa|źródło|zdroj|kaynak
    |примечание|источник|remarks?|comment|legend)\s?:.*
    """,
    re.IGNORECASE | re.VERBOSE,
)

# RFC 3986 §3.3  pchar = unreserved / pct-encoded / sub-delims / ":" / "@"
_IN_SEGMENT = "!$&'()*+,;=:@~"
_IN_PATH = f"/{_IN_SEGMENT}"
_IN_QUERY = "/:@,~"
_RESERVED = "!#$&'()*+,/:;=?@[]~"
# Controls, soft hyphens, order marks and spaces without a width: copied along, and never part of a name
_INVISIBLE = re.compile("[\x00-\x1f\x7f-\x9f\u00ad\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\ufeff]")
_ESCAPE = re.compile(r"(%[0-9A-Fa-f]{2})")
# Services that lead from a name to its location, and the prefixes that people write before such a name.
_RESOLVERS = (
    (rf"(?:{RESOLVER}|doi:)", rf"(?:{RESOLVER}|(?:(?:dx|www)\.)?doi\.org/|{SCHEME})"),
    (r"https?://hdl\.handle\.net/", r"(?:(?:https?://)?hdl\.handle\.net/|hdl:)"),
)


@dataclass(frozen=True, slots=True)
class Slot:
    """A column within a template."""

    column: str
    sign: str = ""
    """`+` if reserved characters stay as they are."""
    before: str = ""
    """The literal text before it; empty after another slot."""
    is_first: bool = False
    """Whether the template begins with it: its value brings the scheme along, and is not escaped."""
    is_in_query: bool = False


@dataclass(frozen=True, slots=True)
class ColumnTemplate:
    """Makes a field from the values of columns."""

    field: str
    text: str
    """The template as written, which may also be the name of a column."""
    pieces: Sequence[str | Slot]

    @property
    def columns(self) -> Sequence[str]:
        """The columns that it reads, in order."""
        return tuple(dict.fromkeys(slot.column for slot in self._slots))

    @property
    def _slots(self) -> Sequence[Slot]:
        return tuple(piece for piece in self.pieces if isinstance(piece, Slot))

    def fill(self, values: Mapping[str, str]) -> str | Finding | None:
        """Return the text of the field; None if it states nothing, or the finding that refuses the row.

        A column without a value is empty. `-` in one of the columns clears a field that can be cleared.
        """
        given = {column: values.get(column, "").strip() for column in self.columns}
        is_identifier = self.field == "identifier"
        if not is_identifier and CLEARED in given.values():
            return CLEARED
        empty = [column for column, value in given.items() if not value or value == CLEARED]
        if empty:
            return self._refuse(empty[0]) if self.field in _REQUIRED else None
        if self.field == _SPATIAL:
            return self._fill_place(given)
        write = self._writer()
        written = {slot: write(slot, given[slot.column]) for slot in self._slots}
        if self.field in _REQUIRED and (
            empty_slot := next((slot for slot in written if not written[slot]), None)
        ):
            return self._refuse(empty_slot.column)
        return "".join(piece if isinstance(piece, str) else written[piece] for piece in self.pieces)

    def doubt(self, values: Mapping[str, str]) -> Finding | None:
        """Return the finding that refuses the row if its identifier is new: a value of it is no name."""
        texts = (values.get(column, "").strip() for column in self.columns if self.field == "identifier")
        word = next(filter(_NO_NAME.fullmatch, texts), None)
        if word is None:
            return None
        return refuse(
            self.field,
            "no name",
            word,
            "{word} is a word for a total, a unit or a note, and no name. Delete the row. If it is a name, "
            "register it once from JSON lines.",
            word=repr(word),
        )

    def _fill_place(self, given: Mapping[str, str]) -> str | Finding:
        """Write the values of a place as degrees: longitude and latitude in turn, or both in one column."""
        made: list[str] = []
        for slot, axis in zip(self._slots, cycle(Axis)):
            value = given[slot.column]
            read: str | Message = value
            if len(self._slots) > 1:
                read = write_degrees(value, axis)
            elif self.text.upper().startswith(_POINT):
                read = write_position(value)
            if isinstance(read, Message):
                return replace(refuse(_SPATIAL, "degrees", value, read), column=shown(slot.column))
            made.append(read)
        written = iter(made)
        return "".join(piece if isinstance(piece, str) else next(written) for piece in self.pieces)

    def _refuse(self, column: str) -> Finding:
        finding = refuse(
            self.field,
            "empty",
            "",
            "The cell in the column {column} is empty, so `{field}` cannot be made as {template}. Fill it "
            "in, or leave out the row.",
            column=repr(column),
            field=self.field,
            template=self.text,
        )
        return replace(finding, column=shown(column))

    def _writer(self) -> Callable[[Slot, str], str]:
        if self.field in AS_JSON:
            return lambda _, value: json.dumps(value, ensure_ascii=False)[1:-1]
        if self.field in _IDENTIFIERS or self.field in _ADDRESSES or self.field.startswith("links."):
            return self._escape
        return lambda _, value: value

    def _escape(self, slot: Slot, value: str) -> str:
        text = normalize("NFC", _INVISIBLE.sub("", " ".join(value.split())))
        if slot.is_first:
            return text
        rest = _without_prefix(slot.before, text)
        is_address = self.field not in _IDENTIFIERS
        if slot.sign:
            safe = _RESERVED if is_address else _IN_PATH
        elif is_address:
            safe = _IN_QUERY if slot.is_in_query else _IN_PATH
        else:
            # A DOI contains a slash, which is part of the name.
            safe = _IN_PATH if _resolver_of(slot.before) else _IN_SEGMENT
        if slot.sign or rest != text:  # the value was a URI, or part of one
            return "".join(
                piece if _ESCAPE.fullmatch(piece) else quote(piece, safe=safe)
                for piece in _ESCAPE.split(rest)
            )
        return quote(rest, safe=safe)


def read_template(field: str, text: str) -> ColumnTemplate | None:
    """Read a template; None if the text contains no column in braces, so that it names a column itself.

    >>> read_template("title", "{Name} ({{County}} {County})").columns
    ('Name', 'County')
    """
    pieces: list[str | Slot] = []
    for found in _PIECE.finditer(text) if _TEMPLATE.fullmatch(text) else ():
        literal, column = (
            (found[name] or "").replace("{{", "{").replace("}}", "}") for name in ("literal", "column")
        )
        pieces.append(literal or _slot(column.strip(), found["sign"], pieces))
    columns = [piece.column for piece in pieces if isinstance(piece, Slot)]
    return ColumnTemplate(field, text, tuple(pieces)) if columns and all(columns) else None


def _slot(column: str, sign: str, pieces: Sequence[str | Slot]) -> Slot:
    before = pieces[0] if len(pieces) == 1 and isinstance(pieces[0], str) else ""
    is_in_query = any(isinstance(piece, str) and ("?" in piece or "#" in piece) for piece in pieces)
    return Slot(column, sign, before, is_first=not pieces, is_in_query=is_in_query)


def _without_prefix(before: str, value: str) -> str:
    """Return a value without the beginning that the template has as well.

    >>> _without_prefix("https://doi.org/", "DOI: 10.5066/P9ABC")
    '10.5066/P9ABC'
    >>> _without_prefix("uri-gin/azgs/", "http://resources.usgin.org/uri-gin/azgs/map/M1")
    'map/M1'
    """
    if not before:
        return value
    if prefix := _resolver_of(before):
        return (
            re.sub(rf"(?:{prefix})\s*", "", value, count=1, flags=re.IGNORECASE)
            if re.match(prefix, value, re.IGNORECASE)
            else value
        )
    bare = re.sub(r"https?:", "", before, count=1, flags=re.IGNORECASE)
    host = r"(?:https?:)?" if bare.startswith("//") else r"(?:(?:https?:)?//[^/]+)?/?"
    found = re.match(rf"{host}{re.escape(bare)}", value, re.IGNORECASE)
    return value[found.end() :] if found else value


def _resolver_of(before: str) -> str | None:
    """Return the pattern of the prefixes of a name, if a template leads to the service that resolves it."""
    return next(
        (prefix for resolver, prefix in _RESOLVERS if re.fullmatch(resolver, before, re.IGNORECASE)), None
    )
