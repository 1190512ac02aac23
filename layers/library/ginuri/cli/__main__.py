"""Runs the `ginuri` command, and ends it without a traceback when someone presses Ctrl-C."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable

FAILED = 2
"""The exit code of a command that cannot be carried out."""
INTERRUPTED = 130
"""The exit code of an interrupted command: 128 plus the number of the signal, as in shells."""


_STDERR = 2


class _Interrupted(SystemExit):
    """Ends the command at any point; unlike KeyboardInterrupt, no library converts it to another error."""


def run() -> None:
    """Run the command. The signal is handled before anything slow is imported."""
    if (
        signal.getsignal(signal.SIGINT) is signal.default_int_handler
    ):  # otherwise it is ignored, as by `nohup`
        signal.signal(signal.SIGINT, _interrupt)
        sys.unraisablehook = _end_where_unraisable
    try:
        _load()(prog_name="ginuri")
    except _Interrupted:
        from ginuri.cli.terminal import localize
        from ginuri.identifiers.messages import message

        sys.stderr.write(f"\n{localize(message('Interrupted.'))}\n")
        raise


def _load() -> Callable[..., object]:
    try:
        from ginuri.cli.main import main
    except ModuleNotFoundError as error:
        # In English: the missing library also reads the languages of the terminal.
        sys.stderr.write(
            f"The command `ginuri` needs {error.name}. To install it, run `pip install 'ginuri[cli]'`.\n"
        )
        sys.exit(FAILED)
    return main


def _interrupt(_number: int, _frame: object) -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # a second signal ends it immediately
    raise _Interrupted(INTERRUPTED)


def _end_where_unraisable(unraisable: sys.UnraisableHookArgs) -> None:
    # Python drops exceptions raised while it frees an object, as it often does during imports.
    if not isinstance(unraisable.exc_value, _Interrupted):
        sys.__unraisablehook__(unraisable)
        return
    os.write(_STDERR, b"\nInterrupted.\n")
    os._exit(INTERRUPTED)


if __name__ == "__main__":
    run()
