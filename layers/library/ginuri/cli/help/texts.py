"""Help and advice that few calls need: help in another language, and the command that was meant."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from difflib import get_close_matches
from inspect import cleandoc
from typing import TypeVar

import click

from ginuri.cli.terminal import localize
from ginuri.identifiers.messages import message

C = TypeVar("C", bound=click.Command)


def localize_help(command: C) -> C:
    """Return a copy of a command whose help, and that of its options, is in the language of the user."""
    localized = copy(command)
    if command.help:
        localized.help = localize(cleandoc(command.help))
    localized.params = [_localize_option(parameter) for parameter in command.params]
    if isinstance(command, click.Group) and isinstance(localized, click.Group):
        localized.commands = {name: localize_help(each) for name, each in command.commands.items()}
    return localized


def _localize_option(parameter: click.Parameter) -> click.Parameter:
    localized = copy(parameter)
    if isinstance(localized, click.Option) and localized.help:
        localized.help = localize(localized.help)
    return localized


def unknown_command(name: str, commands: Sequence[str], least: float) -> str:
    """Return the message about an unknown command, with the one that was probably meant."""
    meant = get_close_matches(name.casefold(), commands, n=1, cutoff=least)
    if meant:
        return localize(
            message(
                "There is no command {name}. Did you mean {meant}?",
                name=repr(name),
                meant=f"`ginuri {meant[0]}`",
            )
        )
    return localize(
        message("There is no command {name}. {help} lists all.", name=repr(name), help="`ginuri --help`")
    )
