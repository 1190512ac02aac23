"""`ginuri verify`: compares the answers of this resolver with another's, before names move here."""

from __future__ import annotations

import sys
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import click

from ginuri.cli.migration.identifier_lists import ListedIdentifier, SkippedLine, read_identifier_list
from ginuri.cli.options import map_option, sheet_option
from ginuri.cli.stack import find_stack, stack_option
from ginuri.cli.terminal import fault, format_value, localize, localize_all, say, with_progress, write_json
from ginuri.files.options import UploadOptions
from ginuri.identifiers.errors import UnreadableFile
from ginuri.identifiers.messages import Message, message, translatable
from ginuri.migration.http_probe import RateLimit, Resolver
from ginuri.migration.resolver_comparison import AnswerComparison, ResolverAnswer, compare_answers

_AHEAD = 4
"""The number of requests in the queue for each that is open at once."""
_SKIPPED = "passed over"
_VERDICTS = {
    AnswerComparison.SAME: translatable("same"),
    AnswerComparison.DIFFERENT: translatable("different"),
    AnswerComparison.ONLY_THERE: translatable("only there"),
    AnswerComparison.ONLY_HERE: translatable("only here"),
    AnswerComparison.ERROR: translatable("error"),
    _SKIPPED: translatable("passed over"),
}
"""The names of verdicts, in the order of their counts."""
Answers = tuple[ListedIdentifier | SkippedLine, str, ResolverAnswer, ResolverAnswer]
"""A line of the list, the host of the request, the answer of this resolver, and the other's."""


@click.command("verify")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, readable=True, path_type=Path))
@click.option(
    "--against", "there", required=True, metavar="HOST", help="The other resolver: a host, or http(s)://host."
)
@click.option(
    "--service",
    "here",
    envvar="GINURI_SERVICE",
    show_envvar=True,
    metavar="URL",
    help="Ours; without it, that of the stack.",
)
@stack_option
@click.option(
    "--rate",
    default=10.0,
    show_default=True,
    type=click.FloatRange(0, 1000, min_open=True),
    help="The maximum number of requests per second to each.",
)
@click.option(
    "--at-once",
    default=4,
    show_default=True,
    type=click.IntRange(1, 64),
    help="The number of requests at once.",
)
@click.option(
    "--timeout",
    "seconds",
    default=10.0,
    show_default=True,
    type=click.FloatRange(0, 600, min_open=True),
    help="Seconds to wait for an answer.",
)
@map_option
@sheet_option
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
    sheet: str,
    as_json: bool,
) -> None:
    """Compare our answers with those of another resolver, for each identifier of FILE.

    FILE is a registry file, such as a table with `id,target`, or any other file with one URI per line.
    Answers are the same if the class of their status (3xx) and the target of their redirect are. Redirects
    are not followed, and only the head of an answer is read.

    Exits 0 if all answers are the same, 1 if one differs or is missing, 2 if the command could not be carried
    out.
    """
    ours, theirs = _resolver(here or find_stack(name).service, seconds), _resolver(there, seconds)
    counts: Counter[str] = Counter()
    with ThreadPoolExecutor(at_once) as pool:
        try:
            lines = read_identifier_list(file, UploadOptions(columns=columns, sheet=sheet))
            asked = _request(lines, ours, theirs, RateLimit(rate), pool, at_once)
            for answers in with_progress(asked, file.name):
                counts[_print(answers, as_json=as_json)] += 1
        except UnreadableFile as error:
            raise fault(message("{file}: {reason}", file=str(file), reason=error.reason)) from error
    if not counts.keys() - {_SKIPPED}:
        raise fault(message("{file} contains no identifiers that can be requested.", file=str(file)))
    totals = (
        message("{number} {verdict}", number=str(counts[verdict]), verdict=Message(name))
        for verdict, name in _VERDICTS.items()
    )
    click.echo(localize_all(totals), err=as_json)
    sys.exit(1 if counts.keys() - {AnswerComparison.SAME, _SKIPPED} else 0)


def _resolver(address: str, seconds: float) -> Resolver:
    try:
        return Resolver(address, seconds)
    except ValueError:
        raise fault(
            message("{address} is not a host, nor the http or https address of one.", address=repr(address))
        ) from None


def _request(  # noqa: PLR0913, PLR0917  the identifiers, the resolvers, and the limits
    lines: Iterable[ListedIdentifier | SkippedLine],
    ours: Resolver,
    theirs: Resolver,
    limit: RateLimit,
    pool: ThreadPoolExecutor,
    at_once: int,
) -> Iterator[Answers]:
    """Request identifiers from both, several at once, and yield the answers in the order of the file."""

    def request_both(line: ListedIdentifier | SkippedLine) -> Answers:
        if isinstance(line, SkippedLine):
            return line, "", ResolverAnswer(), ResolverAnswer()
        limit.wait()
        host = line.host or theirs.host
        return line, host, ours.ask(line.host, line.target), theirs.ask(line.host, line.target)

    pending: deque[Future[Answers]] = deque()
    for line in lines:
        pending.append(pool.submit(request_both, line))
        if len(pending) >= at_once * _AHEAD:
            yield pending.popleft().result()
    while pending:
        yield pending.popleft().result()


def _print(answers: Answers, *, as_json: bool) -> str:
    """Print the answers to an identifier, unless they are the same, and return the verdict."""
    line, host, ours, theirs = answers
    if isinstance(line, SkippedLine):
        verdict, subject = _SKIPPED, localize_all(line.reasons, "; ")
        members: dict[str, Any] = {"because": "; ".join(map(str, line.reasons))}
    else:
        verdict, subject = compare_answers(f"http://{host}{line.target}", ours, theirs), line.uri
        members = {"uri": line.uri, "ours": _as_json(ours), "theirs": _as_json(theirs)}
    if as_json:
        click.echo(write_json({"line": line.line, "verdict": verdict, **members}))
    elif verdict != AnswerComparison.SAME:
        say(
            message(
                "line {line}: {verdict}: {subject}",
                line=str(line.line),
                verdict=Message(_VERDICTS[verdict]),
                subject=format_value(subject),
            )
        )
        if verdict != _SKIPPED:
            click.echo(f"  {localize(message('ours: {answer}', answer=_describe(ours)))}")
            click.echo(f"  {localize(message('theirs: {answer}', answer=_describe(theirs)))}")
    return verdict


def _describe(answer: ResolverAnswer) -> str:
    if answer.error:
        return format_value(localize(answer.error))
    return f"{answer.status} → {format_value(answer.location)}" if answer.location else str(answer.status)


def _as_json(answer: ResolverAnswer) -> dict[str, Any]:
    return {
        "status": answer.status or None,
        "location": answer.location,
        "error": str(answer.error) or None,
    }
