"""`ginuri`: read identifiers, and hand in registrations."""

from __future__ import annotations

import click

from ginuri.cli.compare import compare_command
from ginuri.cli.diff import diff_command
from ginuri.cli.export import export_command
from ginuri.cli.history import history_command
from ginuri.cli.importing import import_command
from ginuri.cli.parse import parse_command
from ginuri.cli.redrive import redrive_command
from ginuri.cli.relocate import relocate_command
from ginuri.cli.rollback import rollback_command
from ginuri.cli.upload import upload_command
from ginuri.cli.uploads import uploads_command
from ginuri.cli.validate import validate_command
from ginuri.cli.verify import verify_command


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="ginuri")
def main() -> None:
    """Read persistent identifiers, and register them.

    Exit codes: 0 all is well, 1 the answer is no (not an identifier, not the same, a line was refused), 2 the
    command was not understood or could not be carried out.
    """


main.add_command(compare_command)
main.add_command(diff_command)
main.add_command(export_command)
main.add_command(history_command)
main.add_command(import_command)
main.add_command(parse_command)
main.add_command(redrive_command)
main.add_command(relocate_command)
main.add_command(rollback_command)
main.add_command(upload_command)
main.add_command(uploads_command)
main.add_command(validate_command)
main.add_command(verify_command)
