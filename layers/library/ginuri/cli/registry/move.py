"""`ginuri move`: takes a whole registry from a folder to AWS, back, or to another folder."""

from __future__ import annotations

import shlex
import sys
import time

import click

from ginuri.cli.places import freeze, open_two
from ginuri.cli.stack import aws_options
from ginuri.cli.terminal import fault, localize, say
from ginuri.identifiers.messages import message, translatable
from ginuri.transfer.move import Move, Moved, MoveRefused

_PARTS = {
    "contents": translatable("stored files"),
    "uploads": translatable("uploads"),
    "reports": translatable("reports"),
    "items": translatable("records, history and proofs"),
}
_SECONDS = {True: 1.0, False: 30.0}
"""The seconds between two figures: on a terminal, and in a log."""


@click.command("move")
@click.argument("source", metavar="FROM")
@click.argument("target", metavar="TO")
@click.option(
    "--again",
    "is_again",
    is_flag=True,
    help="Also from a registry that is in use, or to one that was filled from it: copy what has changed.",
)
@aws_options
def move_command(source: str, target: str, *, is_again: bool) -> None:
    """Copy a whole registry to an empty one, with its history, uploads and reports.

    FROM and TO are the folder of a registry, `stack:NAME` in AWS, or `stack:` for the local stack. Nothing is
    registered again. The same command continues an interrupted move.
    """
    failure = message("{source} cannot be moved to {target}", source=source, target=target)
    with (
        open_two(source, target, failure, may_create=True) as (before, after),
        freeze(source) as is_frozen,
        freeze(target) as is_free,
    ):
        if not is_free:
            raise fault(message("{target} is being served. Stop its server first.", target=target))
        if not is_frozen and not is_again:
            raise fault(
                message(
                    "{source} is being served. Stop its server, or state --again to copy it now and its "
                    "changes later.",
                    source=source,
                )
            )
        try:
            moved = Move(before, after, _Figures()).run(again=is_again)
        except MoveRefused as error:
            raise fault(error.words) from error
        is_final = is_frozen and not before.waiting()
    _print(moved)
    command = shlex.join(["ginuri", "move", "--again", source, target])
    if not is_final:
        say(
            message(
                "{source} is in use. When it is frozen, copy what has changed since: {command}",
                source=source,
                command=command,
            )
        )
    comparison = shlex.join(["ginuri", "diff", "--history", source, target])
    say(message("To compare both registries, run {command}", command=comparison))


def _print(moved: Moved) -> None:
    for part, name in _PARTS.items():
        figures = message(
            "{part}: {read} read, {written} written",
            part=message(name),
            read=f"{moved.read.get(part, 0):,}",
            written=f"{moved.written.get(part, 0):,}",
        )
        say(figures)
    say(message("Published files were not moved: the next daily run makes them again."))
    for name, value in moved.to_set.items():
        say(
            message(
                "Set the parameter {name} of the stack to {value}, and deploy it again.",
                name=name,
                value=value,
            )
        )


class _Figures:
    """Prints the number of things read so far to stderr, once a second on a terminal."""

    def __init__(self) -> None:
        self._is_terminal = sys.stderr.isatty()
        self._next = time.monotonic() + _SECONDS[self._is_terminal]

    def __call__(self, part: str, number: int) -> None:
        """Print a figure if the last one is old enough."""
        if (now := time.monotonic()) < self._next:
            return
        self._next = now + _SECONDS[self._is_terminal]
        line = f"{localize(message(_PARTS[part]))}: {number:,}"
        click.echo(f"\r{line:60}" if self._is_terminal else line, err=True, nl=not self._is_terminal)
