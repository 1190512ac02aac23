"""`ginuri refused`: fetches the refused rows of an upload, to be corrected and uploaded again."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from ginuri.cli.reports.upload_address import find_version, read_upload
from ginuri.cli.stack import open_stack, stack_option
from ginuri.cli.terminal import fault, say
from ginuri.files.reports.listed_uploads import find_last_attempt, read_reported
from ginuri.files.reports.report import refused_key
from ginuri.files.reports.summary import summary_key
from ginuri.identifiers.messages import message


@click.command("refused")
@click.argument("upload", type=read_upload)
@click.option(
    "--output",
    type=click.Path(dir_okay=False, writable=True, path_type=Path),
    help="The file to write to; without it, to standard output.",
)
@stack_option
def refused_command(upload: tuple[str, str | None], *, output: Path | None, name: str | None) -> None:
    """Fetch the refused rows of UPLOAD as they were uploaded, to correct and upload again.

    UPLOAD is uri-gin/azgs/wells.csv for the newest version of this file, uri-gin/azgs/wells.csv#<version>
    for another one, or the address of the report.

    Exits 0, 1 if there are no refused rows, and 2 if there is no complete report.
    """
    key = upload[0]
    with open_stack(name, message("The refused rows cannot be read")) as stack:
        version = find_version(stack, *upload)
        if read_reported(stack, summary_key(key, version)) is None:
            raise fault(message("There is no report on {upload} yet.", upload=f"{key}#{version}"))
        if (rows := stack.report(refused_key(key, find_last_attempt(stack, key, version)))) is None:
            say(message("There are no refused rows of {upload}.", upload=f"{key}#{version}"), err=True)
            sys.exit(1)
        with click.open_file(str(output or "-"), "wb") as file:
            file.writelines(rows)
    if output is not None:
        command = f"`ginuri upload {output} --under {key[: key.rfind('/') + 1]}{stack.option}`"
        say(
            message("{file}: correct these rows, then run {command}", file=str(output), command=command),
            err=True,
        )
