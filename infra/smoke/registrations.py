"""The registrations of the smoke test: uploads the files of registry/ as a steward would."""

from pathlib import Path

import click

from ginuri.cli.ports import Stack
from ginuri.cli.stack import explaining_failures, find_stack, stack_option
from ginuri.cli.terminal import CommandFailed
from ginuri.cli.uploads.upload import submit
from ginuri.files.options import UploadOptions
from ginuri.identifiers.messages import message
from infra.smoke.runner import NotReady, Say

REGISTRY = Path(__file__).parent / "registry"
"""Laid out like the uploads bucket. A second upload of the same files changes nothing."""
_SECONDS = 300
"""The timeout of a report."""


def find_destination(name: str | None) -> Stack:
    """Find a stack in AWS, or the local one, as every command does. Raises NotReady."""
    try:
        found: Stack = _find.main(["--stack", name] if name else [], "smoke", standalone_mode=False)
    except click.ClickException as error:
        raise NotReady(error.format_message()) from error
    return found


@click.command()
@stack_option
def _find(name: str | None) -> Stack:
    """Also read profile and region from the environment."""
    return find_stack(name)


def register(stack: Stack, say: Say) -> None:
    """Register the names of the table in a stack. Raises NotReady."""
    for key in upload_order(REGISTRY):
        try:
            with explaining_failures(message("The upload failed"), stack.explain):
                report = submit(
                    stack, key, (REGISTRY / key).read_bytes(), UploadOptions(), _SECONDS, quiet=True
                )
        except CommandFailed as error:
            raise NotReady(error.format_message()) from error
        counts = (f"{name} {count}" for name, count in report["counts"].items() if count)
        say(f"{key}: {', '.join(counts) or 'stored'}")
        if report["counts"]["refused"]:
            raise NotReady(f"{key} was refused: {report['verdicts']}")


def upload_order(folder: Path) -> list[str]:
    """Return the files of a folder: stored files, then the authority, then the names under it."""
    keys = [path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()]
    return sorted(keys, key=lambda key: (key.endswith(".jsonl"), not key.startswith("_host/"), key))
