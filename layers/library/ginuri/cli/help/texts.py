"""Help and advice that few calls need: help in another language, and the command that was meant."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from inspect import cleandoc

import click

from ginuri.cli.terminal import localize
from ginuri.identifiers.messages import message


def localize_help(command: click.Command) -> None:
    """Replace the help of a command and of its options by that in the language of the user."""
    if command.help:
        command.help = localize(cleandoc(command.help))
    for parameter in command.params:
        if isinstance(parameter, click.Option) and parameter.help:
            parameter.help = localize(parameter.help)
    if isinstance(command, click.Group):
        for each in command.commands.values():
            localize_help(each)


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
