"""Texts that people write instead of a code: names of languages and formats, dates, synonyms of a status."""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence

from ginuri.registry.version_names import is_day

# In English, Spanish and German; the marks are those of spreadsheets.
_WORDS_FOR_NOTHING = """
? ?? - -- \N{EN DASH} \N{EM DASH} / #n/a n/a n.a. n.a na nan nat <na> nil none null \\n
unknown missing pending tbd tba todo not_available not_applicable no_data
ninguno ninguna desconocido pendiente s/d n.d. nd s.d. sin_datos no_disponible no_aplica
keine unbekannt
"""
_NOTHING = frozenset(word.replace("_", " ") for word in _WORDS_FOR_NOTHING.split())
NO_VALUE = frozenset(("NA", "<NA>", "NaN", "nan", "NaT", "NULL", "\\N"))
"""The words that R, pandas and databases write into empty cells; a person hardly means them as a text."""
# The least similarity of a misspelt code.
_SIMILAR = 0.75
MOST_CHARACTERS = 200
"""The most characters of a text to compare with codes; longer texts are no misspellings."""

# In English, Spanish, German and French, and in the language itself.
_LANGUAGES = """
ar arabic árabe arabisch arabe العربية
ca catalan catalán català katalanisch
cs czech checo tschechisch tchèque čeština
da danish danés dänisch danois dansk
de german alemán deutsch allemand ger
el greek griego griechisch grec ελληνικά
en english inglés englisch anglais
es spanish español castellano spanisch espagnol
eu basque euskera vasco baskisch
fi finnish finés finnisch finnois suomi
fr french francés französisch français
gl galician gallego galego
he hebrew hebreo hebräisch עברית
hi hindi हिन्दी
hu hungarian húngaro ungarisch hongrois magyar
it italian italiano italienisch italien
ja japanese japonés japanisch japonais 日本語
ko korean coreano koreanisch coréen 한국어
la latin latín latein
nl dutch neerlandés holandés niederländisch néerlandais nederlands
no norwegian noruego norwegisch norvégien norsk
nv navajo diné
pl polish polaco polnisch polonais polski
pt portuguese portugués portugiesisch portugais português
qu quechua
ro romanian rumano rumänisch roumain română
ru russian ruso russisch russe русский
sv swedish sueco schwedisch suédois svenska
tr turkish turco türkisch turc türkçe
uk ukrainian ucraniano ukrainisch українська
zh chinese chino chinesisch chinois 中文
"""
_TAGS = {name: line.split()[0] for line in _LANGUAGES.strip().splitlines() for name in line.split()[1:]}
_FORMATS = """
application/geo+json geojson
application/geopackage+sqlite3 gpkg geopackage
application/gml+xml gml
application/json json
application/ld+json jsonld json-ld
application/msword doc word
application/n-triples nt n-triples ntriples
application/pdf pdf acrobat pdf/a
application/rdf+xml rdf rdf/xml
application/vnd.google-earth.kml+xml kml
application/vnd.google-earth.kmz kmz
application/vnd.ms-excel xls
application/vnd.oasis.opendocument.spreadsheet ods
application/vnd.oasis.opendocument.text odt
application/vnd.openxmlformats-officedocument.presentationml.presentation pptx powerpoint
application/vnd.openxmlformats-officedocument.spreadsheetml.sheet xlsx excel
application/vnd.openxmlformats-officedocument.wordprocessingml.document docx
application/xml xml
application/zip zip
image/gif gif
image/jpeg jpeg jpg
image/png png
image/svg+xml svg
image/tiff tiff tif geotiff
text/csv csv
text/html html htm web webpage website
text/markdown md markdown
text/plain txt text plain
text/tab-separated-values tsv
text/turtle turtle ttl
"""
_MEDIA_TYPES = {name: line.split()[0] for line in _FORMATS.strip().splitlines() for name in line.split()[1:]}
_TOP_LEVEL = {"application", "audio", "font", "image", "message", "model", "multipart", "text", "video"}
_TOKEN = r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+"  # noqa: S105  a token of HTTP, no secret
_BEGINS_AS_MEDIA_TYPE = re.compile(rf"({_TOKEN})\s*[/\\]\s*({_TOKEN})\s*(.*)", re.DOTALL)
_PARAMETER = re.compile(rf"\s*;\s*({_TOKEN})\s*=\s*({_TOKEN}|\"[^\"\\\x00-\x1f]*\")")
_SYNONYMS = {
    name: code
    for code, names in {
        "valid": "active current published public online live ok final vigente activo activa gültig",
        "superseded": "replaced superceded outdated obsolete updated reemplazado sustituido ersetzt",
        "retired": "deleted removed gone withdrawn deprecated inactive expired dead discontinued "
        "offline lost eliminado borrado retirado gelöscht",
        "reserved": "draft planned future proposed upcoming borrador reservado geplant",
        "embargoed": "embargo embargado embargada embargoed_until gesperrt",
        "withheld": "hidden confidential private restricted secret confidencial",
        "resource": "item object record document",
        "authority": "organization organisation",
    }.items()
    for name in names.split()
}
_DAY = re.compile(r"([0-9]{4})([-./\s])([0-9]{1,2})\2([0-9]{1,2})(?:[T\s].*)?")
_DIGITS = re.compile(r"([0-9]{4})([0-9]{2})([0-9]{2})")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_IN_WORDS = re.compile(
    r"(?P<day>[0-9]{1,2})(?:st|nd|rd|th)?[\s.\-]+(?P<month>[A-Za-z]{3,9})\.?[\s,\-]+(?P<year>[0-9]{4})"
    r"|(?P<month2>[A-Za-z]{3,9})\.?\s+(?P<day2>[0-9]{1,2})(?:st|nd|rd|th)?,?\s+(?P<year2>[0-9]{4})"
)


