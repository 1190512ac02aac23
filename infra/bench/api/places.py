"""The measured services: `ginuri serve` on a new registry folder, and the local stack with the examples."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from ginuri.access.creation import RIGHTS, WantedToken, make_token
from ginuri.cli.folder_stack import open_folder
from ginuri.server.publisher import QUIET_SECONDS
from ginuri.sqlite.access.database import AccessDatabase
from ginuri.sqlite.access.tokens import SqliteTokens
from infra.bench.api.requests import FOLDER
from infra.bench.api.sending import Service, Used
from infra.bench.one_machine.registry import make_registry
from infra.bench.one_machine.servers import OURS, cpu_of, serve, used_cpu, wait_until_idle
from infra.bench.one_machine.sizes import WORKERS
from infra.bench.peers.servers import Server, running
from infra.local import EXAMPLES
from infra.local.aws.calls import Call, needs
from infra.local.stack import Options, Stack, local_stack
from infra.local.steward import add_steward
from infra.local.uploads import upload_folder

_OWNER = "mailto:jane@example.org"
_GRANT = {"record": "grant", "identifier": FOLDER, "to": _OWNER, "may": ["read", "register"]}
_FUNCTIONS = ("ApiFunction", "IngestFunction")
_MOST_SECONDS = 60


@contextmanager
def one_machine(rest: Callable[[Server], object]) -> Iterator[Service]:
    """Run `ginuri serve` on a new folder as long as the block lasts."""
    with TemporaryDirectory() as folder:
        registry = Path(folder, "registry")
        make_registry(registry, 1)
        with open_folder(registry) as stack:
            stack.put("_host/grants.jsonl", json.dumps(_GRANT).encode(), {})
            stack.work(_MOST_SECONDS)
        with (
            running(partial(serve, registry, WORKERS), 1) as server,
            closing(AccessDatabase(registry)) as database,
        ):
            new_token = partial(_add_token, SqliteTokens(database))
            address = f"http://127.0.0.1:{server.port}"
            yield Service(
                address,
                new_token,
                lambda: {OURS: Used(used_cpu(server))},
                lambda: rest(server),
                is_apart=True,
            )


def wait_for_publication(server: Server) -> None:
    """Wait until the last uploads are published."""
    time.sleep(QUIET_SECONDS + 1)
    wait_until_idle(server)


def _add_token(tokens: SqliteTokens) -> str:
    wanted = WantedToken(_OWNER, (FOLDER,), frozenset(RIGHTS), name="bench")
    secret, token = make_token(wanted, "bench", datetime.now(UTC))
    tokens.add(token)
    return secret


@contextmanager
def on_local_stack() -> Iterator[Service]:
    """Run the local stack with the examples as long as the block lasts."""
    with TemporaryDirectory() as logs, local_stack(Options(logs=Path(logs))) as stack:
        upload_folder(stack, EXAMPLES, EXAMPLES, lambda _line: None)
        calls: dict[str, list[str]] = {name: [] for name in _FUNCTIONS}
        by_key = {stack.roles[name].credentials.access_key: calls[name] for name in _FUNCTIONS}
        stack.guard.watch(lambda call: by_key.get(call.access_key, []).append(operation(call)))

        def used() -> dict[str, Used]:
            return {name: Used(_spent(stack, name), Counter(calls[name])) for name in _FUNCTIONS}

        yield Service(stack.service, partial(add_steward, stack), used, lambda: None, is_apart=False)


def _spent(stack: Stack, name: str) -> float:
    return cpu_of(function.process_id for function in stack.environments[name])


def operation(call: Call) -> str:
    """Name a call by its operation; those of S3 by the permission that it needs."""
    if call.target:
        return call.target
    name = (needs(call) or [])[0].action.partition(":")[2]
    return name.replace("Get", "Head", 1) if call.method == "HEAD" else name
