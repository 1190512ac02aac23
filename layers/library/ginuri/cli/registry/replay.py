"""`ginuri replay`: processes uploads once more, into a table that has lost them."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

import click

from ginuri.cli.options import read_moment
from ginuri.cli.stack import open_stack, stack_option
from ginuri.cli.terminal import fault, format_value, localize, say, with_progress, write_json
from ginuri.files.reports.report import Upload
from ginuri.files.reports.scope import ReportScope
from ginuri.files.reports.wording import write_counts
from ginuri.identifiers.messages import Message, counted, message
from ginuri.registry.clock import utc_now, write_moment
from ginuri.registry.record.stamps import Stamp
from ginuri.replay.drill import DrillResult, compare_statements
from ginuri.replay.ports import ReplayStack, ReplayTarget
from ginuri.replay.processed_uploads import UploadOrder, order_uploads
from ginuri.replay.replay import Replay, ReplayedUpload


@click.command("replay")
@click.option(
    "--since",
    type=read_moment,
    metavar="MOMENT",
    help="Only uploads processed since then, or five minutes before, whether or not the table has them: the "
    "moment to which a table was restored.",
)
@click.option(
    "--drill", "is_drill", is_flag=True, help="Replay into an empty registry, compare, and remove it."
)
@click.option(
    "--empty", "is_emptied", is_flag=True, help="Of a folder: first remove all records and their history."
)
@click.option("--yes", "is_agreed", is_flag=True, help="Do not ask before --empty.")
@stack_option
@click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON object per difference, then the result."
)
def replay_command(  # noqa: PLR0913  the options
    *,
    since: str | None,
    is_drill: bool,
    is_emptied: bool,
    is_agreed: bool,
    name: str | None,
    as_json: bool,
) -> None:
    """Process uploads once more, in their order: after a table was lost, or restored to an earlier moment.

    Statements get the stamps that they had, and reports stay as they are. Without --since, uploads that the
    table has are passed over. Ingest is paused meanwhile, and the edge is emptied afterwards. Prints each
    upload with a different result.

    Exits 1 if there is a difference, 2 if the command could not be carried out: then run it again.
    """
    _check(since, is_drill=is_drill, is_emptied=is_emptied)
    with open_stack(name, message("The uploads cannot be replayed")) as stack:
        replaying = stack.replaying
        if is_drill:
            result = _drill(replaying, as_json=as_json)
        else:
            if is_emptied and not is_agreed:
                click.confirm(
                    localize(message("Remove all records of {stack}?", stack=stack.name)), abort=True
                )
            result = _replay(replaying, since, is_emptied=is_emptied, as_json=as_json)
    sys.exit(0 if result else 1)


def _check(since: str | None, *, is_drill: bool, is_emptied: bool) -> None:
    if since and (is_drill or is_emptied):
        raise fault(message("--since goes with neither --drill nor --empty: they replay all uploads."))
    if is_drill and is_emptied:
        raise fault(message("--drill changes nothing, so it does not go with --empty."))


def _replay(stack: ReplayStack, since: str | None, *, is_emptied: bool, as_json: bool) -> bool:
    with stack.pause():
        if is_emptied:
            stack.clear()
        order = order_uploads(stack, datetime.fromisoformat(since) if since else None)
        replayed = list(_run(stack, stack.target, order, ignores_proofs=since is not None, as_json=as_json))
    different = sum(each.is_different for each in replayed)
    _print_result(order, replayed, as_json=as_json)
    return not different


def _drill(stack: ReplayStack, *, as_json: bool) -> bool:
    begun = write_moment(utc_now())
    order = order_uploads(stack)
    unfinished = {(upload.key, upload.version) for upload in order.unfinished}

    def counts(stamp: Stamp) -> bool:
        return stamp.put < begun and (stamp.upload, stamp.version) not in unfinished

    with stack.scratch() as (target, read_items):
        for _ in _run(stack, target, order, is_drill=True, as_json=as_json):
            pass
        result = compare_statements(stack.whole.items(), read_items(), counts)
    stack.note_drill(result.statements, result.recovered)
    _print_drill(result, as_json=as_json)
    return result.is_complete


def _run(  # noqa: PLR0913  a replay, and how it is printed
    stack: ReplayStack,
    target: ReplayTarget,
    order: UploadOrder,
    *,
    ignores_proofs: bool = False,
    is_drill: bool = False,
    as_json: bool,
) -> Iterator[ReplayedUpload]:
    label = localize(message("uploads"))
    uploads = with_progress(order.uploads, label, hidden=as_json, length=len(order.uploads))
    replay = Replay(stack, target, order, is_drill=is_drill)
    for replayed in replay.run(uploads, ignores_proofs=ignores_proofs):
        if replayed.is_different:
            click.echo(write_json(_as_json(replayed)) if as_json else localize(_describe(replayed)))
        yield replayed


def _describe(replayed: ReplayedUpload) -> Message:
    return message(
        "{upload}: before: {then}; now: {now}",
        upload=_name(replayed.processed.upload),
        then=write_counts(replayed.processed.counts or {}, ReportScope()),
        now=write_counts(replayed.counts, ReportScope()),
    )


def _name(upload: Upload) -> str:
    return format_value(f"{upload.key}#{upload.version}")


def _as_json(replayed: ReplayedUpload) -> Mapping[str, Any]:
    upload = replayed.processed.upload
    return {
        "key": upload.key,
        "version": upload.version,
        "put": upload.put,
        "before": dict(replayed.processed.counts or {}),
        "now": dict(replayed.counts),
    }


def _print_result(order: UploadOrder, replayed: Sequence[ReplayedUpload], *, as_json: bool) -> None:
    different = sum(each.is_different for each in replayed)
    unknown = sum(each.processed.counts is None for each in replayed)
    passed_over = len(order.uploads) - len(replayed)
    if as_json:
        numbers = {"replayed": len(replayed), "passed_over": passed_over, "different": different}
        left = [f"{upload.key}#{upload.version}" for upload in order.unfinished]
        click.echo(write_json({**numbers, "without_report": unknown, "unfinished": left}))
        return
    say(
        counted(
            "{number} upload replayed, {different} with a different result",
            "{number} uploads replayed, {different} with a different result",
            len(replayed),
            different=f"{different:,}",
        )
    )
    if passed_over:
        say(message("{number} passed over, because the table has them", number=f"{passed_over:,}"))
    if unknown:
        say(
            message(
                "{number} had no report. Their statements have the time at which they were put in seconds.",
                number=f"{unknown:,}",
            )
        )
    for upload in order.unfinished:
        say(message("{upload} is left to the queue: its report is not complete.", upload=_name(upload)))


def _print_drill(result: DrillResult, *, as_json: bool) -> None:
    if as_json:
        numbers = {"statements": result.statements, "recovered": result.recovered, "added": result.added}
        click.echo(write_json({**numbers, "different": list(result.different)}))
        return
    for identifier in result.different:
        say(message("{identifier} differs", identifier=format_value(identifier)))
    say(
        message(
            "{recovered} of {statements} statements recovered, {added} added",
            recovered=f"{result.recovered:,}",
            statements=f"{result.statements:,}",
            added=f"{result.added:,}",
        )
    )
