"""`ginuri get`: what an identifier names, and what it leads to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import click

from ginuri.cli.lookup.asking import ask, read_name, service_options
from ginuri.identifiers.service_paths import description_path


@click.command("get")
@click.argument("identifier")
@service_options
def get_command(identifier: str, name: str | None, *, as_json: bool) -> None:
    r"""Show what IDENTIFIER names and leads to. It may have any form and any host.

    An identifier that is not registered exits with 1, and prints advice.

    \b
    Examples:
      ginuri get uri-gin/azgs/ --service http://127.0.0.1:8000
      ginuri get http://resources.usgin.org/uri-gin/azgs/ --json
    """
    document = ask(description_path(read_name(identifier)), {}, name, as_json=as_json)
    if not as_json:
        click.echo("\n".join(_write(document)))


def _write(document: Mapping[str, Any]) -> Iterator[str]:
    title = document.get("title")
    if title:
        yield from _texts(title)
    yield str(document.get("uri", document.get("identifier", "")))
    facts = (document.get("kind") or document.get("record"), document.get("status"), document.get("part_of"))
    yield " · ".join(str(fact) for fact in facts if fact)
    if description := document.get("description"):
        yield from _texts(description)
    for name in ("reason", "successor", "stands_for"):
        if name in document:
            value = document[name]
            yield f"{name.replace('_', ' ')}: {', '.join(value) if isinstance(value, list) else value}"
    rows = [_form(form, document) for form in document.get("representations", ())]
    width = max((len(media_type) for media_type, _ in rows), default=0)
    yield from (f"  {media_type:<{width}}  {place}" for media_type, place in rows)


def _texts(stated: str | Mapping[str, str]) -> Iterator[str]:
    yield from (stated,) if isinstance(stated, str) else stated.values()


def _form(form: Mapping[str, Any], document: Mapping[str, Any]) -> tuple[str, str]:
    roles = form.get("role", ())
    noted = [form.get("language"), *([roles] if isinstance(roles, str) else roles)]
    place = form.get("location") or form.get("uri") or document.get("uri", "")
    return form.get("media_type", "*/*"), "  ".join((place, *(note for note in noted if note)))
