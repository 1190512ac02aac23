"""Finds the stack that a command works on, and explains the failures of its calls."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

import click
from click.core import ParameterSource

from ginuri.cli.ports import Stack
from ginuri.cli.terminal import CommandFailed, fault, terminal_language
from ginuri.identifiers.errors import RegistryUnavailable
from ginuri.identifiers.messages import Words, message

LOCAL_STACK_VARIABLE = "GINURI_LOCAL_STACK"
"""The environment variable with the file of a local stack, if it is not the default one."""
_PROFILE, _REGION, _REGISTRY, _SERVICE = "profile_name", "region_name", "registry", "service"
"""The names in click's context of the values of options."""
_Command = TypeVar("_Command", bound=Callable[..., Any])


def stack_option(command: _Command) -> _Command:
    """Add the options that name a stack; `find_stack` reads all but the name from click's context."""
    options = (
        _context_option(
            "--registry",
            _REGISTRY,
            ["GINURI_REGISTRY"],
            help="The folder of a registry on this machine.",
            metavar="FOLDER",
        ),
        click.option(
            "--stack",
            "name",
            envvar="GINURI_STACK",
            show_envvar=True,
            help="A stack in AWS, or the port of a local stack; without it, the one that runs here.",
        ),
        _context_option(
            "--service",
            _SERVICE,
            ["GINURI_SERVICE"],
            help="A service over HTTP, with the token in GINURI_TOKEN or in the keyring.",
            metavar="URL",
        ),
        aws_options,
    )
    for option in reversed(options):
        command = option(command)
    return command


def aws_options(command: _Command) -> _Command:
    """Add the options of a session with AWS; `find_stack` reads them from click's context."""
    profile = _context_option(
        "--profile", _PROFILE, ["AWS_PROFILE"], help="Of a stack in AWS: the profile of the AWS command line."
    )
    region = _context_option(
        "--region", _REGION, ["AWS_REGION", "AWS_DEFAULT_REGION"], help="Of a stack in AWS: its region."
    )
    return profile(region(command))


def _context_option(
    flag: str,
    argument: str,
    variables: Sequence[str],
    **attributes: Any,  # noqa: ANN401  click's signature
) -> Callable[[_Command], _Command]:
    return click.option(
        flag,
        argument,
        envvar=variables,
        show_envvar=True,
        callback=lambda context, _parameter, value: context.meta.update({argument: value or None}),
        expose_value=False,
        **attributes,
    )


def stated_service() -> str | None:
    """Return the address of the service that the options name; None without one."""
    service: str | None = click.get_current_context().meta.get(_SERVICE)
    return service


def service_address(name: str | None) -> str:
    """Return the address of the stated service, for requests without a token, else of that of a stack."""
    return stated_service() or find_stack(name).service


def find_stack(name: str | None) -> Stack:
    """Find the stack of that name in AWS, else the folder or service of the options; else the local stack.

    A program that runs the command may pass another way to find one as click's `obj`. Raises CommandFailed if
    there is none.
    """
    context = click.get_current_context(silent=True)
    find: Callable[[str | None], Stack] = (context and context.obj) or _find
    return find(name)


def _find(name: str | None) -> Stack:
    context = click.get_current_context()
    folder, service = context.meta.get(_REGISTRY), context.meta.get(_SERVICE)
    if service and (folder or name):
        # An option of this command goes before a variable of the shell.
        if _is_typed(context, _SERVICE) and not _is_typed(context, _REGISTRY, "name"):
            folder = name = None
        elif _is_typed(context, _REGISTRY, "name") and not _is_typed(context, _SERVICE):
            service = None
    if folder and name:
        raise fault(
            message(
                "The stack {name} and the registry folder {folder} are both named. Leave out one: --stack "
                "and GINURI_STACK, or --registry and GINURI_REGISTRY.",
                name=name,
                folder=folder,
            )
        )
    if service and (other := folder or name):
        raise fault(
            message(
                "The service {service} and {other} are both named. Leave out one: --service and "
                "GINURI_SERVICE, or --registry and --stack with their variables.",
                service=service,
                other=other,
            )
        )
    if service:
        return context.with_resource(_open_service(service.rstrip("/")))
    if folder:
        from ginuri.cli.folder_stack import open_folder

        return context.with_resource(open_folder(Path(folder)))
    if name and not name.isdecimal():  # names in AWS begin with a letter
        return _find_in_aws(name, context.meta)
    return _read_local_stack(int(name) if name else None)


def _is_typed(context: click.Context, *arguments: str) -> bool:
    return any(context.get_parameter_source(each) is ParameterSource.COMMANDLINE for each in arguments)


@contextmanager
def _open_service(service: str) -> Iterator[Stack]:
    from ginuri.cli.access.service_token import find_token, make_client
    from ginuri.cli.service_stack import ServiceStack

    with make_client(service, find_token(service), terminal_language()) as client:
        yield ServiceStack(client)


def _find_in_aws(name: str, stated: Mapping[str, Any]) -> Stack:
    aws_stack = _import_aws()
    failure = message("The stack {name} cannot be found", name=name)
    with explaining_failures(failure, aws_stack.AwsStack.explain):
        found: Stack = aws_stack.find_in_aws(name, stated.get(_PROFILE), stated.get(_REGION))
        return found


def _read_local_stack(port: int | None) -> Stack:
    file = _choose_file(port)
    try:
        values = json.loads(file.read_text(encoding="utf-8"))
        found: Stack = _import_aws().read_local_stack(values)
    except FileNotFoundError:
        raise _no_stack() from None
    except (ValueError, KeyError, AttributeError) as error:
        raise fault(
            message(
                "{file} describes no running stack ({error}). Start it again with `make serve`.",
                file=str(file),
                error=str(error),
            )
        ) from error
    return found


def _choose_file(port: int | None) -> Path:
    """Return the file of a local stack: the one that a variable names, else the only one that runs."""
    if port is None and (named := os.environ.get(LOCAL_STACK_VARIABLE)):
        return Path(named)
    from ginuri.cli.local_stacks import running_stacks

    running = running_stacks(Path(sys.prefix))
    if port is not None:
        if port in running:
            return running[port]
        raise fault(message("No local stack runs on port {port}.", port=str(port)))
    if not running:
        raise _no_stack()
    if len(running) > 1:
        ports = ", ".join(f"--stack {each}" for each in running)
        raise fault(message("Several local stacks run here. Name one by its port: {ports}.", ports=ports))
    return next(iter(running.values()))


def _no_stack() -> CommandFailed:
    return fault(
        message(
            "There is no stack. Name the folder of a registry with --registry or GINURI_REGISTRY, a service "
            "over HTTP with --service or GINURI_SERVICE, or a stack in AWS with --stack or GINURI_STACK; "
            "`make serve` starts a local stack."
        )
    )


def _import_aws() -> ModuleType:
    try:
        from ginuri.cli import aws_stack
    except ModuleNotFoundError as error:
        raise fault(
            message(
                "A stack in AWS needs {module}, which is not installed. To install it, run {install}. For a "
                "registry on this machine, name its folder with --registry.",
                module=str(error.name),
                install="`pip install 'ginuri[cli]'`",
            )
        ) from error
    return aws_stack


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
