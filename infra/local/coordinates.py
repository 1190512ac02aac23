"""The address of the running stack, for other programs: a small JSON file that lives as long as the stack."""

import json
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from infra.local.stack import Stack
from infra.local.template import REGION


def coordinates_file(environment: Mapping[str, str]) -> Path:
    """Return the file: the one that GINURI_LOCAL_STACK names, else one beside the interpreter's own."""
    named = environment.get("GINURI_LOCAL_STACK")
    return Path(named) if named else Path(sys.prefix) / "ginuri-local-stack.json"


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
        "ingest_queue": stack.ingest_queue,
        "dead_letter_queue": stack.dead_letter_queue,
        "pid": os.getpid(),
    }
    path.write_text(json.dumps(where, indent=2) + "\n", encoding="utf-8")
    try:
        yield
    finally:
        if path.is_file() and json.loads(path.read_text(encoding="utf-8"))["pid"] == os.getpid():
            path.unlink()  # another stack may have taken the place meanwhile
