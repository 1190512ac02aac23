"""Finds the fault of a web address or an identifier, and its likely correction."""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import ip_address
from typing import NamedTuple
from urllib.parse import quote

from ginuri.identifiers import read_identifier
from ginuri.identifiers.characters import broken_escape
from ginuri.identifiers.messages import Message, message
from ginuri.identifiers.wrappers import unwrap
from ginuri.registry.locations import MOST_CHARACTERS, is_location


class Repair(NamedTuple):
    """The fault of a text and its correction; None without a likely one."""

    fault: Message
    suggestion: str | None = None


@dataclass(frozen=True, slots=True)
class Oddity:
    """A remark on a valid web address: its rule, its message, and a correction if there is one."""

    rule: str
    words: Message
    suggestion: str | None = None


# Order marks, joiners, soft hyphens: texts copied from pages and word processors contain them.
_INVISIBLE = re.compile("[\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]")
# Quotation marks of all languages are U+2018 to U+201F, and the single guillemets.
_AROUND = f"\"'`<>«»\u2039\u203a \t\u00a0{''.join(map(chr, range(0x2018, 0x2020)))}"
_FINAL = ".,;"
_PROTOCOL = re.compile(r"([A-Za-z]*)\s*([:;]?)\s*(/*)\s*")
_PROTOCOL_AGAIN = re.compile(r"https?\s*:|//", re.IGNORECASE)
_ADDRESS = re.compile(r"(https?://)([^/?#]*)(.*)", re.IGNORECASE | re.DOTALL)
_WITHOUT_PROTOCOL = re.compile(r"[\w\-]+(?:\.[\w\-]+)*\.([^\W\d_]{2,})(?::[0-9]+)?(/|\?|#|$)")
_FILE_NAME = re.compile(r"csv|docx?|gif|html?|jpe?g|json|kml|md|pdf|png|rtf|svg|tiff?|txt|xlsx?|xml|zip")
_ON_A_DISK = re.compile(r"[A-Za-z]:[\\/]|\\\\|file:|[~.]{0,2}/(?!/)", re.IGNORECASE)
_BEGINS_ADDRESS = re.compile(r"https?://|www\.", re.IGNORECASE)
# The least similarity of a misspelt protocol; `ftp` has 0.57.
_SIMILAR = 0.7
_ENCODED_TWICE = re.compile(r"%25(?=[0-9A-Fa-f]{2})")
_TWO_PROTOCOLS = re.compile(r"https?://(?=https?://)", re.IGNORECASE)
# The characters that `quote` keeps besides the unreserved ones of RFC 3986.
_SAFE = "!$%&'()*+,/:;=?@~"
_HOST = re.compile(r"https?://(?:\[([^\]]*)\]|([^/?#:{]*))", re.IGNORECASE)
_LOCAL = (".localhost", ".local", ".localdomain", ".internal", ".lan", ".home.arpa")


def repair_location(text: str) -> Repair:
    r"""Return the fault of an invalid location, with a correction if possible.

    >>> repair_location("htp:/www.example.org\\Übersicht 1.pdf").suggestion
    'http://www.example.org/%C3%9Cbersicht%201.pdf'
    """
    if len(text) > MOST_CHARACTERS:
        return Repair(
            message("The web address may have at most {most} characters.", most=f"{MOST_CHARACTERS:,}")
        )
    if _is_damaged(text):
        return Repair(_fault_without_repair(text))
    if _ON_A_DISK.match(text):
        return Repair(
            message(
                "This is a file on a computer, not a web address. Give the address where it is published, or "
                "upload the file and name it in `file`."
            )
        )
    if sum(_BEGINS_ADDRESS.match(piece) is not None for piece in re.split(r"[\s,;|]+", text)) > 1:
        return Repair(message("The cell contains several web addresses. Give each a row of its own."))
    fault: Message | None = None
    repaired = text
    for find, repair in _STEPS:
        before, repaired = repaired, repair(repaired)
        if repaired != before and fault is None:
            fault = find(before)
    return Repair(fault or _fault_without_repair(text), repaired if _is_plausible(repaired) else None)


def repair_identifier(text: str) -> str | None:
    r"""Return the identifier that a text probably means; None without a likely one.

    >>> repair_identifier("<uri-gin\\azgs//OFR 24>")
    'uri-gin/azgs/OFR%2024'
    """
    if len(text) > MOST_CHARACTERS or _is_damaged(text):
        return None
    repaired = text
    for repair in (_show, _unwrap, _turn, _lower, _complete, _merge, _escape_all):
        repaired = repair(repaired)
        if repaired != text and read_identifier(repaired) is not None:
            return repaired
    return None


def find_oddities(location: str) -> Iterator[Oddity]:
    """Find remarks on a location or its template: valid, but probably a mistake."""
    if location.endswith((".", ",", ";")):
        yield Oddity(
            "punctuation",
            message("The last character of the web address is a punctuation mark: {mark}", mark=location[-1]),
            location.rstrip(_FINAL),
        )
    if "%25" in location and _ENCODED_TWICE.search(location):
        yield Oddity(
            "encoded twice",
            message("The web address seems to be percent-encoded twice."),
            _ENCODED_TWICE.sub("%", location),
        )
    if location.count("://") > 1 and _TWO_PROTOCOLS.match(location):
        yield Oddity(
            "protocol",
            message("The web address begins with two protocols."),
            _TWO_PROTOCOLS.sub("", location),
        )
    if "&amp;" in location:
        yield Oddity(
            "entity",
            message("The web address was copied from the source of a page: in it, & is written &amp;."),
            location.replace("&amp;", "&"),
        )
    found = _HOST.match(location)
    host = (found[1] or found[2]) if found else ""
    if host and is_local(host):
        yield Oddity(
            "public address",
            message(
                "{host} can be reached from your own computer or network only. Give an address that everyone "
                "can reach.",
                host=host,
            ),
        )


