"""What a command imports before it does anything."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = ("boto3", "botocore", "pydantic", "rdflib", "tqdm", "uritools", "yaml")
REPORT_IMPORTS = """
import sys
from ginuri.cli.main import main
try:
    main(sys.argv[1:])
except SystemExit as end:
    assert not end.code, end.code
print("imported:", *sorted(name for name in sys.modules if "." not in name))
"""


@pytest.mark.parametrize(
    "arguments",
    [
        ("--version",),
        ("parse", "uri-gin/azgs/"),
        ("parse", "info:pmid/12376099", "--json"),
        ("compare", "uri-gin/azgs/", "http://resources.usgin.org/uri-gin/azgs/"),
    ],
    ids=lambda arguments: arguments[0],
)
def test_a_command_that_only_reads_identifiers_imports_no_heavy_library(arguments: tuple[str, ...]) -> None:
    ran = subprocess.run(  # noqa: S603  our own command
        [sys.executable, "-c", REPORT_IMPORTS, *arguments], capture_output=True, text=True, check=True
    )

    imported = ran.stdout.rpartition("imported:")[2].split()
    assert "click" in imported
    assert not set(HEAVY).intersection(imported)
