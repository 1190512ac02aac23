"""References in descriptions: by title if registered, and never with a link to a script."""

from __future__ import annotations

import re
from collections.abc import Mapping

from ginuri.descriptions.description import Link, Reference, Text
from ginuri.descriptions.references import read_mention
from ginuri.identifiers import Identifier
from ginuri.identifiers.roots import printable_name
from ginuri.identifiers.service_paths import description_path
from ginuri.registry.model import Registered, Texts
from ginuri.registry.ports import Found
from ginuri.registry.texts.titles import shorten
from ginuri.resolution.negotiation.languages import choose_text
from ginuri.resolution.negotiation.preferences import Languages

# RFC 3986 §4.3  absolute-URI; `javascript:` and `data:` must never become a link
_FOLLOWED = re.compile(r"(?:https?://|mailto:|tel:|urn:|doi:)[^\s<>\"{}|\\^`\x00-\x20]+", re.IGNORECASE)
_LED_TO = re.compile(r"(?:https?|mailto|tel):", re.IGNORECASE)
_EMAIL = re.compile(r"[^@\s:]+@[^@\s]+")


def choose_label(texts: Texts, languages: Languages = ()) -> Text | None:
    """Choose the text to show first: in a preferred language, else in English, else the first one."""
    return Text(*choose_text(texts, languages)) if texts else None


def others(texts: Texts, shown: Text | None) -> tuple[Text, ...]:
    """Return the texts in the other languages."""
    spoken = shown.language if shown else None
    return tuple(Text(text, language) for language, text in texts.items() if language != spoken)


class Labeller:
    """Makes references: to identifiers by their titles, to other URIs and texts unchanged."""

    def __init__(self, found: Found, canonical_host: str, languages: Languages = ()) -> None:
        self._found = found
        self._canonical_host = canonical_host
        self._languages = languages

    @property
    def here(self) -> str:
        """The URI that the paths of the service are appended to."""
        return f"http://{self._canonical_host}"

    def refer(self, text: str) -> Reference:
        """Refer to an identifier, a URI, or plain text."""
        identifier = read_mention(text, self._found.identifier.root)
        if identifier is None or not self._is_known(identifier):
            return refer_elsewhere(text)
        record = self._found.records.get(identifier.normal_form)
        uri = Found(identifier, self._found.records).cited(self._canonical_host)
        if record is None:
            return Reference(Text(printable_name(identifier.normal_form)), uri, identifier.path)
        return self._registered(identifier, record, uri)

    def link(self, relation: str, link: Mapping[str, str]) -> Link:
        """Refer to the target of a typed link, with what the link states about it."""
        title = Text(link["title"]) if "title" in link else None
        return Link(relation, self.refer(link["href"]), title, link.get("type"), link.get("hreflang"))

    def _is_known(self, identifier: Identifier) -> bool:
        return not identifier.is_of_registered_scheme or identifier.root in self._found.records

    def _registered(self, identifier: Identifier, record: Registered, uri: str) -> Reference:
        name = identifier.normal_form
        label = choose_label(record.titles, self._languages) or Text(printable_name(name))
        title = Text(shorten(label.text), label.language) if record.titles else label
        return Reference(title, uri, description_path(name), name, title != label)


def refer_to_contact(contact: str) -> Reference:
    """Refer to a contact: an e-mail address or a URI."""
    return refer_elsewhere(f"mailto:{contact}" if _EMAIL.fullmatch(contact) else contact)


def refer_elsewhere(text: str) -> Reference:
    """Refer to a URI that is not an identifier here, or to plain text; only safe URIs get a link."""
    if not _FOLLOWED.fullmatch(text):
        return Reference(Text(text))
    shown = re.sub("^mailto:", "", text, flags=re.IGNORECASE)
    return Reference(Text(shown), text, text if _LED_TO.match(text) else None)
