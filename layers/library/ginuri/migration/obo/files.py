"""Reads the YAML configuration of OBO's PURLs as the directives that its tool writes for Apache.

Source: github.com/OBOFoundry/purl.obolibrary.org, README.md, "Configuration Format", tools/translate_yaml.py
and tools/test.py: `exact`, `prefix` and `regex` become `RedirectMatch ^base_url…$`, tried in order. The
`entries` of a project come before those that all projects share, as the `.htaccess` of the deeper folder
comes first: then the entries of OBO's own file, base redirects, products and terms.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import IntEnum

from ginuri.identifiers.errors import UnreadableFile
from ginuri.identifiers.messages import Message, message
from ginuri.migration.entries import EntryPlace
from ginuri.migration.marked import LocatedValue, read_located

# The base URL that all projects share; the file with this base has only shared entries.
_SHARED = "/obo"
SHARED = f"{_SHARED}/"
"""The folder of all names."""
_STATUS_CODES = {"permanent": 301, "temporary": 302, "see other": 303}
_KINDS = ("exact", "prefix", "regex")
# tools/translate_yaml.py; RedirectMatch escapes the path of its target, including its escapes.
_BROWSERS = {
    "ontobee": "http://www.ontobee.org/browser/rdf.php?o={idspace}&iri=http://purl.obolibrary.org/obo/{idspace}_$1",
    "ols": "https://www.ebi.ac.uk/ols4/ontologies/{lower}/entities/"
    "http%253A%252F%252Fpurl.obolibrary.org%252Fobo%252F{idspace}_$1",
}


class Precedence(IntEnum):
    """The order in which directives are tried."""

    PROJECT = 0
    SHARED = 1
    BASE = 2
    PRODUCT = 3
    TERM = 4


@dataclass(frozen=True, slots=True)
class DirectiveTest:
    """A request for a path, and the location that it must get."""

    path: str
    location: str
    status_code: int


@dataclass(frozen=True, slots=True)
class Directive:
    """One `RedirectMatch`: the paths that it matches, and its target."""

    place: EntryPlace
    turn: Precedence
    kind: str
    """`exact`, `prefix` or `regex`."""
    matches: str
    """A path, or the unchanged expression of a `regex`."""
    location: str
    status_code: int
    title: str
    heard_under: str = SHARED
    """The directive applies to paths in this folder."""
    tests: tuple[DirectiveTest, ...] = ()


@dataclass(frozen=True, slots=True)
class UnreadableEntry:
    """An entry that OBO's tool refuses too."""

    place: EntryPlace
    reason: Message


Read = Directive | DirectiveTest | UnreadableEntry
"""An entry, or a test of a whole file."""


def read_obo(file: str, content: bytes) -> Iterator[Read]:
    """Read one file. Raises UnreadableFile if it is no OBO configuration."""
    fields = read_located(content).fields
    for name in ("idspace", "base_url"):
        if not (name in fields and fields[name].text):
            raise UnreadableFile(
                "OBO",
                name,
                "{file} is not a configuration of OBO's PURLs: `{name}` is missing.",
                file=file,
                name=name,
            )
    project = _Project(file, fields["idspace"].text or "", fields["base_url"].text or "")
    for entry in fields["entries"].items if "entries" in fields else ():
        yield project.entry(entry)
    if "base_redirect" in fields:
        yield project.base_redirect(fields["base_redirect"])
    for product in fields["products"].items if "products" in fields else ():
        yield project.product(product)
    browser = fields.get("term_browser")
    name = (browser.text or "").strip().lower() if browser else ""
    if browser is not None and name != "custom":
        yield project.terms(name, browser.line, fields.get("example_terms"))
    if "tests" in fields:
        yield from project.tests(fields["tests"], 302)


@dataclass(frozen=True, slots=True)
class _Project:
    file: str
    idspace: str
    base: str

    def entry(self, entry: LocatedValue) -> Read:
        fields = {name: (value.text or "").strip() for name, value in entry.fields.items()}
        kinds = [kind for kind in _KINDS if fields.get(kind)]
        place = self._place(entry.line, f"{kinds[0]} {fields[kinds[0]]}" if kinds else "entries")
        if len(kinds) != 1 or not fields.get("replacement"):
            return UnreadableEntry(
                place, message("An entry needs one of `exact`, `prefix` and `regex`, and a `replacement`.")
            )
        status = fields.get("status", "temporary")
        if status not in _STATUS_CODES:
            return UnreadableEntry(place, _not_one_of("status", status, _STATUS_CODES))
        (kind,) = kinds
        if kind != "regex" and not fields[kind].startswith("/"):
            return UnreadableEntry(place, message("The path of `{kind}` must start with a slash.", kind=kind))
        matches = fields[kind] if kind == "regex" else f"{self.base}{fields[kind]}"
        tests = entry.fields.get("tests")
        is_shared = self.base == _SHARED
        return Directive(
            place,
            Precedence.SHARED if is_shared else Precedence.PROJECT,
            kind,
            matches,
            fields["replacement"],
            _STATUS_CODES[status],
            f"{self.idspace}: {fields[kind]}",
            f"{self.base}/",
            () if tests is None else tuple(self.tests(tests, _STATUS_CODES[status])),
        )

    def tests(self, tests: LocatedValue, status_code: int) -> Iterator[DirectiveTest]:
        for test in tests.items:
            path, location = (
                (test.fields[name].text or "").strip() if name in test.fields else ""
                for name in ("from", "to")
            )
            if path and location:
                yield DirectiveTest(f"{self.base}{path}", location, status_code)

    def base_redirect(self, redirect: LocatedValue) -> Read:
        return self._shared(
            self._place(redirect.line, "base_redirect"),
            Precedence.BASE,
            self.base,
            redirect.text,
            self.idspace,
        )

    def product(self, product: LocatedValue) -> Read:
        for file, location in product.fields.items():
            place = self._place(location.line, f"product {file}")
            return self._shared(place, Precedence.PRODUCT, f"{_SHARED}/{file}", location.text, file)
        return UnreadableEntry(
            self._place(product.line, "products"), message("A product is a file name and its location.")
        )

    def terms(self, browser: str, line: int, examples: LocatedValue | None) -> Read:
        place = self._place(line, f"term_browser {browser}")
        if browser not in _BROWSERS:
            return UnreadableEntry(place, _not_one_of("term_browser", browser, (*_BROWSERS, "custom")))
        location = _BROWSERS[browser].format(idspace=self.idspace, lower=self.idspace.lower())
        matches, start = rf"^{_SHARED}/{self.idspace}_(\d+)$", f"{self.idspace}_"
        terms = (term.text or "" for term in examples.items) if examples is not None else ()
        tests = tuple(
            DirectiveTest(f"{_SHARED}/{term}", location.replace("$1", term.removeprefix(start)), 303)
            for term in terms
            if term.startswith(start)
        )
        title = f"Terms of {self.idspace}"
        return Directive(place, Precedence.TERM, "regex", matches, location, 303, title, tests=tests)

    def _shared(
        self, place: EntryPlace, turn: Precedence, path: str, location: str | None, title: str
    ) -> Read:
        if not location:
            return UnreadableEntry(place, message("The entry has no location."))
        return Directive(place, turn, "exact", path, location.strip(), 302, title)

    def _place(self, line: int, name: str) -> EntryPlace:
        return EntryPlace(self.file, line, name)


def _not_one_of(field: str, value: str, values: Iterable[str]) -> Message:
    return message(
        "`{field}` is {value}, which is not one of {values}.",
        field=field,
        value=value,
        values=", ".join(values),
    )
