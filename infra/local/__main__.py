"""`python -m infra.local`: bring the stack up, put the examples in, and serve until told to stop."""

import argparse
import gc
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from types import FrameType

from infra.local import ROOT
from infra.local.servers.sockets import PortInUse, listen

_STOPS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

# Seconds until a failed upload is tried again: a quarter of an hour is too long on a laptop.
RETRY_SECONDS = 5
# Uploads that are processed at once: while one waits for the registry, another makes use of the time.
INGESTING = 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve until a signal comes; return 0 for that, 1 for whatever kept the stack from being ready."""
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
    # moto takes seconds to import: a wrong argument shows before that, and Ctrl-C is heard meanwhile.
    # What it leaves stays for good, in a million objects: they need not be looked through again and again.
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
    """Leave what the main thread does, once: what is being taken down must not be interrupted."""
    for number in _STOPS:
        signal.signal(number, signal.SIG_IGN)
    raise KeyboardInterrupt


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m infra.local", description="The whole stack on this machine, without Docker and AWS."
    )
    parser.add_argument("--port", type=int, default=8000, help="where the service answers (8000)")
    parser.add_argument(
        "--uploads", type=Path, default=ROOT / "examples", help="folder to upload at the start (examples/)"
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
