"""`ginuri verify`: do we answer as another resolver does? Asked before names move here."""

from __future__ import annotations

import json
import sys
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import click
from tqdm import tqdm

from ginuri.cli.migration.identifier_lists import ListedIdentifier, SkippedLine, read_identifier_list
from ginuri.cli.stack import explaining_failures, find_stack, stack_option
from ginuri.cli.terminal import format_value
from ginuri.cli.uploads.column_mapping import map_option
from ginuri.identifiers.errors import UnreadableFile
from ginuri.identifiers.messages import message
from ginuri.migration.http_probe import RateLimit, Resolver
from ginuri.migration.resolver_comparison import AnswerComparison, ResolverAnswer, compare_answers

_AHEAD = 4
"""How many are asked for ahead of the one that is told next, for each that is asked at once."""
_PASSED_OVER = "passed over"
Told = tuple[ListedIdentifier | SkippedLine, str, ResolverAnswer, ResolverAnswer]
"""What was asked for, of which host, and what ours and theirs answered."""


@click.command("verify")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, readable=True, path_type=Path))
@click.option(
    "--against", "there", required=True, metavar="HOST", help="The other resolver: a host, or http(s)://host."
)
@click.option(
    "--service", "here", envvar="GINURI_SERVICE", metavar="URL", help="Ours; without it, that of the stack."
)
@stack_option
@click.option(
    "--rate",
    default=10.0,
    show_default=True,
    type=click.FloatRange(0, 1000, min_open=True),
    help="How many are asked of each a second, at most.",
)
@click.option("--at-once", default=4, show_default=True, type=click.IntRange(1, 64), help="How many at once.")
@click.option(
    "--timeout",
    "seconds",
    default=10.0,
    show_default=True,
    type=click.FloatRange(0, 600, min_open=True),
    help="Seconds to wait for an answer.",
)
@map_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object for each identifier.")
def verify_command(  # noqa: PLR0913  the options of a command
    file: Path,
    *,
    there: str,
    here: str | None,
    name: str | None,
    rate: float,
    at_once: int,
    seconds: float,
    columns: str,
    as_json: bool,
) -> None:
    """Ask us and another resolver for each identifier of FILE, and say where the answers differ.

    FILE is a registry file, such as the `id,target` of a table, or any other file with one URI a line. What
    is compared is the class of the status (3xx) and where a redirect leads; nothing is followed, and of an
    answer no more than its head is read.

    Exits 0 when all are the same, 1 when one is not or could not be asked for, 2 when it could not be
    carried out.
    """
    try:
        ours, theirs = Resolver(here or _service(name), seconds), Resolver(there, seconds)
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    counts: Counter[str] = Counter()
    with ThreadPoolExecutor(at_once) as pool:
        try:
            for each in _ask(
                read_identifier_list(file, columns), ours, theirs, RateLimit(rate), pool, at_once, file.name
            ):
                counts[_tell(each, as_json=as_json)] += 1
        except UnreadableFile as error:
            raise click.UsageError(f"{file}: {error}") from error
    if not counts.keys() - {_PASSED_OVER}:
        raise click.UsageError(f"{file} names nothing that can be asked for")
    click.echo(", ".join(f"{counts[each]} {each}" for each in (*AnswerComparison, _PASSED_OVER)), err=as_json)
    sys.exit(1 if counts.keys() - {AnswerComparison.SAME, _PASSED_OVER} else 0)


def _service(name: str | None) -> str:
    """Give where the stack of that name in AWS answers; without a name, the one that runs here."""
    with explaining_failures(message("The address of the stack cannot be found")):
        return find_stack(name).output("ServiceUrl")


def _ask(  # noqa: PLR0913, PLR0917  what is asked, of whom, and how
    named: Iterable[ListedIdentifier | SkippedLine],
    ours: Resolver,
    theirs: Resolver,
    pace: RateLimit,
    pool: ThreadPoolExecutor,
    at_once: int,
    what: str,
) -> Iterator[Told]:
    """Ask both, several at once, and give the answers in the order of the file."""

    def both(each: ListedIdentifier | SkippedLine) -> Told:
        if isinstance(each, SkippedLine):
            return each, "", ResolverAnswer(), ResolverAnswer()
        pace.wait()
        host = each.host or theirs.host
        return each, host, ours.ask(each.host, each.target), theirs.ask(each.host, each.target)

    waiting: deque[Future[Told]] = deque()
    with tqdm(desc=what, unit=" identifiers", disable=not sys.stderr.isatty(), leave=False) as bar:
        for each in named:
            waiting.append(pool.submit(both, each))
            if len(waiting) >= at_once * _AHEAD:
                yield waiting.popleft().result()
                bar.update()
        while waiting:
            yield waiting.popleft().result()
            bar.update()


def _tell(told: Told, *, as_json: bool) -> str:
    """Say what came of one, where it is worth saying, and give what that is called."""
    each, host, ours, theirs = told
    if isinstance(each, SkippedLine):
        if as_json:
            click.echo(json.dumps({"line": each.line, "verdict": _PASSED_OVER, "because": each.because}))
        else:
            click.echo(f"line {each.line}: {_PASSED_OVER}: {format_value(each.because)}")
        return _PASSED_OVER
    verdict = compare_answers(f"http://{host}{each.target}", ours, theirs)
    if as_json:
        whole = {"line": each.line, "uri": each.uri, "verdict": verdict}
        click.echo(json.dumps(whole | {"ours": _heard(ours), "theirs": _heard(theirs)}, ensure_ascii=False))
    elif verdict is not AnswerComparison.SAME:
        click.echo(f"line {each.line}: {verdict}: {format_value(each.uri)}")
        for who, heard in (("ours", ours), ("theirs", theirs)):
            click.echo(f"  {who}: {_describe(heard)}")
    return verdict


def _describe(heard: ResolverAnswer) -> str:
    if heard.error:
        return format_value(heard.error)
    return f"{heard.status} → {format_value(heard.location)}" if heard.location else str(heard.status)


def _heard(heard: ResolverAnswer) -> dict[str, Any]:
    return {
        "status": heard.status or None,
        "location": heard.location,
        "error": heard.error or None,
    }
