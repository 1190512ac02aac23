"""`ginuri`: read identifiers, and register them."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import click

from ginuri.cli.terminal import CommandFailed, fault
from ginuri.identifiers.messages import message

COMMANDS = {
    "apply": "apply.apply",
    "backup": "registry.backup",
    "check": "registry.check",
    "compare": "identifiers.compare",
    "diff": "registry.diff",
    "export": "registry.export",
    "history": "registry.history",
    "hosts": "registry.hosts",
    "import": "migration.import_",
    "inventory": "migration.inventory",
    "move": "registry.move",
    "parse": "identifiers.parse",
    "redrive": "uploads.redrive",
    "refused": "reports.refused",
    "relocate": "undo.relocate",
    "repair": "uploads.repair",
    "replay": "registry.replay",
    "report": "reports.report",
    "rollback": "undo.rollback",
    "schemes": "uploads.schemes",
    "serve": "serve",
    "upload": "uploads.upload",
    "uploads": "uploads.uploads",
    "validate": "uploads.validate",
    "verify": "migration.verify",
}
"""The commands, and the module of each; `<name>_command` is the command itself."""
_EXTRAS = {"import": "migration", "inventory": "migration", "serve": "serve", "verify": "migration"}
"""The extra with the dependencies of a command, if it is not `cli`."""


class _Commands(click.Group):
    """Imports a command when it is called: `ginuri parse` needs neither boto3 nor rdflib."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  click's signature
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002  click's signature
        if cmd_name not in COMMANDS:
            return None
        try:
            module = import_module(f"ginuri.cli.{COMMANDS[cmd_name]}")
        except ModuleNotFoundError as error:
            return _missing(cmd_name, error)
        command: click.Command = getattr(module, f"{cmd_name}_command")
        return command

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401  click's signature
        """Run a command. Raises CommandFailed if it lacks a library that it imports on first use."""
        try:
            return super().invoke(ctx)
        except ModuleNotFoundError as error:
            raise _fault_of(str(ctx.invoked_subcommand), error) from error


def _missing(name: str, error: ModuleNotFoundError) -> click.Command:
    """Return a command that prints how to install its dependencies, and exits with 2."""

    def refuse() -> None:
        raise _fault_of(name, error)

    return click.Command(
        name,
        callback=refuse,
        help=f"Not installed: {_installation(name)}",
        context_settings={"ignore_unknown_options": True, "allow_extra_args": True},
    )


def _fault_of(name: str, error: ModuleNotFoundError) -> CommandFailed:
    return fault(
        message(
            "{command} needs {module}, which is not installed. To install it, run {install}.",
            command=f"`ginuri {name}`",
            module=str(error.name),
            install=f"`{_installation(name)}`",
        )
    )


def _installation(name: str) -> str:
    return f"pip install 'ginuri[{_EXTRAS.get(name, 'cli')}]'"


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="ginuri")
def main() -> None:
    """Read persistent identifiers, and register them.

    Exit codes: 0 all is well, 1 the answer is no (not an identifier, not the same, a line was refused), 2 the
    command was not understood or could not be carried out, 130 it was interrupted.
    """
