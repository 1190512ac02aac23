"""`python -m infra.migration.apache FOLDER HOST` compares imported redirects with Apache httpd's, by answer.

Imports the .htaccess files of a folder, and uploads the result to a registry. Then asks the registry, and
Debian's Apache httpd with the original files, for names that each directive matches, as several clients.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import quote

from ginuri.migration.apache.contexts import BROWSER
from ginuri.migration.apache.directive_patterns import translate_directives
from ginuri.migration.apache.folders import HTACCESS, read_folders
from ginuri.migration.apache.importer import import_apache
from ginuri.migration.entries import EntryPlace
from ginuri.migration.share import share_of
from infra.migration.apache_server import apache_folder
from infra.migration.connections import Answered, Asker
from infra.migration.measuring import find_refusals
from infra.migration.registry import served

_MOST_NAMES = 3
"""The most names of a directive."""


class Client(StrEnum):
    """The clients that ask."""

    NOTHING = "no Accept"
    TURTLE = "text/turtle"
    RDF_XML = "application/rdf+xml"
    JSON_LD = "application/ld+json"
    HTML = "text/html"
    BROWSER = "a browser"

    @property
    def headers(self) -> Mapping[str, str]:
        """The headers of a request."""
        match self:
            case Client.NOTHING:
                return {}
            case Client.BROWSER:
                return {name.title(): value for name, value in BROWSER.headers.items()}
            case _:
                return {"Accept": self.value}


class Kind(StrEnum):
    """The kinds of requests."""

    PLAIN = "plain"
    """The answer is the same for all clients."""
    NO_ACCEPT = "no Accept"
    ONE_TYPE = "one media type"
    BROWSER = "a browser's header"


class Verdict(StrEnum):
    """How two answers compare."""

    SAME = "same"
    NEITHER = "neither"
    """Both lead nowhere, with the same status code."""
    OTHER_STATUS = "other status"
    OTHER_TARGET = "other target"
    ONLY_THERE = "only there"
    ONLY_HERE = "only here"
    """Apache httpd leads nowhere."""
    OTHER_REFUSAL = "other refusal"
    """Both lead nowhere, with different status codes."""


_AGREED = {Verdict.SAME, Verdict.NEITHER}
_NOWHERE = {Verdict.NEITHER, Verdict.ONLY_HERE, Verdict.OTHER_REFUSAL}
"""Apache httpd leads nowhere."""


def judge(theirs: Answered, ours: Answered) -> Verdict:
    """Compare two answers."""
    if theirs == ours:
        return Verdict.SAME if theirs.location else Verdict.NEITHER
    if not theirs.location:
        return Verdict.ONLY_HERE if ours.location else Verdict.OTHER_REFUSAL
    if not ours.location:
        return Verdict.ONLY_THERE
    return Verdict.OTHER_STATUS if theirs.location == ours.location else Verdict.OTHER_TARGET


@dataclass(slots=True)
class Comparison:
    """The answers of both, counted."""

    verdicts: Counter[tuple[Kind, Verdict]] = field(default_factory=Counter)
    namespaces: dict[str, Counter[Verdict]] = field(default_factory=lambda: defaultdict(Counter))
    """By file."""
    causes: Counter[tuple[Kind, str]] = field(default_factory=Counter)
    examples: list[dict[str, str]] = field(default_factory=list)

    def add(
        self, file: str, kind: Kind, request: Mapping[str, str], theirs: Answered, ours: Answered
    ) -> None:
        """Count a request."""
        verdict = judge(theirs, ours)
        self.verdicts[kind, verdict] += 1
        self.namespaces[file][verdict] += 1
        if verdict not in _AGREED:
            self.causes[kind, f"{verdict}: {theirs.outline} → {ours.outline}"] += 1
            answers = {"verdict": verdict.value, "theirs": str(theirs), "ours": str(ours)}
            self.examples.append({"file": file, "kind": kind.value, **request, **answers})


def find_names(files: Mapping[str, bytes], host: str) -> Iterator[tuple[EntryPlace, str]]:
    """Yield paths that the directives match, each once in a file."""
    seen: set[tuple[str, str]] = set()
    for translated in translate_directives(read_folders(files, host).configurations):
        place = translated.directive.place
        found = [
            path
            for candidate in translated.candidates
            for path in [path for path in candidate.paths if translated.owner.matches(path)][:2]
        ]
        for path in _spread(found):
            if (place.file, path) not in seen:
                seen.add((place.file, path))
                yield place, path


def _spread(paths: Sequence[str]) -> Sequence[str]:
    """Choose some of many paths, from first to last."""
    step = max(len(paths) / _MOST_NAMES, 1.0)
    return [paths[int(number * step)] for number in range(min(len(paths), _MOST_NAMES))]


def compare(names: Sequence[tuple[EntryPlace, str]], theirs: Asker, ours: Asker) -> Comparison:
    """Ask both for all names as all clients."""
    result = Comparison()
    for number, (place, path) in enumerate(names):
        target = quote(path, safe="/-._~!$&'()*+,;=:@%")
        expected = {client: theirs.ask(target, client.headers) for client in Client}
        is_plain = len(set(expected.values())) == 1
        for client, answer in expected.items():
            kind = Kind.PLAIN if is_plain else _kind(client)
            request = {"line": str(place.line), "path": path, "client": client.value}
            result.add(place.file, kind, request, answer, ours.ask(target, client.headers))
        if number % 1000 == 0:
            print(f"{number} of {len(names)} names", file=sys.stderr)
    return result


def _kind(client: Client) -> Kind:
    match client:
        case Client.NOTHING:
            return Kind.NO_ACCEPT
        case Client.BROWSER:
            return Kind.BROWSER
        case _:
            return Kind.ONE_TYPE


def describe(result: Comparison) -> Iterator[str]:
    """Write the tables: the share of agreement, and that where Apache httpd leads anywhere."""
    heads = "".join(f"{verdict:>15}" for verdict in Verdict)
    yield f"{'requests':20}{'number':>8}{'agree':>10}{'led there':>11}{heads}"
    for kind in Kind:
        counts = {verdict: result.verdicts[kind, verdict] for verdict in Verdict}
        agreed = sum(counts[verdict] for verdict in _AGREED)
        led = sum(number for verdict, number in counts.items() if verdict not in _NOWHERE)
        shares = f"{_share(agreed, sum(counts.values())):>10}{_share(counts[Verdict.SAME], led):>11}"
        numbers = "".join(f"{number:15}" for number in counts.values())
        yield f"{kind:20}{sum(counts.values()):8}{shares}{numbers}"
    number = len(result.namespaces)
    exact = sum(set(counts) <= _AGREED for counts in result.namespaces.values())
    led = sum(set(counts) <= {Verdict.SAME, *_NOWHERE} for counts in result.namespaces.values())
    yield f"{number} namespaces: {exact} ({_share(exact, number)}) without a difference,"
    yield f"{led} ({_share(led, number)}) without one where Apache httpd leads anywhere"
    for (kind, cause), times in result.causes.most_common(30):
        yield f"{times:8}  {kind}: {cause}"


def _share(part: int, whole: int) -> str:
    return f"{100 * part / (whole or 1):.2f} %"


def main() -> int:
    """Import, upload, ask, and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("host")
    parser.add_argument("--imported", type=Path, help="a file to write the result of the import to")
    parser.add_argument("--registrations", type=Path, help="the result of an import, instead of importing")
    parser.add_argument("--examples", type=Path, help="a file to write all differences to")
    arguments = parser.parse_args()
    folder, host = arguments.folder.resolve(), arguments.host
    files = {str(file.relative_to(folder)): file.read_bytes() for file in sorted(folder.rglob(HTACCESS))}
    with TemporaryDirectory(prefix="ginuri-migration-") as work:
        imported = arguments.registrations or arguments.imported or Path(work, "imported.jsonl")
        share = share_of(files, [] if arguments.registrations else import_apache(files, host))
        if not arguments.registrations:
            print(f"{share.imported} of {share.entries} directives imported ({share.percentage}%)")
            imported.write_text(
                "".join(f"{json.dumps(line)}\n" for line in share.registrations), encoding="utf-8"
            )
        names = list(find_names(files, host))
        with served(Path(work, "registry")) as registry, apache_folder(folder, host) as port:
            host_file = Path(work, "host.jsonl")
            host_file.write_text(
                json.dumps({"record": "host", "identifier": f"http://{host}/", "title": host})
            )
            registry.upload(host_file, "_host/")
            report = registry.upload(imported, f"{host}/")
            print(report["counts"], *find_refusals(report), sep="\n", flush=True)
            result = compare(names, Asker(port, host, str(folder)), Asker(registry.port, host))
            print(*describe(result), sep="\n", flush=True)
            print("again", registry.upload(imported, f"{host}/")["counts"])
    if arguments.examples:
        arguments.examples.write_text(
            "".join(f"{json.dumps(each)}\n" for each in result.examples), encoding="utf-8"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