@lru_cache(maxsize=256)  # files repeat their hosts
def is_local(host: str) -> bool:
    """Return whether a host is a loopback, link-local or private address, or a name of one.

    >>> is_local("localhost"), is_local("192.168.0.7"), is_local("fe80::1"), is_local("example.org")
    (True, True, True, False)
    """
    name = host.lower().rstrip(".")
    if name == "localhost" or name.endswith(_LOCAL):
        return True
    if not (name[:1].isdigit() or ":" in name):
        return False
    try:
        return ip_address(name).is_private
    except ValueError:
        return False


def _is_damaged(text: str) -> bool:
    # A byte outside UTF-8 is a lone surrogate here, and cannot be encoded.
    return any("\ud800" <= character <= "\udfff" for character in text)


def _show(text: str) -> str:
    return _INVISIBLE.sub("", text)


def _unwrap(text: str) -> str:
    # Brackets such as `(1)` at the end may be part of an address.
    return unwrap(text).strip(_AROUND).rstrip(_FINAL).strip(_AROUND)


def _turn(text: str) -> str:
    return text.replace("\\", "/")


def _lower(text: str) -> str:
    scheme, slash, rest = text.partition("/")
    return f"{scheme.lower()}{slash}{rest}" if slash else text


def _merge(text: str) -> str:
    return re.sub(r"(?<!:)/{2,}", "/", text)


def _complete(text: str) -> str:
    """Correct the protocol, or add it."""
    while True:
        if (found := _PROTOCOL.match(text)) is None:
            raise AssertionError("every text matches")
        word, colon, slashes = found.groups()
        rest = text[found.end() :]
        if not (_PROTOCOL_AGAIN.match(rest) and (colon or slashes)):
            break
        text = rest
    if (colon or slashes[1:]) and (not word or (protocol := _similar_protocol(word))):
        return f"{protocol if word else 'https'}://{rest}"
    if (without := _WITHOUT_PROTOCOL.match(text)) is None:
        return text
    is_file = not without[2] and _FILE_NAME.fullmatch(without[1].lower()) and word.lower() != "www"
    return text if is_file else f"https://{text}"


def _similar_protocol(word: str) -> str | None:
    lower = word.lower()
    if not difflib.get_close_matches(lower, ("https", "http"), 1, _SIMILAR):
        return None
    return "https" if "s" in lower else "http"


def encode_host(text: str) -> str:
    """Write the host of a web address in ASCII characters, if it has others."""
    if (found := _ADDRESS.fullmatch(text)) is None:
        return text
    host = re.sub(r"\s", "", unicodedata.normalize("NFC", found[2]))
    try:
        return f"{found[1]}{host if host.isascii() else host.encode('idna').decode()}{found[3]}"
    except UnicodeError:
        return text


def _escape(text: str) -> str:
    found = _ADDRESS.fullmatch(text)
    return f"{found[1]}{found[2]}{_escape_all(found[3])}" if found else text


def _escape_all(text: str) -> str:
    pieces = unicodedata.normalize("NFC", text).split("#", 1)
    return "#".join(quote(re.sub(r"%(?![0-9A-Fa-f]{2})", "%25", piece), safe=_SAFE) for piece in pieces)


def _fault_of_protocol(text: str) -> Message:
    found = _PROTOCOL.match(text)
    word = found[1] if found and (found[2] or found[3]) else ""
    if word:
        return message(
            "The web address begins with {begin} instead of http:// or https://.",
            begin=found[0] if found else "",
        )
    return message("The web address lacks its beginning, http:// or https://.")


def _fault_of_escape(text: str) -> Message:
    rest = text.partition("://")[2]
    if broken_escape(rest) is not None and rest.isascii() and " " not in rest:
        return message("In a web address, % must be written %25 where no two hexadecimal digits follow.")
    odd = next((character for character in rest if character != quote(character, safe=f"{_SAFE}#")), " ")
    if odd.isspace():
        return message("The web address contains a space.")
    return message("The web address contains {character}, which must be percent-encoded.", character=odd)


def _fault_without_repair(text: str) -> Message:
    found = re.match(r"([A-Za-z][A-Za-z0-9+.\-]*)://", text)
    if found and found[1].lower() not in {"http", "https"}:
        return message(
            "A web address starts with http:// or https://, not with {protocol}.",
            protocol=f"{found[1]}://",
        )
    if found and "@" in text:
        return message("A web address must not contain a user name or a password.")
    return message("This is not a web address, such as {example}.", example="https://example.org/a%20map.pdf")


_Step = tuple[Callable[[str], Message], Callable[[str], str]]
# Each repair and the fault it corrects; the first that changes the text is reported.
_STEPS: tuple[_Step, ...] = (
    (lambda _: message("The web address contains an invisible character."), _show),
    (
        lambda _: message(
            "The web address is surrounded by quotation marks, brackets or punctuation, or is broken across "
            "lines."
        ),
        _unwrap,
    ),
    (lambda _: message("The web address contains a backslash instead of a slash."), _turn),
    (_fault_of_protocol, _complete),
    (lambda _: message("The name of the host must be written in ASCII and without spaces."), encode_host),
    (_fault_of_escape, _escape),
)


def _is_plausible(text: str) -> bool:
    found = _HOST.match(text)
    return is_location(text) and found is not None and bool(found[1] or "." in (found[2] or "").strip("."))
