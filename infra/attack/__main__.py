"""`python -m infra.attack`: attack the service for some minutes, and report every broken invariant."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from secrets import token_hex
from tempfile import TemporaryDirectory

from infra.attack.campaign import Extent, Tally, run
from infra.attack.deployed import NotAsked, attack_deployed
from infra.attack.kinds.table import KINDS
from infra.attack.world import World


def main(arguments: Sequence[str] | None = None) -> int:
    """Return 0 if no invariant is broken, 1 if one is, 2 if nothing can be attacked."""
    options = _parser().parse_args(arguments)
    seed = options.seed or token_hex(4)
    _say(f"seed {seed}", end="\n")
    try:
        tallies = (
            attack_deployed(options.url, seed, options.minutes) if options.url else _attack(options, seed)
        )
    except NotAsked as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    return write(tallies, seed, as_json=options.json)


def _attack(options: argparse.Namespace, seed: str) -> Mapping[str, Tally]:
    names = options.kind or list(KINDS)
    seconds = options.minutes * 60 / len(names)
    count = 1 if options.case is not None and options.cases is None else options.cases
    extent = Extent(seconds, count, options.case or 0)
    tallies = {}
    with TemporaryDirectory() as folder:
        world = World(Path(folder), seed)
        for name in names:
            tallies[name] = run(name, KINDS[name](world), seed, extent, _progress)
    return tallies


def _progress(name: str, case: int, tally: Tally) -> None:
    if sys.stderr.isatty():
        _say(f"{name}: case {case:,}, {tally.trials:,} trials, {tally.broken.total():,} faults", end="\r")


def write(tallies: Mapping[str, Tally], seed: str, *, as_json: bool) -> int:
    """Print the counts and the findings; return the exit code."""
    if as_json:
        kinds = {name: tally.as_document() for name, tally in tallies.items()}
        print(json.dumps({"seed": seed, "kinds": kinds}, indent=1))
    else:
        for name, tally in tallies.items():
            _write_kind(name, tally, seed)
    return 1 if any(tally.broken for tally in tallies.values()) else 0


def _write_kind(name: str, tally: Tally, seed: str) -> None:
    print(f"{name}: {tally.cases:,} cases, {tally.trials:,} trials in {tally.seconds:.0f} s")
    for invariant, number in tally.broken.items():
        print(f"  {invariant} is broken {number:,} times")
    for failure in tally.failures:
        print(f"    {failure.invariant}: {failure.detail}\n      {failure.attempt:.1000}")
        print(
            "      PYTHONPATH=functions python -m infra.attack "
            f"--kind {name} --seed {seed} --case {failure.case}"
        )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m infra.attack",
        description="Attack the service in memory with random requests, uploads and faults, and check "
        "what must always hold. Exits with 0 if it holds, 1 if it does not, 2 if nothing could be attacked.",
    )
    parser.add_argument(
        "url", nargs="?", help="a deployed service, which is only read (GET, HEAD, OPTIONS, POST /resolve)"
    )
    parser.add_argument("--minutes", type=float, default=5.0, help="for all kinds together (5)")
    parser.add_argument("--seed", help="repeats a run; any text, random by default")
    parser.add_argument(
        "--kind", action="append", choices=list(KINDS), help="only this kind; may be repeated"
    )
    parser.add_argument(
        "--case", type=int, help="begin with this case, and run no other unless --cases is given"
    )
    parser.add_argument("--cases", type=int, help="the number of cases of each kind, instead of --minutes")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    return parser


def _say(line: str, *, end: str) -> None:
    print(line, file=sys.stderr, end=end, flush=True)


if __name__ == "__main__":
    sys.exit(main())
