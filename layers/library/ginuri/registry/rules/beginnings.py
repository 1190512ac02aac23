"""The literal beginnings of patterns: rules are stored by them, and a request reads those of its name.

prefix             pattern        stored in
//id.example/obo/  HP_{id}        rules //id.example/obo/hp_
//id.example/      obo/HP_{id}    the same record
//id.example/obo/  {id}           //id.example/obo/, the record of the prefix: there is no beginning
"""

from __future__ import annotations

from collections.abc import Mapping

from ginuri.identifiers.roots import root_of

MOST_CUTS = 16
"""The number of beginnings of a name that are looked up; a pattern is cut after no later one."""
STORED = "rules "
"""The beginning of the names of records with rules; the space makes them no identifiers."""
LISTED = "beginnings "
"""Precedes the prefix in the names of items that list the beginnings of its rules."""


def beginning_of(prefix: str, pattern: str) -> str:
    """Return the literal beginning of a pattern, up to its last cut, in lower case; empty without a cut.

    It depends on nothing else, so that two uploads of one rule always mean the same record.

    >>> beginning_of("//id.example/", "obo/HP_{id}"), beginning_of("//id.example/obo/", "HP{id}")
    ('obo/hp_', '')
    >>> beginning_of("ark:12345/", "x8-c_3.v{version}"), beginning_of("//id.example/", "[chebi:]{id}")
    ('x8-c_3.', '')
    """
    literal = pattern.partition("{")[0].partition("[")[0]
    last = max(_cuts(f"{prefix}{literal}", root_of(prefix)), default=0)
    return literal[: max(0, last - len(prefix))].lower()


def record_of_rule(prefix: str, pattern: str) -> str:
    """Return the name of the record that a new rule is stored in.

    >>> record_of_rule("//id.example/obo/", "HP_{id}"), record_of_rule("//id.example/obo/", "{id}")
    ('rules //id.example/obo/hp_', '//id.example/obo/')
    """
    beginning = beginning_of(prefix, pattern)
    return record_of_beginning(prefix, beginning) if beginning else prefix


def record_of_beginning(prefix: str, beginning: str) -> str:
    """Return the name of the record with the rules of a prefix that have a beginning."""
    return f"{STORED}{prefix.lower()}{beginning}"


def cover_of(root: str) -> str:
    """Return the name of the record that says which cuts occur in the beginnings under a scheme or a host."""
    return f"{STORED}{root.lower()}"


def records_above(name: str, root: str, cuts: Mapping[str, str] | None) -> list[str]:
    """Return the names of the records whose rules may match an identifier.

    `cuts` are those that occur, by prefix, as the cover has them; without it, all are looked up.

    >>> records_above("//id.example/obo/HP_17", "//id.example/", {"//id.example/obo/": "_"})
    ['rules //id.example/obo/hp_']
    >>> records_above("//id.example/obo/HP_17", "//id.example/", None)
    ['rules //id.example/obo/', 'rules //id.example/obo/hp_']
    """
    if cuts is None:
        return [f"{STORED}{name[:cut].lower()}" for cut in _cuts(name, root)]
    occurring = [(len(prefix), signs) for prefix, signs in cuts.items() if name.startswith(prefix)]
    if not occurring:
        return []
    return [
        f"{STORED}{name[:cut].lower()}"
        for cut in _cuts(name, root)
        if any(cut > least and name[cut - 1] in signs for least, signs in occurring)
    ]


def signs_of(name: str) -> str:
    """Return the characters after which the beginnings of the names of a scheme or host may end.

    In an ARK only two of them separate anything.
    """
    return "./" if name.startswith("ark:") else ":_-./"


def _cuts(name: str, root: str) -> list[int]:
    # Without a regular expression, which would take longer to compile than a first request needs.
    signs, least = signs_of(root), len(root)
    return [at for at, sign in enumerate(name, 1) if sign in signs and at > least][:MOST_CUTS]
