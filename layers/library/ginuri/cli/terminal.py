"""Messages, fields and values, written for a terminal."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, TypeVar

import click

from ginuri.cli.help.languages import user_languages
from ginuri.i18n.catalogue import ENGLISH, spoken_languages
from ginuri.i18n.translation import translate
from ginuri.identifiers.messages import Words

if TYPE_CHECKING:
    from click._termui_impl import ProgressBar

    from ginuri.registry.record.statements import Key

T = TypeVar("T")
_NOTHING = "—"


def localize(words: Words) -> str:
    """Write a message in the language of the user."""
    return translate(words, terminal_language())


def terminal_language() -> str:
    """Choose a language that the user reads and that has a catalogue; else English."""
    spoken = spoken_languages()
    return next((language for language in user_languages(os.environ) if language in spoken), ENGLISH)


def asked_language() -> str:
    """Return the default language of reports: the user's; empty for English."""
    language = terminal_language()
    return "" if language == ENGLISH else language


language_option = click.option(
    "--language",
    type=click.Choice(spoken_languages()),
    callback=lambda _context, _option, language: language or asked_language(),
    help="The language of the report and its page; without it, that of your terminal.",
)


class CommandFailed(click.ClickException):
    """Raised when a command cannot be carried out; its usage is right, so none is printed."""

    exit_code = 2


def fault(words: Words) -> CommandFailed:
    """Return the error of a command that cannot be carried out. It exits with 2."""
    return CommandFailed(localize(words))


def refusal(words: Words) -> click.ClickException:
    """Return the error of a command that refuses its file. It exits with 1, and prints no usage."""
    return click.ClickException(localize(words))


def wrong_value(words: Words) -> click.BadParameter:
    """Return the error of an argument or option whose value cannot be used. It exits with 2."""
    return click.BadParameter(localize(words))


def say(words: Words, *, err: bool = False) -> None:
    """Print a message in the language of the user, to stdout or stderr."""
    click.echo(localize(words), err=err)


def localize_all(messages: Iterable[Words], separator: str = ", ") -> str:
    """Write several messages in that language, joined by a separator."""
    return separator.join(map(localize, messages))


def with_progress(
    things: Iterable[T], label: str, *, hidden: bool = False, length: int | None = None
) -> Iterator[T]:
    """Pass things on, and show their number in a progress bar; `length` is that number, if it is known."""
    with progress_bar(things, label, hidden=hidden, length=length) as bar:
        yield from bar


def progress_bar(
    things: Iterable[T], label: str, *, hidden: bool = False, length: int | None = None
) -> ProgressBar[T]:
    """Make a progress bar on stderr, which is hidden unless stderr is a terminal."""
    hidden = hidden or not sys.stderr.isatty()
    return click.progressbar(
        things,
        length=length,
        label=label,
        hidden=hidden,
        show_pos=True,
        file=sys.stderr,
        update_min_steps=10,
    )


def is_terminal() -> bool:
    """Whether input and output are a terminal, so that the user can be asked."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def write_json(value: object, *, indent: int | None = None) -> str:
    """Write a value as JSON, with all characters as they are."""
    return json.dumps(value, ensure_ascii=False, indent=indent)


def format_field(key: Key) -> str:
    """Write the path of a field."""
    from ginuri.registration.verdicts import shown
    from ginuri.registry.record.serialization import path_of

    return ".".join(shown(step.strip()) for step in path_of(key) if step.strip())


def format_value(value: object) -> str:
    """Write a value: shortened, and without control characters."""
    from ginuri.registration.verdicts import shown

    if value is None:
        return _NOTHING
    return shown(value if isinstance(value, str) else write_json(value))
