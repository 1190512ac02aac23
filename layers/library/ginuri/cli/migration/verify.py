"""`ginuri verify`: compares the answers of this resolver with another's, before names move here."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from pathlib import Path

import click

from ginuri.cli.migration.comparing import Comparing
from ginuri.cli.migration.comparison_state import open_state
from ginuri.cli.migration.identifier_lists import SkippedLine, read_identifier_list
from ginuri.cli.migration.log_files import log_options, log_paths, read_logs
from ginuri.cli.migration.verification.options import load_options, request_options
from ginuri.cli.migration.verification.stated_tests import VerifiedTests, make_resolver
from ginuri.cli.options import folder_option, map_option, sheet_option
from ginuri.cli.stack import service_address, stack_option, stated_service
from ginuri.cli.terminal import fault
from ginuri.files.export import prefix_of
from ginuri.files.options import UploadOptions
from ginuri.identifiers.errors import UnreadableFile
from ginuri.identifiers.messages import message
from ginuri.migration.inventories.logged_request import LineReader
from ginuri.migration.verification.accepts import NAMED
from ginuri.migration.verification.log_uses import uses_of
from ginuri.migration.verification.probe import RateLimit
from ginuri.migration.verification.requests import IdentifierUses, Resolvers, Use
from ginuri.migration.verification.sampling import sample
from ginuri.migration.verification.summary import Summary


@click.command("verify")
@click.argument("files", nargs=-1, type=log_paths)
@click.option(
    "--tests",
    "has_tests",
    is_flag=True,
    help="Send the requests of the tests that registrations state: those in FILES, or all in the registry.",
)
@folder_option("--under", help="With --tests: only tests of identifiers under this prefix.")
@click.option(
    "--from-log",
    is_flag=True,
    help="FILES are access logs or inventories: each request counts as often as it was sent.",
)
@log_options
@click.option("--against", "there", metavar="HOST", help="The other resolver: a host, or http(s)://host.")
@stack_option
@request_options
@click.option("--strict-status", is_flag=True, help="Statuses must be equal: 301 and 302 are different.")
@click.option(
    "--gate",
    type=click.FloatRange(0, 100),
    metavar="PERCENT",
    help="Exit with 0 if at least this share of the requests agrees, such as 99.9.",
)
@click.option(
    "--examples",
    default=1,
    show_default=True,
    type=click.IntRange(1),
    help="The number of examples of each difference.",
)
@load_options
@click.option(
    "--state",
    type=click.Path(dir_okay=False, writable=True, path_type=Path),
    help="A file that keeps the answers: an interrupted comparison goes on there. Requests without an answer "
    "are sent again.",
)
@map_option
@sheet_option
@click.option(
    "--json", "is_json", is_flag=True, help="Print one JSON object for each request, and a summary."
)
def verify_command(  # noqa: PLR0913  the options of a command
    files: Sequence[Path],
    *,
    has_tests: bool,
    under: str | None,
    from_log: bool,
    host: str,
    line_reader: LineReader | None,
    there: str | None,
    name: str | None,
    accepts: Sequence[str],
    strict_status: bool,
    most: int | None,
    seed: str,
    state: Path | None,
    gate: float | None,
    examples: int,
    rate: float,
    at_once: int,
    seconds: float,
    columns: str,
    sheet: str,
    is_json: bool,
) -> None:
    """Compare our answers with those of another resolver, for each identifier of FILES.

    A file is a registry file, such as a table with `id,target`, or any other file with one URI per line; with
    --from-log, an access log, a folder of logs, or an inventory (`ginuri inventory`).
    Answers agree if the class of their status (3xx) and the target of their redirect are the same. Redirects
    are not followed to other hosts, and only the head of an answer is read.

    With --tests, requests are those of stated tests, and each answer is compared with the expected one: of
    the host in --against, or else of this resolver.

    Exits 0 if all answers agree, or the share of --gate; 1 if not; 2 if the command could not be carried out.
    """
    read_as = UploadOptions(columns=columns, sheet=sheet)
    if has_tests:
        if from_log or state is not None or most is not None:
            raise fault(message("--tests sends every test once. Leave out --from-log, --state and --sample."))
        tests = VerifiedTests(files, prefix_of(under or ""), read_as, at_once, gate, is_json)
        sys.exit(0 if tests.run(there or stated_service(), name, rate, seconds) else 1)
    if not files or there is None:
        raise fault(
            message("Name the files with identifiers, and the other resolver with --against; or add --tests.")
        )
    resolvers = Resolvers(
        make_resolver(service_address(name), seconds),
        make_resolver(there, seconds),
        RateLimit(rate),
    )
    uses = [Use(NAMED.get(accept, accept)) for accept in dict.fromkeys(accepts)]
    listed: Iterable[IdentifierUses | SkippedLine]
    if from_log:
        listed = list(uses_of(read_logs(files, host or resolvers.there.host, line_reader), uses))
    else:
        listed = _read(files, read_as, uses)
    if most is not None:
        listed = list(_sample(listed, most, seed, resolvers.there.host))
    settings = {
        "--service": resolvers.here.address,
        "--against": resolvers.there.address,
        "--accept": list(accepts),
        "--sample": most,
        "--seed": seed,
    }
    with closing(resolvers), open_state(state, settings, resolvers) as journal:
        comparing = Comparing(resolvers, Summary(examples), journal, is_strict=strict_status, is_json=is_json)
        comparing.run(listed, at_once, files[0].name)
    if not comparing.summary.identifiers:
        raise fault(
            message("{file} contains no identifiers that can be requested.", file=", ".join(map(str, files)))
        )
    passes = _passes(comparing.summary, gate)
    comparing.report(passes=passes)
    sys.exit(0 if passes else 1)


def _sample(
    listed: Iterable[IdentifierUses | SkippedLine], most: int, seed: str, default_host: str
) -> Iterator[IdentifierUses | SkippedLine]:
    identifiers: list[IdentifierUses] = []
    for entry in listed:
        if isinstance(entry, SkippedLine):
            yield entry
        else:
            identifiers.append(entry)
    yield from sample(identifiers, most, seed, default_host)


def _passes(summary: Summary, gate: float | None) -> bool:
    counts = summary.counts
    if gate is None:
        return not counts.differing
    return counts.share is not None and counts.share * 100 >= gate


def _read(
    files: Sequence[Path], options: UploadOptions, uses: Sequence[Use]
) -> Iterator[IdentifierUses | SkippedLine]:
    for file in files:
        if file.is_dir():
            raise fault(message("{file} is a folder. For a folder of logs, add --from-log.", file=str(file)))
        try:
            yield from read_identifier_list(file, options, uses)
        except UnreadableFile as error:
            raise fault(message("{file}: {reason}", file=str(file), reason=error.reason)) from error
