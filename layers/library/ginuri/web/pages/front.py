"""The front page and the page of the whole registry: its figures, and links to begin with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from ginuri.frozen import NOTHING, Frozen
from ginuri.identifiers.messages import Words, counted, message, translatable
from ginuri.identifiers.roots import printable_name
from ginuri.identifiers.service_paths import DATASET, REGISTRY, TESTS, description_path
from ginuri.published.figures import Example, Figures, Group, Place
from ginuri.published.publications import Publication
from ginuri.registry.model import Host, Texts
from ginuri.registry.ports import Found
from ginuri.registry.texts.titles import shorten_texts
from ginuri.resolution.descriptions.decision import FrontPage
from ginuri.resolution.negotiation.preferences import Languages
from ginuri.web.pages.colors import color_path
from ginuri.web.pages.environment import write_page
from ginuri.web.pages.line_breaks import break_long_names

MOST_SHOWN = 5
"""The number of authorities, types and schemes on the front page; the page of the registry has more."""


_FIRST_STEPS = (
    (
        translatable("Register a scheme and your organization. Save these lines as hosts.jsonl:"),
        (
            '{"identifier": "uri-gin/", "record": "scheme", "title": {"en": "Geoscience information"}}\n'
            '{"identifier": "uri-gin/survey/", "record": "authority", "title": {"en": "My survey"}}'
        ),
    ),
    (
        translatable("Upload the file; FOLDER is the folder that the server was started with:"),
        "ginuri upload hosts.jsonl --under _host/ --registry FOLDER",
    ),
    (
        translatable(
            "Then upload your identifiers, from a table with the columns identifier, title and location:"
        ),
        "ginuri upload wells.csv --under uri-gin/survey/ --registry FOLDER",
    ),
    (
        translatable(
            "Or look at examples first: stop the server with Ctrl-C, and start it with this command:"
        ),
        "ginuri serve FOLDER --examples",
    ),
)
"""What to do with an empty registry on one machine, with the lines to copy."""


class Row(Frozen):
    """A line of a list: its link, its words, and the number of identifiers under it."""

    href: str
    name: Words
    count: int
    note: Words | None = None
    """Its authority."""
    is_ambiguous: bool = False
    """Whether another line has the same words."""


def write_front(outcome: FrontPage, figures: Figures | None, *, is_empty: bool = False) -> bytes:
    """Write the front page in UTF-8; that of an empty registry says how to begin."""
    record = outcome.record
    examples = [_show_featured(found, outcome.canonical_host) for found in outcome.featured]
    if figures and not examples:
        examples = [_show(example) for example in figures.examples]
    return write_page(
        "front",
        outcome.languages,
        title=_one_of(record.titles) or message("Persistent identifiers"),
        lead=_one_of(record.descriptions)
        or message("Every identifier registered here leads to what it names, or says why it does not."),
        is_registered=outcome.is_registered or is_empty,
        first_steps=_FIRST_STEPS if is_empty else (),
        canonical_host=outcome.canonical_host,
        about=description_path(outcome.identifier.normal_form),
        figures=figures,
        totals=_totals(figures) if figures else (),
        lists=_lists(figures, MOST_SHOWN) if figures else {},
        located=counted(
            "{number} identifier states where it is.",
            "{number} identifiers state where they are.",
            figures.located,
        )
        if figures
        else None,
        map=_draw(figures.places) if figures else None,
        examples=examples,
        host=outcome.identifier.normal_form.strip("/"),
        color=color_path(record.theme_color) if isinstance(record, Host) and record.theme_color else None,
        here="/",
    )


def write_registry(publication: Publication, figures: Figures | None, languages: Languages) -> bytes:
    """Write the page of the whole registry, in UTF-8; older runs have no figures."""
    return write_page(
        "registry",
        languages,
        publication=publication,
        file=publication.files[DATASET],
        tests=publication.files.get(TESTS),
        figures=figures,
        totals=_totals(figures) if figures else (),
        lists=_lists(figures) if figures else {},
        here=f"/{REGISTRY}",
    )


def _draw(places: Sequence[Place]) -> object:
    from ginuri.web.maps.world_map import draw_places

    return draw_places(places)


def _totals(figures: Figures) -> Sequence[tuple[Words, int]]:
    return [
        (counted("identifier", "identifiers", figures.identifiers), figures.identifiers),
        (counted("authority", "authorities", figures.authorities), figures.authorities),
        (counted("resource type", "resource types", figures.types), figures.types),
        (counted("URI scheme", "URI schemes", figures.schemes), figures.schemes),
    ]


def _lists(figures: Figures, most: int | None = None) -> Mapping[str, tuple[Sequence[Row], int]]:
    # Each with its total, which may be larger than the published number.
    return {
        "authorities": (_rows(figures.by_authority[:most]), figures.authorities),
        "types": (_rows(figures.by_type[:most]), figures.types),
        "schemes": (_rows(figures.by_scheme[:most]), len(figures.by_scheme)),
    }


def _rows(groups: Sequence[Group]) -> list[Row]:
    names = Counter(str(_name(group.identifier, group.titles)) for group in groups)
    return [
        Row(
            description_path(group.identifier),
            _name(group.identifier, group.titles),
            group.count,
            _one_of(group.authority),
            names[str(_name(group.identifier, group.titles))] > 1,
        )
        for group in groups
    ]


def _name(identifier: str, titles: Texts) -> Words:
    return message("{title}", title=titles or printable_name(identifier))


def _one_of(texts: Texts) -> Words | None:
    return message("{title}", title=texts) if texts else None


def _show_featured(found: Found, canonical_host: str) -> tuple[str, Words, str, Words]:
    identifier, authority = found.identifier.normal_form, found.authority
    titles = shorten_texts(found.record.titles) if found.record else NOTHING
    above = shorten_texts(authority.titles) if authority and authority is not found.record else NOTHING
    return _show(Example(identifier, found.cited(canonical_host), titles, NOTHING, above, ""))


def _show(example: Example) -> tuple[str, Words, str, Words]:
    """Return the target of an example, its title, its URI and its citation."""
    uri = break_long_names(example.uri)
    cited = message("{title}. {uri}", title=example.titles or example.identifier, uri=uri)
    if example.authority:
        cited = message("{authority}. {cited}", authority=example.authority, cited=cited)
    return description_path(example.identifier), _name(example.identifier, example.titles), example.uri, cited
