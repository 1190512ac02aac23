"""The directives of a site, and the candidates that their expressions become."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ginuri.files.expressions.expansion import Note
from ginuri.files.expressions.splitting import is_sound, split_pattern
from ginuri.files.expressions.translation import translate
from ginuri.identifiers.messages import Message, message
from ginuri.migration.apache.candidates import Candidate, Owner, find_common
from ginuri.migration.apache.configuration import Configuration
from ginuri.migration.apache.requests import Applied
from ginuri.migration.apache.rules import RewriteRule
from ginuri.registry.rules.grammar import ALL_THE_REST

_PATH = "%{REQUEST_URI}"
_LITERAL = re.compile(r"[^{\[]*")


@dataclass(frozen=True, slots=True)
class TranslatedDirective:
    """A directive with its candidates, or the reason why it has none."""

    owner: Owner
    candidates: Sequence[Candidate] = ()
    fault: Message | None = None
    notes: frozenset[Note] = field(default_factory=frozenset)

    @property
    def directive(self) -> Applied:
        """The directive."""
        return self.owner.directive


def translate_directives(configurations: Mapping[str, Configuration]) -> Iterator[TranslatedDirective]:
    """Translate the expressions of all directives that are stated in these directories."""
    for directory, configuration in configurations.items():
        if configuration.directory == directory:
            for rule in configuration.rules:
                yield _translate_rule(rule, directory)
        for redirect in configuration.redirects:
            if redirect.directory == directory:
                yield _translate(Owner(redirect), redirect.directory, redirect.pattern, is_path=True)


def _translate_rule(rule: RewriteRule, directory: str) -> TranslatedDirective:
    owner = Owner(rule, directory)
    if rule.is_negative:
        return TranslatedDirective(
            owner, fault=message("A rule has nothing like {expression}.", expression="!")
        )
    return _translate(owner, directory, rule.pattern, ignore_case=rule.ignores_case)


def _translate(
    owner: Owner, directory: str, expression: str, *, ignore_case: bool = False, is_path: bool = False
) -> TranslatedDirective:
    after_slash = is_path or not directory
    translation = translate(expression, ignore_case=ignore_case, after_slash=after_slash)
    if isinstance(translation, Message):
        return TranslatedDirective(owner, fault=translation)
    start = "/" if after_slash else directory
    placed = [_place(f"{start}{text}", directory) for text in translation.patterns]
    candidates = [
        Candidate(prefix, part, translation.ignore_case, (owner,))
        for prefix, text in placed
        for part in ([text] if is_sound(text) else split_pattern(text))
    ]
    return TranslatedDirective(owner, candidates, notes=translation.notes)


def find_regions(
    configurations: Mapping[str, Configuration], directives: Sequence[TranslatedDirective]
) -> Iterator[Candidate]:
    """Yield candidates for names that may be answered differently than others, beside those of expressions.

    These are the names of directories with rules of their own, and those that conditions on paths match.
    """
    for directory, configuration in configurations.items():
        has_rules = bool(configuration.rules) and configuration.directory == directory
        if directory and (has_rules or configuration.error_documents):
            yield from (Candidate(directory, text, is_common=True) for text in ("", ALL_THE_REST))
    for translated in directives:
        yield from _regions_of(translated)


def find_names(paths: Iterable[str], directives: Sequence[TranslatedDirective]) -> Iterator[Candidate]:
    """Yield these paths as candidates, if directives match them."""
    for path in paths:
        owners = tuple(each.owner for each in directives if each.owner.matches(path))
        if owners:
            start = path.rfind("/") + 1
            yield Candidate(path[:start], path[start:], owners=owners, is_common=True, is_required=True)


def _regions_of(translated: TranslatedDirective) -> Iterator[Candidate]:
    directive = translated.directive
    for condition in directive.conditions if isinstance(directive, RewriteRule) else ():
        if condition.test != _PATH or not condition.is_expression:
            continue
        found = translate(_anywhere(condition.pattern), ignore_case="NC" in condition.flags, after_slash=True)
        if isinstance(found, Message):
            continue
        for text in found.patterns:
            region = Candidate(*_place(f"/{text}", translated.owner.directory), found.ignore_case)
            for candidate in translated.candidates:
                yield from find_common(region, candidate)


def _anywhere(expression: str) -> str:
    """Return the expression of the whole texts that contain a match."""
    return expression if expression.startswith("^") else f"^/.*{expression.removeprefix('/')}"


def _place(path: str, directory: str) -> tuple[str, str]:
    """Divide a pattern of paths into its prefix and the rest, at its directory or its last literal slash."""
    if directory and path.startswith(directory):
        return directory, path[len(directory) :]
    found = _LITERAL.match(path)
    literal = found[0] if found is not None else ""
    at = literal.rfind("/") + 1
    # The prefix itself is no name below it.
    if path[at:].startswith("[") and at > 1:
        at = literal.rfind("/", 0, at - 1) + 1
    return path[:at], path[at:]
