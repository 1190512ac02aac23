"""`ginuri relocate`: what is elsewhere now, in one upload that can be undone."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from typing import Any

import click
from tqdm import tqdm

from ginuri.cli.stack import find_stack, open_archive, stack_option
from ginuri.cli.terminal import fault, localize
from ginuri.cli.uploads.folder import folder_option
from ginuri.cli.uploads.restatement import Draft, SubmitOptions, leave, submit_drafts, submit_options
from ginuri.files.export import authority_folder, write_restatement
from ginuri.files.options import UploadOptions
from ginuri.identifiers.messages import counted, message
from ginuri.identifiers.roots import folder_to_prefix
from ginuri.registration.undo.relocation import relocate
from ginuri.registry.locations import is_location


def _read_url(value: str) -> str:
    if not is_location(value):
        wrong = message(
            "{url} is not a URL that starts with http:// or https:// and has no spaces or characters beyond "
            "ASCII.",
            url=repr(value),
        )
        raise click.BadParameter(localize(wrong))
    return value


@click.command("relocate")
@click.option(
    "--from",
    "old",
    required=True,
    type=_read_url,
    metavar="URL",
    help="What locations begin with, such as http://a.example/maps.",
)
@click.option(
    "--to", "new", required=True, type=_read_url, metavar="URL", help="What they begin with afterwards."
)
@folder_option("--under", "folder", help="Only of what stands under this prefix.")
@stack_option
@submit_options
def relocate_command(
    *,
    old: str,
    new: str,
    folder: str | None,
    name: str | None,
    is_many: bool,
    **manner: Any,  # noqa: ANN401  the manner of handing in, by its names
) -> None:
    """Move every location that begins with one URL to another, by an upload for each authority concerned.

    http://a.example/x takes http://a.example/x/1 and http://a.example/x?1, not http://a.example/xy; one that
    ends in a slash takes all that follows. Rules move as well. On a terminal you see what would change, and
    are asked.

    Exits 1 when nothing is there, when a line was refused, or when you said no.
    """
    if old.endswith("/") != new.endswith("/"):
        raise fault(message("Either both URLs must end in a slash, or neither."))
    stack, handing = find_stack(name), SubmitOptions(**manner)
    options = UploadOptions(is_many=is_many, reason=f"relocated from {old} to {new}")
    with ExitStack() as open_files:
        with open_archive(name) as archive:
            standing = tqdm(
                archive.standing(folder_to_prefix(folder or "")),
                desc=old,
                unit=f" {localize(message('identifiers'))}",
                disable=handing.as_json or not sys.stderr.isatty(),
                leave=False,
            )
            drafts = _draft(standing, old, new, folder, open_files)
        none = message("No location starts with {address}.", address=old)
        heads = [
            counted("{number} line for {file}", "{number} lines for {file}", draft.lines, file=draft.key)
            for draft in drafts
        ]
        reports = submit_drafts(stack, drafts, options, handing, list(map(localize, heads or [none])))
        if handing.as_json:
            click.echo(json.dumps({"reports": reports}, ensure_ascii=False, indent=1))
        leave(reports, is_whole=bool(drafts))


def _draft(
    standing: Iterable[tuple[str, Mapping[str, Any]]],
    old: str,
    new: str,
    folder: str | None,
    open_files: ExitStack,
) -> list[Draft]:
    """Write a file for the folder, or else for that of each authority concerned."""
    drafts: dict[str, Draft] = {}
    for identifier, values in standing:
        restatement = relocate(identifier, values, old, new)
        if restatement is None:
            continue
        where = folder or authority_folder(identifier)
        if where not in drafts:
            drafts[where] = Draft(f"{where}relocate.jsonl", open_files)
        drafts[where].add(write_restatement(restatement, where))
    return [drafts[where] for where in sorted(drafts)]
