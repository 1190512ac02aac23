"""`ginuri upload`: uploads a registry file, waits for the report and prints it."""

from __future__ import annotations

import shlex
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import IO, Any, NoReturn

import click

from ginuri.cli.choices.choice import Chosen, choose, is_of_objects, no_folder
from ginuri.cli.choices.remembered import keep, recall
from ginuri.cli.choices.stated import state
from ginuri.cli.options import folder_option, read_as_option, reading_options
from ginuri.cli.ports import Stack
from ginuri.cli.stack import open_stack, stack_option
from ginuri.cli.terminal import fault, is_terminal, language_option, localize, refusal, say, write_json
from ginuri.cli.uploads.report_text import describe
from ginuri.cli.uploads.stored_file import (
    StoredFileUpload,
    mistaken_for_registry,
    read_document_name,
    store_mapping,
)
from ginuri.cli.uploads.waiting import describe_unfinished, wait_for_report
from ginuri.files.formats import reader_for, stored_as
from ginuri.files.options import REGISTRATIONS, UploadOptions, write_options
from ginuri.files.reports.report import report_key
from ginuri.identifiers import Identifier
from ginuri.identifiers.messages import Message, message
from ginuri.identifiers.roots import folder_to_prefix

_UPLOAD_IT = message("Upload it?")


@click.command("upload")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, readable=True, path_type=Path))
@folder_option("--under", help="The identifier prefix to register under, such as uri-gin/azgs/.")
@click.option(
    "--as",
    "identifier",
    type=read_document_name,
    metavar="IDENTIFIER",
    help="Store FILE, whatever it is, and register it as this.",
)
@click.option(
    "--store",
    "is_stored",
    is_flag=True,
    help="Store FILE, whatever it is, for registrations to name in `file`.",
)
@click.option("--title", help="With --as: its title.")
@click.option("--media-type", help="With --as: its media type; else the name decides.")
@stack_option
@click.option("--dry-run", "is_dry_run", is_flag=True, help="Show what would change; change nothing.")
@click.option("--many", "is_many", is_flag=True, help="Allow it to change more than a tenth of the folder.")
@click.option("--strict-tests", "is_strict", is_flag=True, help="Register nothing if a test would fail.")
@click.option("--reason", default="", help="The reason for people; it is kept with the upload.")
@click.option("--submitter", default="", help="The name of the submitter; it is kept with the upload.")
@click.option("--yes", "is_sure", is_flag=True, help="Do not show what would change and ask first.")
@click.option(
    "--correction",
    "is_correction",
    is_flag=True,
    help="Allow it to change a record's type or a resource's kind.",
)
@click.option(
    "--only-new", "is_only_new", is_flag=True, help="Register only identifiers that nothing answers for yet."
)
@reading_options
@read_as_option
@folder_option(
    "--snapshot", help="The file is complete for this prefix: retire all other identifiers under it."
)
@language_option
@click.option("--wait", default=900, show_default=True, help="Seconds to wait for the report.")
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
def upload_command(  # noqa: PLR0913  the options of a command
    file: Path,
    *,
    under: str | None,
    identifier: Identifier | None,
    is_stored: bool,
    title: str | None,
    media_type: str | None,
    name: str | None,
    is_dry_run: bool,
    is_many: bool,
    is_strict: bool,
    reason: str,
    submitter: str,
    is_sure: bool,
    is_correction: bool,
    is_only_new: bool,
    snapshot: str | None,
    language: str,
    wait: int,
    as_json: bool,
    reading: UploadOptions,
) -> None:
    """Upload FILE (.jsonl, .csv, .tsv, .xlsx, .ttl, …, also with .gz), wait for the report and print it.

    Without options, finds the sheet, the heading, the columns and the folder, and asks you to confirm them;
    without a terminal, they need --yes. What you confirm is kept in ginuri.toml beside FILE.

    With --as, FILE is stored and registered in one step, as that identifier: a form of what it stands under,
    where that is a resource, else by itself. On a terminal, shows what would change and asks you to confirm;
    scripts, --yes and --json skip the question.

    Exits 0 when all is well, 1 when a line or the file was refused or you declined, and 2 when it could not
    be carried out. A file of another kind is stored, for registrations to name in `file`. If it may be meant
    as registrations (.xls, .txt, …; JSON or a .zip that names identifiers of the folder), you are asked
    first; without a terminal, it is only stored with --store.
    """
    stored_file = StoredFileUpload(file, identifier, under, title, media_type) if identifier else None
    if (stored_file or is_stored) and is_dry_run:
        raise fault(message("A dry run stores no file. Leave out --as, --store or --dry-run."))
    body = b"" if stored_file else file.read_bytes()
    read_as = reading.read_as or recall(file).get("read-as", "")
    if not (read_as or under or is_stored) and is_of_objects(file.name, body):
        read_as = REGISTRATIONS
    reading = replace(reading, read_as=read_as)
    if not (stored_file or is_stored or read_as) and (
        mistaken := mistaken_for_registry(file, under or "", reading)
    ):
        stored = message(
            "To store it as it is, for registrations to name in `file`, add {store}; to register it as an "
            "identifier, {register}.",
            store="--store",
            register="--as",
        )
        if is_dry_run or is_sure or as_json or not is_terminal():
            raise refusal(message("{way_out} {stored}", way_out=mistaken, stored=stored))
        confirm(localize(mistaken), message("Store it as it is?"))
        is_stored = True
    chosen = Chosen(state(under, reading))
    if not (stored_file or is_stored) and reader_for(file.name, reading):
        chosen = choose(file, body, chosen.options, asks=not (is_sure or as_json) and is_terminal())
        _show(chosen, file, is_sure=is_sure or is_dry_run, as_json=as_json)
    elif not (stored_file or under):
        raise fault(no_folder(file, []))
    under = chosen.options.under
    key = stored_file.key if stored_file else f"{under}{stored_as(file.name) if is_stored else file.name}"
    is_registry_file = reader_for(key, chosen.options.options) is not None
    if is_dry_run and not is_registry_file:
        raise fault(
            message(
                "{file} is not a registry file and would only be stored: a dry run has nothing to show.",
                file=file.name,
            )
        )
    if is_correction and not reason.strip():
        raise fault(message("A correction changes what an identifier names. Give the reason with --reason."))
    all_of = folder_to_prefix(snapshot or "")
    options = replace(
        chosen.options.options,
        is_dry_run=is_dry_run,
        is_many=is_many,
        is_correction=is_correction,
        is_stored=is_stored,
        is_strict=is_strict,
        is_only_new=is_only_new,
        snapshot=all_of,
        reason=reason,
        submitter=submitter,
        language=language,
    )
    with open_stack(name, message("The upload failed")) as stack:
        report = submit_sure(
            stack,
            key,
            stored_file.store(stack, partial(_dry_run, stack, options, wait)) if stored_file else body,
            options,
            wait,
            is_sure=is_sure or not is_registry_file,
            is_known=chosen.is_recalled,
            as_json=as_json,
        )
    if chosen.is_guessed and not is_dry_run:
        keep(file, chosen.options.values)
    sys.exit(1 if report["counts"]["refused"] else 0)


