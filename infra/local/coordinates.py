"""The address of the running stack, for other programs: a small JSON file that lives as long as the stack."""

import json
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from ginuri.cli.local_stacks import stack_file
from infra.local.stack import Stack
from infra.local.template import REGION


def coordinates_file(environment: Mapping[str, str], port: int) -> Path:
    """Return the file that GINURI_LOCAL_STACK names, else that of the port, beside the interpreter."""
    named = environment.get("GINURI_LOCAL_STACK")
    return Path(named) if named else stack_file(Path(sys.prefix), port)


@contextmanager
def published(stack: Stack, path: Path) -> Iterator[None]:
    """Write the address of `stack` to `path`, and remove the file afterwards."""
    where = {
        "service": stack.service,
        "endpoint": stack.endpoint,
        "region": REGION,
        "access_key": stack.account.credentials.access_key,
        "secret_key": stack.account.credentials.secret_key,
        "uploads_bucket": stack.uploads_bucket,
        "reports_bucket": stack.reports_bucket,
        "archive_bucket": stack.archive_bucket,
        "content_bucket": stack.content_bucket,
        "registry_table": stack.registry_table,
        "access_table": stack.access_table,
        "ingest_queue": stack.ingest_queue,
        "dead_letter_queue": stack.dead_letter_queue,
        "pid": os.getpid(),
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(where, indent=2) + "\n", encoding="utf-8")
    try:
        yield
    finally:
        if path.is_file() and json.loads(path.read_text(encoding="utf-8"))["pid"] == os.getpid():
            path.unlink()  # another stack may have taken the place meanwhile
