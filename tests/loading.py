"""Runs uses of the project in processes of their own, and reports which modules each of them imported.

A job is a line of JSON on standard input: uses, each with its argument, and the modules that are hidden from
them. Libraries of other projects are imported once, before the first process begins.
"""

from __future__ import annotations

import base64
import importlib.abc
import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import Any

# ruff: noqa: F401, PLC0415  forked processes share the libraries, and each imports what it uses of the project
import aws_lambda_powertools.utilities.batch
import boto3
import click
import jinja2
import pycurl
import pydantic
import rdflib
import uritools

# Another project installs a package of this name.
_TESTS = ModuleType("tests")
_TESTS.__path__ = [str(Path(__file__).parent)]
sys.modules["tests"] = _TESTS


class Hidden(importlib.abc.MetaPathFinder):
    """Hides modules, and all that is in a hidden package."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = names

    def find_spec(self, fullname: str, path: object, target: ModuleType | None = None) -> None:  # noqa: ARG002  the signature of the protocol
        """Refuse a hidden module; any other is found as usual."""
        if any(f"{fullname}.".startswith(f"{name}.") for name in self._names):
            raise ModuleNotFoundError(f"{fullname} is hidden")


def resolve(event: dict[str, Any]) -> None:
    """Ask the function that resolves for an identifier."""
    from infra.bench.workers.context import Context
    from resolve.handler import handle

    _expect(303, handle(event, Context())["statusCode"])


def describe(event: dict[str, Any]) -> None:
    """Ask the function that describes for a description."""
    from describe.handler import handle
    from infra.bench.workers.context import Context

    _expect(200, handle(event, Context())["statusCode"])


def ingest(file: dict[str, str]) -> None:
    """Upload a file with one row."""
    import ingest.handler
    from tests.steward import HOST, TYPES, Steward

    steward = Steward()
    steward.upload("_host/host.jsonl", HOST)
    steward.upload("uri-gin/azgs/types.jsonl", TYPES)
    report = steward.upload(f"uri-gin/azgs/{file['name']}", base64.b64decode(file["content"]))
    _expect({"registered": 1}, report.counts)


def publish(record: dict[str, str]) -> None:
    """Publish a registry of one record."""
    from ginuri.publishing.flow import publish
    from infra.published_folder import FolderPublished

    class Source:
        def stored(self) -> Iterator[tuple[str, str, str]]:
            yield record["identifier"], "2011-08-25T17:29:00.000Z", '{"record": "authority"}'

    with TemporaryDirectory() as folder:
        _expect(1, publish(Source(), (), FolderPublished(Path(folder)), "resources.usgin.org").records)


def command(arguments: dict[str, str]) -> None:
    """Run the command."""
    from ginuri.cli.main import main

    main(list(arguments.values()), standalone_mode=False)


USES: Mapping[str, Callable[[dict[str, Any]], None]] = {
    use.__name__: use for use in (resolve, describe, ingest, publish, command)
}


def _expect(expected: object, found: object) -> None:
    if found != expected:
        raise AssertionError(f"{found} in place of {expected}")


def _fault_of(use: str, argument: dict[str, Any]) -> str | None:
    try:
        USES[use](argument)
    except Exception as error:  # noqa: BLE001  any exception is reported
        return repr(error)
    return None


def _run(job: Mapping[str, Any]) -> None:
    sys.meta_path.insert(0, Hidden(job["hidden"]))
    output, sys.stdout = sys.stdout, sys.stderr
    faults = [_fault_of(*use) for use in job["uses"]]
    output.write(f"{json.dumps({'faults': faults, 'modules': sorted(sys.modules)})}\n")
    output.flush()


if __name__ == "__main__":
    for line in sys.stdin:
        process = os.fork()
        if not process:
            _run(json.loads(line))
            os._exit(0)
        os.waitpid(process, 0)