def _show(chosen: Chosen, file: Path, *, is_sure: bool, as_json: bool) -> None:
    """Print what was guessed. Raises CommandFailed if nobody can confirm it."""
    if chosen.is_guessed and not is_sure and (as_json or not is_terminal()):
        raise fault(
            message(
                "Nobody can confirm these guesses:\n{guesses}\nAdd --yes, or run {command}",
                guesses="\n".join(chosen.summary),
                command=f"ginuri upload {shlex.quote(str(file))} {chosen.options.as_command()} --yes",
            )
        )
    if chosen.summary:
        click.echo("\n".join(chosen.summary), err=as_json)


def submit_sure(  # noqa: PLR0913  the file, and how it is submitted
    stack: Stack,
    key: str,
    body: bytes | IO[bytes],
    options: UploadOptions,
    wait: float,
    *,
    is_sure: bool,
    as_json: bool,
    is_known: bool = False,
) -> dict[str, Any]:
    """Upload a file, print its report and return it; on a terminal, ask first unless `is_sure`.

    About a file that `is_known`, ask only if a row would be refused or can be corrected. Exits with 1 if the
    user declines. Raises CommandFailed if there is no report in time.
    """
    if not (options.is_dry_run or is_sure or as_json) and is_terminal():
        body = _ask(stack, key, body, options, wait, is_known=is_known)
    report = submit(stack, key, body, options, wait, quiet=as_json)
    click.echo(write_json(report, indent=1) if as_json else describe(report, stack))
    return report


def _ask(  # noqa: PLR0913  the file, and how it is submitted
    stack: Stack,
    key: str,
    body: bytes | IO[bytes],
    options: UploadOptions,
    wait: float,
    *,
    is_known: bool,
) -> bytes | IO[bytes]:
    """Show what would change, ask once, and return the content to upload; exit with 1 if that is refused."""
    from ginuri.cli.choices.corrections import find_corrections  # it checks the file as ingest does

    corrected = find_corrections(key, body, options) if isinstance(body, bytes) else None
    if corrected is None:
        report = _dry_run(stack, options, wait, key, body)
        if report["counts"]["refused"] or not is_known:
            confirm(describe(report, stack))
        return body
    click.echo("\n".join(corrected.describe()))
    click.echo(describe(_dry_run(stack, options, wait, key, corrected.body), stack))
    question = message("Upload it with these corrections (y), without them (w), or not at all (n)?")
    answer = click.prompt(localize(question), type=click.Choice(["y", "w", "n"]), default="n")
    if answer == "n":
        _decline()
    return corrected.body if answer == "y" else body


def _check_name(key: str) -> None:
    try:
        key.encode()
    except UnicodeEncodeError:
        readable = key.encode(errors="replace").decode()
        raise fault(
            message("The name of {file} is not UTF-8. Rename it, and upload it again.", file=readable)
        ) from None


def submit(  # noqa: PLR0913  the file, and how it is submitted
    stack: Stack,
    key: str,
    body: bytes | IO[bytes],
    options: UploadOptions,
    wait: float,
    *,
    quiet: bool = False,
) -> dict[str, Any]:
    """Upload a file and return its report. Raises CommandFailed if there is none in time."""
    _check_name(key)
    if not isinstance(body, bytes):
        body.seek(0)
    version = stack.put(key, body, write_options(store_mapping(stack, key, options)))
    report = wait_for_report(stack, key, version, wait, quiet=quiet, is_dry_run=options.is_dry_run)
    if report is None:
        raise fault(
            message(
                "There is no report on {file} after {seconds} s. It will be at {address}.",
                file=key,
                seconds=str(wait),
                address=stack.report_address(report_key(key, version)),
            )
        )
    if not report["is_complete"]:
        raise fault(describe_unfinished(key, version, report))
    return report


def _dry_run(
    stack: Stack, options: UploadOptions, wait: float, key: str, body: bytes | IO[bytes]
) -> dict[str, Any]:
    return submit(stack, key, body, replace(options, is_dry_run=True), wait)


def confirm(preview: str, question: Message = _UPLOAD_IT) -> None:
    """Show the preview, and ask for confirmation; exit with 1 if it is refused."""
    click.echo(preview)
    if not click.confirm(localize(question)):
        _decline()


def _decline() -> NoReturn:
    say(message("Nothing was changed."))
    sys.exit(1)
