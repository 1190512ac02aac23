"""`python -m infra.local`: start the stack, upload the examples, and serve until it is interrupted."""

import argparse
import gc
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from types import FrameType

from ginuri.server.sockets import PortInUse, listen
from infra.local import EXAMPLES

_STOPS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

# Seconds before the retry of a failed upload: a quarter of an hour is too long on a laptop.
RETRY_SECONDS = 5
# Concurrent uploads: while one waits for the registry, another can use the processor.
INGESTING = 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve until a signal comes; return 0 then, 1 if the stack did not become ready."""
    options = _parser().parse_args(arguments)
    for number in _STOPS:
        signal.signal(number, _interrupt)
    try:
        return _serve(options)
    except KeyboardInterrupt:
        return 0


def _serve(options: argparse.Namespace) -> int:
    if not options.uploads.is_dir():
        return _fail(f"there is no folder {options.uploads}")
    try:
        listen(options.port).close()
    except PortInUse as error:
        return _fail(str(error))
    # The import of moto takes seconds: before it, wrong arguments are reported and Ctrl-C works. Its million
    # objects stay for the life of the process, so the garbage collector need not visit them.
    gc.disable()
    from infra.local.serve import NotServed, serve
    from infra.local.stack import Options

    gc.freeze()
    gc.set_threshold(100_000, 50, 50)
    gc.enable()
    try:
        serve(
            Options(
                port=options.port,
                verbose=options.verbose,
                visibility=RETRY_SECONDS,
                ingesting=INGESTING,
                edge=True,
            ),
            options.uploads,
            _print_line,
        )
    except NotServed as error:
        return _fail(str(error))
    return 0


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    """Interrupt the main thread once: its clean-up must not be interrupted."""
    for number in _STOPS:
        signal.signal(number, signal.SIG_IGN)
    raise KeyboardInterrupt


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m infra.local", description="The whole stack on this machine, without Docker and AWS."
    )
    parser.add_argument("--port", type=int, default=8000, help="where the service answers (8000)")
    parser.add_argument(
        "--uploads", type=Path, default=EXAMPLES, help="folder to upload at the start (the examples)"
    )
    parser.add_argument("--verbose", action="store_true", help="show what the functions say on stderr")
    return parser


def _print_line(line: str) -> None:
    print(line, flush=True)


def _fail(message: str) -> int:
    print(f"error: {message}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
