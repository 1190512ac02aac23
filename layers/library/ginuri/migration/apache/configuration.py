"""The configuration of a directory or a server, with what it has from the directories above."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from ginuri.identifiers.messages import Message, message
from ginuri.migration.apache.directives import Directive, IgnoredSection
from ginuri.migration.apache.rules import (
    Condition,
    RewriteRule,
    UnreadableDirective,
    compile_directive,
    read_condition,
    read_rule,
)
from ginuri.migration.entries import EntryPlace, RefusedEntry

_STATUS_WORDS = {"temp": 302, "permanent": 301, "seeother": 303, "gone": 410}
_FOLLOWED = "(?=/|$)"
"""A Redirect matches whole segments."""


@dataclass(frozen=True, slots=True, eq=False)
class Redirect:
    """A Redirect or RedirectMatch of mod_alias."""

    place: EntryPlace
    status: int
    expression: re.Pattern[str]
    target: str
    """Empty for a status that is no redirect."""
    is_prefix: bool
    """Whether the text after the match is appended."""
    directory: str
    """The directory that it is stated in; empty for a server's own."""

    @property
    def pattern(self) -> str:
        """The expression of the whole paths that it matches, if it matches their beginning only."""
        text = self.expression.pattern
        return f"{text.removesuffix(_FOLLOWED)}($|/.*)$" if text.endswith(_FOLLOWED) else text


@dataclass(frozen=True, slots=True)
class Setting:
    """A SetEnvIf: if a value of the request matches, variables are set."""

    attribute: str
    expression: re.Pattern[str]
    variables: Sequence[str]


@dataclass(frozen=True, slots=True)
class Configuration:
    """What applies to a directory."""

    directory: str
    """The path of the directory whose rules are tried; empty for a server's own rules."""
    is_on: bool | None = None
    """Whether rewriting is on; None if nothing says so, which means off."""
    base: str = ""
    """RewriteBase."""
    allows_no_slash: bool = False
    adds_slash: bool = True
    """Whether a directory without its final slash is led to the one with it: DirectorySlash."""
    rules: Sequence[RewriteRule] = ()
    redirects: Sequence[Redirect] = ()
    settings: Sequence[Setting] = ()
    error_documents: Sequence[tuple[int, str]] = ()
    fault: RefusedEntry | None = None
    """A directive that Apache httpd refuses: it then answers 500 for the whole directory."""
    is_faulty: bool = False
    """Whether that directive is its own."""

    @property
    def directives(self) -> Sequence[RewriteRule | Redirect]:
        """The rules and redirects."""
        return [*self.rules, *self.redirects]


@dataclass(slots=True)
class _Reader:
    """Collects the directives of a file."""

    configuration: Configuration
    has_rewriting: bool = False
    conditions: tuple[Condition, ...] = ()

    def read(self, directive: Directive) -> None:
        """Read a directive. Raises UnreadableDirective."""
        own = self.configuration
        match directive.name:
            case "rewriteengine":
                self._rewriting(is_on=directive.text.lower() == "on")
            case "rewritebase":
                self._rewriting(base=directive.text.strip("\"'"))
            case "rewriteoptions":
                self._rewriting(allows_no_slash="allownoslash" in directive.text.lower())
            case "rewritecond":
                self.conditions = (*self.conditions, read_condition(directive))
            case "rewriterule":
                self._rewriting(rules=(*own.rules, read_rule(directive, self.conditions)))
                self.conditions = ()
            case "directoryslash":
                self.configuration = replace(own, adds_slash=directive.text.lower() != "off")
            case "redirect" | "redirectmatch" | "redirectpermanent" | "redirecttemp":
                self.configuration = replace(
                    own, redirects=(*own.redirects, _read_redirect(directive, own.directory))
                )
            case "setenvif" | "setenvifnocase" | "browsermatch" | "browsermatchnocase":
                self.configuration = replace(own, settings=(*own.settings, _read_setting(directive)))
            case "errordocument":
                status, _, document = directive.text.partition(" ")
                stated = (int(status) if status.isdigit() else 0, document.strip().strip('"'))
                self.configuration = replace(own, error_documents=(*own.error_documents, stated))
            case _:
                pass  # it changes no redirect

    def _rewriting(self, **changes: object) -> None:
        self.has_rewriting = True
        self.configuration = replace(self.configuration, **changes)  # type: ignore[arg-type]  # fields by name


def read_configuration(
    directory: str, directives: Iterable[Directive | IgnoredSection], above: Configuration | None = None
) -> Configuration:
    """Read the configuration of a directory, below that of the directory above it."""
    reader = _Reader(Configuration(directory))
    for directive in directives:
        if isinstance(directive, IgnoredSection):
            continue
        try:
            reader.read(directive)
        except UnreadableDirective as error:
            place = EntryPlace(directive.file, directive.line, f"{directive.name} {directive.text}"[:80])
            reader.configuration = replace(
                reader.configuration, fault=RefusedEntry(place, _refused(error.words)), is_faulty=True
            )
            break
    return reader.configuration if above is None else _merge(reader, above)


def _refused(reason: Message) -> Message:
    return message(
        "Apache httpd refuses this line and answers 500 for the whole directory: {reason}", reason=reason
    )


def _merge(reader: _Reader, above: Configuration) -> Configuration:
    own = reader.configuration
    merged = replace(
        own,
        redirects=(*own.redirects, *above.redirects),
        settings=(*above.settings, *own.settings),
        error_documents=(*above.error_documents, *own.error_documents),
        adds_slash=own.adds_slash and above.adds_slash,
        fault=own.fault or above.fault,
    )
    if reader.has_rewriting:
        is_on = above.is_on if own.is_on is None else own.is_on
        return replace(merged, is_on=is_on, base=own.base or above.base)
    # Without directives of its own, mod_rewrite tries the rules of the directory above, as seen from there.
    return replace(
        merged,
        directory=above.directory,
        is_on=above.is_on,
        base=above.base,
        allows_no_slash=above.allows_no_slash,
        rules=above.rules,
    )


def _read_redirect(directive: Directive, directory: str) -> Redirect:
    arguments = directive.arguments()
    status = 301 if directive.name == "redirectpermanent" else 302
    if arguments and (arguments[0].isdigit() or arguments[0].lower() in _STATUS_WORDS):
        word = arguments.pop(0)
        status = int(word) if word.isdigit() else _STATUS_WORDS[word.lower()]
    is_match = directive.name == "redirectmatch"
    if not arguments or (len(arguments) < 2 and 300 <= status < 400):  # noqa: PLR2004  a path and its target
        raise UnreadableDirective(message("It has fewer than two arguments."))
    path, target = arguments[0], arguments[1] if len(arguments) > 1 else ""
    expression = path if is_match else f"^{re.escape(path.rstrip('/'))}{_FOLLOWED}"
    place = EntryPlace(directive.file, directive.line, f"{directive.name} {path}")
    return Redirect(place, status, compile_directive(expression), target, not is_match, directory)


def _read_setting(directive: Directive) -> Setting:
    arguments = directive.arguments()
    if directive.name.startswith("browsermatch"):
        arguments = ["User-Agent", *arguments]
    if len(arguments) < 3:  # noqa: PLR2004  a value, its expression, a variable
        raise UnreadableDirective(message("It has fewer than three arguments."))
    ignore_case = directive.name.endswith("nocase")
    return Setting(arguments[0], compile_directive(arguments[1], ignore_case=ignore_case), arguments[2:])
