"""The answer of a rule.

The longest prefix wins, then the most literal pattern; a registered identifier precedes every rule. The rules
of a scheme are for its unregistered authorities and namespaces: a registered one has rules of its own. The
nearest registered ARK precedes them for the names below it, if it answers for them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ginuri.frozen import replace
from ginuri.registry.model import NameAuthority, Representation, Resource, Rule
from ginuri.registry.ports import Found
from ginuri.resolution.rules_above import rules_above

if TYPE_CHECKING:
    from ginuri.registry.rules.matcher import Steps


def find_rule(found: Found) -> tuple[Rule, Resource] | None:
    """Find the rule that answers for an identifier, and the resource that it describes.

    Raises TooManySteps.
    """
    name = found.identifier.normal_form
    if found.identifier.scheme == "ark":
        from ginuri.resolution.arks import answering_base

        if answering_base(found) is not None:
            return None
    steps: Steps | None = None
    for prefix, rules in rules_above(name, found.records):
        for rule in rules:
            if rule.is_pairing:
                continue
            steps = steps or _begin()
            pieces = rule.pattern.match(name[len(prefix) :], steps)
            if pieces is not None:
                return rule, _apply(rule, name, pieces)
        if isinstance(found.records.get(prefix), NameAuthority):
            return None  # a rule of the scheme is for the authorities and namespaces without a record
    return None


def _begin() -> Steps:
    from ginuri.registry.rules.matcher import Steps

    return Steps()


def _apply(rule: Rule, name: str, pieces: dict[str, str]) -> Resource:
    forms = tuple(_expand(form, pieces) for form in rule.answer.representations)
    return replace(rule.answer, identifier=name, representations=forms)


def _expand(form: Representation, pieces: dict[str, str]) -> Representation:
    if not form.location:
        return form
    from ginuri.registry.rules.templates import expand

    return replace(form, location=expand(form.location, pieces))
