"""`ginuri serve`: answers, ingest, publication and the pages of reports, over one registry folder."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from socket import socket

from ginuri.identifiers.messages import Message, message
from ginuri.identifiers.service_paths import REPORTS
from ginuri.server.children import Children
from ginuri.server.requests import NamedProxies, read_network
from ginuri.server.sockets import LOOPBACK, PortInUse, address, listen, listen_near
from ginuri.server.worker import answer_requests
from ginuri.sqlite.database import FILE, Database
from ginuri.sqlite.maintenance.last_stop import check_quickly, note_start, note_stop
from ginuri.sqlite.settings import ADDRESS, CANONICAL_HOST, PROXIES, REPORTS_ADDRESS, Settings

MOST_WORKERS = 4
"""The default number of answering processes is that of the cores, up to this."""
_CHECK_SECONDS = 5.0
"""The longest time for a check after a stop that was not clean."""
_HTTP_PORT = 80
_LOCK = "serve.lock"
_ALIEN = "lost+found"
"""The folder that a new file system has."""


class NotServed(Exception):
    """A folder cannot be served; `words` is the reason with the way out."""

    def __init__(self, words: Message) -> None:
        super().__init__(str(words))
        self.words = words


@dataclass(frozen=True, slots=True)
class Options:
    """How a registry folder is served; None keeps the setting of the folder."""

    host: str = LOOPBACK
    """The address to listen on."""
    port: int = 8000
    workers: int = 0
    """The number of answering processes; 0 is that of the cores, at most `MOST_WORKERS`."""
    canonical_host: str | None = None
    proxies: Sequence[str] | None = None
    reports_port: int | None = None
    """The port of the pages of reports; without one, the next one that is free."""
    has_examples: bool = False
    is_logging: bool = True


@dataclass(frozen=True, slots=True)
class Served:
    """The addresses of a running server."""

    service: str
    reports: str
    canonical_host: str


def serve(folder: Path, options: Options, note_ready: Callable[[Served], None]) -> None:
    """Serve a registry folder until SIGINT or SIGTERM; it is created if it does not exist.

    Raises NotServed, and RegistryUnavailable.
    """
    if not hasattr(os, "fork"):
        raise NotServed(message("`ginuri serve` needs Linux or macOS. On Windows, run it in WSL."))
    with ExitStack() as down:
        down.enter_context(hold_folder(folder))
        front = down.enter_context(_open(partial(listen, options.port, options.host)))
        beside = partial(listen_near, front.getsockname()[1] + 1)
        if options.reports_port is not None:
            beside = partial(listen, options.reports_port)
        reports = down.enter_context(_open(beside))
        served, proxies = _prepare(folder, options, front, reports)
        down.callback(_note_stop, folder)
        answering = partial(
            answer_requests,
            folder,
            front,
            served.canonical_host,
            proxies,
            is_logging=options.is_logging,
        )
        workers = options.workers or min(os.cpu_count() or 1, MOST_WORKERS)
        tasks = {f"answers {number + 1}": answering for number in range(workers)}
        tasks["ingest"] = partial(_ingest, folder, served.reports)
        tasks["reports"] = partial(_answer_reports, folder, reports, served.service)
        Children(tasks).run(lambda: note_ready(served))


def _ingest(folder: Path, reports_address: str) -> None:
    from ginuri.server.ingest_process import ingest

    ingest(folder, reports_address)


def _answer_reports(folder: Path, listening: socket, service: str) -> None:
    from ginuri.server.report_process import answer_reports

    answer_reports(folder, listening, service)


def _prepare(folder: Path, options: Options, front: socket, reports: socket) -> tuple[Served, NamedProxies]:
    """Check and set up the database; no child may inherit its connection."""
    with closing(Database(folder)) as database:
        if not note_start(database) and (faults := check_quickly(database, _CHECK_SECONDS)):
            raise NotServed(
                message(
                    "{folder} is damaged: {fault}. Run {command}, and restore a backup.",
                    folder=str(folder),
                    fault=faults[0],
                    command=f"`ginuri check {folder}`",
                )
            )
        settings = Settings(database)
        port = front.getsockname()[1]
        stated = options.canonical_host or settings.get(CANONICAL_HOST)
        served = Served(
            f"http://{address(front)}",
            f"http://{address(reports)}/{REPORTS}/",
            stated or ("localhost" if port == _HTTP_PORT else f"localhost:{port}"),
        )
        settings.set(CANONICAL_HOST, served.canonical_host)
        settings.set(ADDRESS, served.service)
        settings.set(REPORTS_ADDRESS, served.reports)
        if options.proxies is not None:
            settings.set(PROXIES, " ".join(options.proxies))
        if options.has_examples:
            from ginuri.server.examples import queue_examples

            queue_examples(database)
        return served, NamedProxies([read_network(text) for text in (settings.get(PROXIES) or "").split()])


def _note_stop(folder: Path) -> None:
    with closing(Database(folder)) as database:
        note_stop(database)


@contextmanager
def hold_folder(folder: Path) -> Iterator[None]:
    """Lock a registry folder for one server; its processes hold the lock too, until the last has ended."""
    try:
        names = {path.name for path in folder.iterdir() if not path.name.startswith(".")} - {_ALIEN, _LOCK}
    except FileNotFoundError:
        names = set()
    except NotADirectoryError:
        raise NotServed(message("{folder} is a file. Name a folder.", folder=str(folder))) from None
    if names and FILE not in names:
        raise NotServed(
            message(
                "{folder} is no registry: it has {name}, but no {file}. Name a registry, or a new or empty "
                "folder.",
                folder=str(folder),
                name=min(names),
                file=FILE,
            )
        )
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / _LOCK).open("a") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise NotServed(
                message(
                    "{folder} is served already, by another `ginuri serve`. Stop that one first.",
                    folder=str(folder),
                )
            ) from None
        yield


@contextmanager
def _open(listening_socket: Callable[[], socket]) -> Iterator[socket]:
    try:
        listening = listening_socket()
    except PortInUse as error:
        raise NotServed(
            message("{reason}. Choose another port with --port or --reports-port.", reason=str(error))
        ) from error
    with listening:
        yield listening
