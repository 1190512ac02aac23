"""`python -m infra.migration obo config …`: measures an importer on the registry it is for.

Imports the files, uploads the result twice to an empty registry in a temporary folder, and sends it the
requests of the imported tests and of --expected. Prints the counts, and what was refused or answered
differently. Several sources share one registry: `bioregistry FILE + obo config`.
"""

from __future__ import annotations

import argparse
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory

from infra.migration.expectations import read_expectations
from infra.migration.measuring import Answered, Source, Taken, ask, take, tests_of
from infra.migration.registry import served

_HOSTS = {
    "bioregistry": ("bioregistry.io",),
    "geoconnex": ("geoconnex.us", "pids.geoconnex.dev"),
    "obo": ("purl.obolibrary.org",),
    "uriredirect": ("old.example.org",),
}
_SCHEMES = {
    "bioregistry": ("ark:",),
    "n2t": ("ark:",),
    "uriredirect": ("uri-gin/",),
    "uriresolve": ("uri-gin/",),
}
_AUTHORITIES = {
    "uriredirect": ("uri-gin/this/", "uri-gin/duplicate/"),
    "uriresolve": ("uri-gin/azgs/",),
}
_ARGUMENTS = {"uriredirect": ("--host", "old.example.org")}
_SHOWN = 40


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument(
        "sources", nargs="+", help="a command of ginuri import and its arguments; + before another"
    )
    parser.add_argument("--expected", type=Path, action="append", default=[], help="JSON lines of requests")
    options, rest = parser.parse_known_args()
    groups = groupby([*options.sources, *rest], lambda word: word == "+")
    sources = [_source(list(words)) for is_mark, words in groups if not is_mark]
    with TemporaryDirectory() as name, served(Path(name) / "registry") as registry:
        taken = [take(source, registry, Path(name)) for source in sources]
        for source, each in zip(sources, taken, strict=True):
            _print_taken(source, each)
            _print_answered("own tests", ask(registry, tests_of(each)))
        for file in options.expected:
            _print_answered(file.name, ask(registry, list(read_expectations(file))))


def _source(words: list[str]) -> Source:
    command, *arguments = words
    settled = [
        *({"record": "host", "identifier": f"http://{host}/"} for host in _HOSTS.get(command, ())),
        *(
            {"record": "scheme", "identifier": scheme, "title": scheme}
            for scheme in _SCHEMES.get(command, ())
        ),
        *(
            {"record": "authority", "identifier": each, "title": each}
            for each in _AUTHORITIES.get(command, ())
        ),
    ]
    return Source(command, [*arguments, *_ARGUMENTS.get(command, ())], settled)


def _print_taken(source: Source, taken: Taken) -> None:
    imported = taken.imported
    share = f"{imported['taken']:,} of {imported['entries']:,} entries ({imported['percentage']:g} %)"
    print(f"{source.command}: {share}")
    for reason in imported["reasons"]:
        print(f"  {reason['entries']:>6,}  {reason['reason']}")
    print(f"  {len(taken.registrations):,} registrations in {taken.seconds:.0f} s: {dict(taken.first)}")
    print(f"  again: {dict(taken.again)}")
    for refusal in taken.refused[:_SHOWN]:
        print(f"  refused: {refusal}")


def _print_answered(name: str, answered: Answered) -> None:
    good = answered.asked - len(answered.failed)
    share = f" ({100 * good / answered.asked:.2f} %)" if answered.asked else ""
    print(f"  {name}: {good:,} of {answered.asked:,} requests{share}")
    for expected, received in answered.failed[:_SHOWN]:
        print(f"    {expected.host}{expected.target}: {received.status} {received.location}")
        print(f"      expected {expected.status} {expected.location}")


if __name__ == "__main__":
    main()
