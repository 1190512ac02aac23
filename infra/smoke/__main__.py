"""`python -m infra.smoke`: send the requests of requests.toml to a stack, and print the differences."""

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from infra.smoke.exchange import Address
from infra.smoke.runner import NotReady, Result, Target, find_place, run
from infra.smoke.table import TABLE, read_table

_PATIENCE = 120.0
"""The timeout until a stack answers for new registrations."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Return 0 if all answers are as expected, 1 if one is not, 2 if the stack cannot be tested."""
    options = _parser().parse_args(arguments)
    try:
        results, place, url = _smoke(options)
    except (NotReady, ValueError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    failed = [result for result in results if result.faults]
    if options.json:
        summary = {"url": url, "place": sorted(place), "asked": len(results), "failed": len(failed)}
        print(json.dumps({**summary, "failures": [_as_document(result) for result in failed]}, indent=1))
    else:
        print(f"{len(results)} requests to {url} ({', '.join(sorted(place))}): {len(failed)} failed")
    return 1 if failed else 0


def _smoke(options: argparse.Namespace) -> tuple[Sequence[Result], frozenset[str], str]:
    table = read_table(options.table)
    url = options.url
    address = Address.read(url) if url else None
    is_registering = options.url is None or options.stack is not None
    if is_registering:
        # Only the command `ginuri` needs boto3; requests do not.
        from infra.smoke.registrations import find_destination, register

        stack = find_destination(options.stack)
        register(stack, _say)
        url = url or stack.service
    common = {"Referer": options.referer} if options.referer else {}
    target = Target(address or Address.read(url), common, options.seconds)
    wait = options.wait if options.wait is not None else _PATIENCE if is_registering else 0.0
    place = find_place(target, wait, _say)
    results = []
    for result in run(table, target, place):
        results.append(result)
        if result.faults and not options.json:
            print(result, flush=True)
        elif sys.stderr.isatty():
            print(f"{result.number} of {len(table.requests)}", end="\r", file=sys.stderr, flush=True)
    if not results:
        raise NotReady(f"{options.table} has no request for such a stack ({', '.join(sorted(place))})")
    return results, place, url


def _as_document(result: Result) -> dict[str, object]:
    request = {name: value for name, value in asdict(result.request).items() if name != "places"}
    return {"number": result.number, **request, "faults": result.faults, "look": result.look}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m infra.smoke",
        description="Ask a stack for everything in the table, byte for byte, and say what came back "
        "otherwise. Exits with 0 where all is as expected, 1 where something is not, 2 where it cannot be "
        "asked.",
    )
    parser.add_argument("url", nargs="?", help="the address of the service; without it, that of the stack")
    parser.add_argument(
        "--stack",
        help="the stack in AWS to register in first what is asked for; with neither this nor an address, "
        "that is the local stack",
    )
    parser.add_argument(
        "--referer", default="", help="the secret of the edge, to ask a gateway that stands behind one"
    )
    parser.add_argument("--seconds", type=float, default=20.0, help="for one request (20)")
    parser.add_argument(
        "--wait",
        type=float,
        help="seconds until the first answer, for what was just deployed (0; 120 after registering)",
    )
    parser.add_argument("--table", type=Path, default=TABLE, help="another table (infra/smoke/requests.toml)")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    return parser


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
