"""`ginuri search`: titles with all words, the best first."""

from __future__ import annotations

import sys

import click

from ginuri.cli.lookup.asking import ask, service_options
from ginuri.cli.terminal import say
from ginuri.identifiers.messages import counted, message
from ginuri.identifiers.service_paths import SEARCH


@click.command("search")
@click.argument("words", nargs=-1, required=True)
@click.option("--authority", metavar="PREFIX", help="Only identifiers under it, such as uri-gin/azgs/.")
@click.option(
    "--most", type=click.IntRange(1, 100), default=20, show_default=True, help="The number of results."
)
@service_options
def search_command(
    words: tuple[str, ...],
    authority: str | None,
    most: int,
    name: str | None,
    *,
    as_json: bool,
) -> None:
    r"""Search titles for WORDS: whole titles first, then those with all words.

    Nothing found exits with 1. Recent registrations may take a day to be found.

    \b
    Examples:
      ginuri search geologic map --service http://127.0.0.1:8000
      ginuri search huachuca --authority uri-gin/azgs/ --json
    """
    parameters = {"q": " ".join(words), "most": str(most)} | ({"authority": authority} if authority else {})
    document = ask(f"/{SEARCH}", parameters, name, as_json=as_json)
    results = document.get("results", ())
    if not as_json:
        say(counted("{number} result", "{number} results", int(document.get("total") or 0)), err=True)
        for result in results:
            click.echo(f"{result['identifier']}  {result.get('title') or ''}".rstrip())
        if meant := document.get("did_you_mean") or ():
            texts = [each if isinstance(each, str) else str(each.get("text", each)) for each in meant]
            say(message("Did you mean {texts}?", texts=", ".join(texts)), err=True)
    if not results:
        sys.exit(1)