def is_nothing(text: str) -> bool:
    """Return whether a text means an absent value, such as `n/a`."""
    return len(text) <= MOST_CHARACTERS and text.strip().casefold() in _NOTHING


def repair_language(text: str) -> str | None:
    """Return the tag for the name of a language, or for a tag with an underscore.

    >>> repair_language("English"), repair_language("en_us"), repair_language("Klingon")
    ('en', 'en-us', None)
    """
    if len(text) > MOST_CHARACTERS:
        return None
    name = text.strip().strip("\"'.;,").casefold()
    if name in _TAGS:
        return _TAGS[name]
    tag = re.sub(r"[\s_]+", "-", text.strip())
    return tag if tag != text and re.fullmatch(r"[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*", tag) else None


def is_known_top_level(media_type: str) -> bool:
    """Return whether a media type begins with one of the registered top-level types (RFC 6838 §4.2)."""
    return media_type.partition("/")[0].lower() in _TOP_LEVEL


def repair_media_type(text: str) -> str | None:
    """Return the media type for the name of a format, an extension, or a media type with a mistake.

    >>> repair_media_type("PDF"), repair_media_type("text/html;charset"), repair_media_type("aplication/pdf")
    ('application/pdf', 'text/html', 'application/pdf')
    """
    if len(text) > MOST_CHARACTERS:
        return None
    name = text.strip().strip("\"'.*;, ").casefold()
    short = re.sub(r"\s*(?:files?|documents?|format|page|images?|archive|map)$", "", name)
    if known := _MEDIA_TYPES.get(name) or _MEDIA_TYPES.get(short):
        return known
    if (found := _BEGINS_AS_MEDIA_TYPE.match(text.strip().strip("\"'"))) is None:
        return None
    plain = f"{found[1]}/{found[2]}".lower()
    near = difflib.get_close_matches(plain, [*dict.fromkeys(_MEDIA_TYPES.values())], 1, 0.9)
    repaired = near[0] if near else plain
    parameters = "".join(f";{name}={value}" for name, value in _PARAMETER.findall(found[3]))
    return f"{repaired}{parameters}" if near or found[1].lower() in _TOP_LEVEL else None


def repair_day(text: str) -> str | None:
    """Return a day as `2011-08-25` if it is unambiguous: the year first, or the month as a word.

    >>> repair_day("2011.8.25"), repair_day("Aug 25, 2011"), repair_day("25/08/2011")
    ('2011-08-25', '2011-08-25', None)
    """
    if len(text) > MOST_CHARACTERS:
        return None
    plain = text.strip()
    if found := _DIGITS.fullmatch(plain):
        year, month, day = found.groups()
    elif found := _DAY.fullmatch(plain):
        year, month, day = found[1], found[3], found[4]
    elif found := _IN_WORDS.fullmatch(plain):
        name = (found["month"] or found["month2"])[:3].lower()
        year, day = found["year"] or found["year2"], found["day"] or found["day2"]
        month = str(_MONTHS.index(name) + 1) if name in _MONTHS else ""
    else:
        return None
    repaired = f"{year}-{month.zfill(2)}-{day.zfill(2)}"
    return repaired if is_day(repaired) else None


def nearest(text: str, codes: Sequence[str]) -> str | None:
    """Return the code that a text means: a synonym, a misspelling, or a text that begins with the code.

    >>> codes = ("valid", "retired", "302")
    >>> [nearest(text, codes) for text in ("deleted", "validd", "302 Found", "x")]
    ['retired', 'valid', '302', None]
    """
    word = text.strip().strip("\"'.;,").casefold()
    if _SYNONYMS.get(word) in codes:
        return _SYNONYMS[word]
    if (first := word.split(maxsplit=1)[0] if word else "") in codes:
        return first
    words = {
        **{name: code for name, code in _SYNONYMS.items() if code in codes},
        **{code: code for code in codes},
    }
    near = difflib.get_close_matches(word, words, 1, _SIMILAR)
    return words[near[0]] if near else None


def host_of(text: str) -> str:
    """Return the likely host of a web address.

    >>> host_of("https://Resources.example.org/maps/")
    'resources.example.org'
    """
    return re.sub(r"^\s*[A-Za-z]*:?/{1,3}|[/?#].*$", "", text).strip().rstrip(".").lower()
