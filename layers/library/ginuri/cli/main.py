"""`ginuri`: read identifiers, look them up, and register them.

`ginuri --help` imports only click: it lists the commands of `ginuri.cli.help.command_list`.
"""

from __future__ import annotations

import os
from importlib import import_module
from typing import TYPE_CHECKING, Any

import click

from ginuri.cli.help.command_list import COMMANDS, EXAMPLES, EXAMPLES_TITLE, GROUPS, INTRODUCTION
from ginuri.cli.help.languages import reads_english

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from ginuri.cli.terminal import CommandFailed
    from ginuri.identifiers.messages import Words

_EXTRAS = {"import": "migration", "inventory": "migration", "serve": "serve", "verify": "migration"}
"""The extra with the dependencies of a command, if it is not `cli`."""
_COMPLETE = "_GINURI_COMPLETE"
"""The environment variable that shells set for completion (click, Shell Completion)."""
_CLOSE = 0.6
"""The least similarity of a command to a mistyped one, from 0 to 1."""


class _Commands(click.Group):
    """Imports a command when it is called: `ginuri parse` needs neither boto3 nor rdflib."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  click's signature
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002  click's signature
        if cmd_name not in COMMANDS:
            return None
        try:
            module = import_module(f"ginuri.cli.{COMMANDS[cmd_name].module}")
        except ModuleNotFoundError as error:
            return _missing(cmd_name, error)
        command: click.Command = getattr(module, f"{cmd_name}_command")
        if not reads_english():
            from ginuri.cli.help.texts import localize_help

            return localize_help(command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find a command. Raises UsageError with the likeliest one for a mistyped name."""
        name = args[0] if args else ""
        if name and not name.startswith("-") and name not in COMMANDS:
            from ginuri.cli.help.texts import unknown_command

            raise click.UsageError(unknown_command(name, sorted(COMMANDS), _CLOSE), ctx)
        return super().resolve_command(ctx, args)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Complete the name of a command without importing any, and options."""
        from click.shell_completion import CompletionItem

        names = [name for name in sorted(COMMANDS) if name.startswith(incomplete)]
        commands = [CompletionItem(name, help=_localize(COMMANDS[name].summary)) for name in names]
        return [*commands, *click.Command.shell_complete(self, ctx, incomplete)]

    def main(self, *args: Any, **extra: Any) -> Any:  # noqa: ANN401  click's signature
        """Run the command, or complete its line for a shell."""
        if os.environ.get(_COMPLETE, "").startswith("powershell"):
            import_module("ginuri.cli.help.powershell")
        if not reads_english():
            from ginuri.cli.help.texts import localize_help
            from ginuri.i18n.catalogue import speak_through_gettext

            speak_through_gettext()
            return click.Group.main(localize_help(self), *args, **extra)
        return super().main(*args, **extra)

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002  click's signature
        formatter.write_paragraph()
        with formatter.indentation():
            for at, paragraph in enumerate(INTRODUCTION):
                if at:
                    formatter.write_paragraph()
                formatter.write_text(_localize(paragraph))

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002  click's signature
        """Write the commands in groups, without importing any."""
        for group, title in GROUPS.items():
            rows = [
                (name, _localize(entry.summary)) for name, entry in COMMANDS.items() if entry.group == group
            ]
            with formatter.section(_localize(title)):
                formatter.write_dl(rows)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002  click's signature
        """Write examples: lines to copy."""
        with formatter.section(_localize(EXAMPLES_TITLE)):
            formatter.write_dl([(line, _localize(words)) for line, words in EXAMPLES], col_max=60)

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401  click's signature
        """Run a command.

        Raises CommandFailed if it lacks a library that it imports on first use, or if a file cannot be read
        or written; click ends a command whose output nobody reads.
        """
        try:
            return super().invoke(ctx)
        except ModuleNotFoundError as error:
            raise _fault_of(str(ctx.invoked_subcommand), error) from error
        except BrokenPipeError:
            raise
        except OSError as error:
            raise _unusable(error) from error


def _localize(words: Words) -> str:
    if reads_english():
        return str(words)
    from ginuri.cli.terminal import localize

    return localize(words)


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
    from ginuri.cli.terminal import fault
    from ginuri.identifiers.messages import message

    return fault(
        message(
            "{command} needs {module}, which is not installed. To install it, run {install}.",
            command=f"`ginuri {name}`",
            module=str(error.name),
            install=f"`{_installation(name)}`",
        )
    )


def _unusable(error: OSError) -> CommandFailed:
    from ginuri.cli.terminal import fault
    from ginuri.identifiers.messages import message

    named = f"{error.filename}: " if error.filename else ""
    return fault(message("The command stopped: {error}.", error=f"{named}{error.strerror or error}"))


def _installation(name: str) -> str:
    return f"pip install 'ginuri[{_EXTRAS.get(name, 'cli')}]'"


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="ginuri")
def main() -> None:
    """Read persistent identifiers, look them up, and register them.

    Exit codes: 0 all is well, 1 the answer is no (not an identifier, not the same, not found, a line was
    refused), 2 the command was not understood or could not be carried out, 130 it was interrupted.
    """
