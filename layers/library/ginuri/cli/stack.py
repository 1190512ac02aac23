"""Finds the stack that a command works on, and explains the failures of its calls."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import click

from ginuri.cli import aws_stack
from ginuri.cli.ports import Stack
from ginuri.cli.terminal import fault
from ginuri.identifiers.errors import RegistryUnavailable
from ginuri.identifiers.messages import Words, message

LOCAL_STACK_VARIABLE = "GINURI_LOCAL_STACK"
"""The environment variable with the file of a local stack, if it is not the default one."""
_PROFILE, _REGION = "profile_name", "region_name"
"""The arguments of a session that options of the command state, and their names in click's context."""
_Command = TypeVar("_Command", bound=Callable[..., Any])


def stack_option(command: _Command) -> _Command:
    """Add the options that name a stack; `find_stack` reads a profile and a region from click's context."""
    options = (
        click.option(
            "--stack",
            "name",
            envvar="GINURI_STACK",
            show_envvar=True,
            help="A stack in AWS; without it, the one that runs here.",
        ),
        _session_option(
            "--profile", _PROFILE, ["AWS_PROFILE"], "With --stack: the profile of the AWS command line."
        ),
        _session_option(
            "--region", _REGION, ["AWS_REGION", "AWS_DEFAULT_REGION"], "With --stack: its region."
        ),
    )
    for option in reversed(options):
        command = option(command)
    return command


def _session_option(
    flag: str, argument: str, variables: Sequence[str], words: str
) -> Callable[[_Command], _Command]:
    return click.option(
        flag,
        argument,
        envvar=variables,
        show_envvar=True,
        help=words,
        callback=lambda context, _parameter, value: context.meta.update({argument: value or None}),
        expose_value=False,
    )


def find_stack(name: str | None) -> Stack:
    """Find the stack of that name in AWS; without a name, the local one.

    A program that runs the command may pass another way to find one as click's `obj`. Raises CommandFailed if
    there is none.
    """
    context = click.get_current_context(silent=True)
    find: Callable[[str | None], Stack] = (context and context.obj) or _find
    return find(name)


def _find(name: str | None) -> Stack:
    if name:
        stated = click.get_current_context().meta
        with explaining_failures(
            message("The stack {name} cannot be found", name=name), aws_stack.AwsStack.explain
        ):
            return aws_stack.find_in_aws(name, stated.get(_PROFILE), stated.get(_REGION))
    file = Path(os.environ.get(LOCAL_STACK_VARIABLE) or Path(sys.prefix) / "ginuri-local-stack.json")
    try:
        return aws_stack.read_local_stack(json.loads(file.read_text(encoding="utf-8")))
    except FileNotFoundError:
        raise fault(
            message(
                "There is no stack. Start the local one with `make serve`, or name one in AWS with --stack "
                "or GINURI_STACK."
            )
        ) from None
    except (ValueError, KeyError, AttributeError) as error:
        raise fault(
            message(
                "{file} describes no running stack ({error}). Start it again with `make serve`.",
                file=str(file),
                error=str(error),
            )
        ) from error


@contextmanager
def open_stack(name: str | None, failure: Words) -> Iterator[Stack]:
    """Find a stack to work on. Raises CommandFailed with the remedy, if there is none or a call fails."""
    stack = find_stack(name)
    with explaining_failures(failure, stack.explain):
        yield stack


@contextmanager
def explaining_failures(failure: Words, explain: Callable[[RegistryUnavailable], Words]) -> Iterator[None]:
    """Raise CommandFailed with the remedy, if a call fails."""
    try:
        yield
    except RegistryUnavailable as error:
        raise fault(message("{failure}: {error}", failure=failure, error=explain(error))) from error
