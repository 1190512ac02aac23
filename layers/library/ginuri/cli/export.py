"""`ginuri export`: what stands under a prefix, as the file that registers it elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import click
from tqdm import tqdm

from ginuri.cli.folder import Folder
from ginuri.cli.table import open_archive, stack_option
from ginuri.documents.writing import Values, files_of, prefix_of, write_registry


@click.command("export")
@click.option(
    "--under",
    "folder",
    required=True,
    type=Folder(),
    help="As of an upload: a prefix such as uri-gin/azgs/, or _host/ for schemes, hosts and authorities.",
)
@click.option(
    "--output",
    type=click.Path(dir_okay=False, writable=True, path_type=Path),
    help="The file to write, such as azgs.jsonl; without it, they are printed.",
)
@stack_option
def export_command(folder: str, output: Path | None, name: str | None) -> None:
    """Write what stands under a prefix as JSON lines that `ginuri upload --under` that prefix takes in.

    The whole table is read. Exits 1 where nothing is registered under the prefix.
    """
    files: list[str] = []
    with open_archive(name) as archive:
        standing = _noting(files, archive.standing(prefix_of(folder)), folder)
        lines = [f"{line}\n" for line in write_registry(standing, folder)]
    if output is None:
        click.echo("".join(lines), nl=False)
    else:
        output.write_text("".join(lines), encoding="utf-8", newline="\n")
        click.echo(
            f"{output}: {len(lines)} lines; load them: ginuri upload {output} --under {folder}", err=True
        )
    _tell_files(files, folder)
    if not lines:
        click.echo(f"nothing is registered under {folder}", err=True)
        sys.exit(1)


def _noting(
    files: list[str], standing: Iterable[tuple[str, Values]], folder: str
) -> Iterator[tuple[str, Values]]:
    """Hand on what stands, show how far it is, and note the stored files."""
    with tqdm(
        standing, desc=folder, unit=" identifiers", disable=not sys.stderr.isatty(), leave=False
    ) as bar:
        for identifier, values in bar:
            files += files_of(values, folder)
            yield identifier, values


def _tell_files(files: list[str], folder: str) -> None:
    if files:
        click.echo(
            f"{len(files)} stored files are named, not written; put them into the uploads bucket first",
            err=True,
        )
    outside = [key for key in files if not key.startswith(folder)]
    if outside:
        click.echo(
            f"{len(outside)} of them are not under {folder} ({outside[0]}): export a shorter prefix", err=True
        )
