"""The peers as processes: their configuration, their start, the CPU that they spend."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from tempfile import TemporaryDirectory

from infra.bench.dynamodb_local import NotHere, free_port
from infra.bench.peers.rules import Answer, Asked, rules

_ROOT = Path(__file__).parents[3]
_PYTHON = _ROOT / ".venv-peers" / "bin" / "python"
_HOST = "127.0.0.1"
_SECONDS = 60
"""The timeout of a start."""
_SYSTEM_PATH = os.pathsep.join((os.environ.get("PATH", ""), "/usr/sbin"))
_MODULES = (
    Path("/usr/lib/apache2/modules"),
    Path("/usr/lib64/httpd/modules"),
    Path("/usr/lib/httpd/modules"),
)
_APACHE = """\
ServerName bench
Listen {host}:{port}
DefaultRuntimeDir {folder}
PidFile {folder}/pid
DocumentRoot {folder}/www
User #65534
Group #65534
<IfModule !unixd_module>
LoadModule unixd_module {modules}/mod_unixd.so
</IfModule>
LoadModule mpm_event_module {modules}/mod_mpm_event.so
<IfModule !log_config_module>
LoadModule log_config_module {modules}/mod_log_config.so
</IfModule>
LoadModule authz_core_module {modules}/mod_authz_core.so
LoadModule rewrite_module {modules}/mod_rewrite.so
StartServers 1
ServerLimit 1
MaxRequestWorkers 25
MaxKeepAliveRequests 0
KeepAliveTimeout 600
AllowEncodedSlashes NoDecode
ErrorLog {folder}/error.log
LogFormat "%h %l %u %t \\"%r\\" %>s %O \\"%{{Referer}}i\\" \\"%{{User-Agent}}i\\"" combined
CustomLog {folder}/access.log combined
<Directory {folder}/www>
AllowOverride FileInfo
Options FollowSymLinks
</Directory>
RewriteEngine On
{rewriting}
"""
_BY_MAP = """\
RewriteMap names {kind}:{path}
RewriteCond %{{HTTP_ACCEPT}} application/pdf
RewriteCond ${{names:%{{REQUEST_URI}}}} ^(.+)$
RewriteRule ^ %1.pdf [R=303,L]
RewriteCond ${{names:%{{REQUEST_URI}}}} ^(.+)$
RewriteRule ^ %1.html [R=303,L]
"""
_BY_RULE = """\
RewriteCond %{{HTTP_ACCEPT}} application/pdf
RewriteRule ^{name}$ {location}.pdf [R=303,L]
RewriteRule ^{name}$ {location}.html [R=303,L]
"""


@dataclass(frozen=True, slots=True)
class Server:
    """A running peer."""

    process: int
    connection: HTTPConnection

    def answer(self, asked: Asked) -> Answer:
        """Send a request on the kept connection, and return the answer."""
        headers = {"Accept": asked.accept, "Accept-Language": "en-GB,en;q=0.7", "User-Agent": "bench"}
        self.connection.request(asked.method, f"/{asked.name}", headers=headers)
        response = self.connection.getresponse()
        response.read()
        return Answer(response.status, response.getheader("Location", ""))

    @property
    def port(self) -> int:
        """The port that it listens on."""
        return self.connection.port

    def cpu(self) -> float:
        """Return the microseconds of CPU of its processes, threads included."""
        return sum(_nanoseconds(process) for process in family(self.process)) / 1000


Command = Sequence[str | Path]
Start = Callable[[Path, int, int], tuple[Command, dict[str, str]]]
"""Writes the files of a peer into a folder, for a port and a number of rules: its command and environment."""


def _map_of_text(folder: Path, port: int, size: int) -> tuple[Command, dict[str, str]]:
    return _apache(folder, port, _BY_MAP.format(kind="txt", path=_write_map(folder, size)))


def _map_of_dbm(folder: Path, port: int, size: int) -> tuple[Command, dict[str, str]]:
    dbm = folder / "names.dbm"
    command: Command = [find_program("httxt2dbm"), "-f", "SDBM", "-i", _write_map(folder, size), "-o", dbm]
    subprocess.run(command, check=True, capture_output=True)  # noqa: S603  Apache's own
    return _apache(folder, port, _BY_MAP.format(kind="dbm=sdbm", path=dbm))


def _htaccess(folder: Path, port: int, size: int) -> tuple[Command, dict[str, str]]:
    command = _apache(folder, port, "")
    with (folder / "www" / ".htaccess").open("w", encoding="ascii") as written:
        written.write("RewriteEngine On\n")
        for name, location in rules(size):
            written.write(_BY_RULE.format(name=name, location=location))
    return command


def _fastapi(folder: Path, port: int, size: int) -> tuple[Command, dict[str, str]]:
    return run_fastapi("fastapi_resolver", folder, port, size)


def run_fastapi(module: str, folder: Path, port: int, size: int) -> tuple[Command, dict[str, str]]:
    """Write the rules into an SQLite file for a module of this folder. Raises NotHere without FastAPI."""
    if not _PYTHON.exists():
        raise NotHere("there is no .venv-peers here: make bench-peers installs it")
    database = folder / "rules.sqlite"
    with sqlite3.connect(database) as connection:
        connection.execute("CREATE TABLE rules (name VARCHAR PRIMARY KEY, location VARCHAR NOT NULL)")
        connection.executemany("INSERT INTO rules VALUES (?, ?)", rules(size))
    connection.close()
    options = (
        "--app-dir",
        Path(__file__).parent,
        "--port",
        str(port),
        "--timeout-keep-alive",
        "600",
        f"{module}:app",
    )
    return [_PYTHON, "-m", "uvicorn", *options], {"DATABASE": str(database)}


PEERS: dict[str, Start] = {
    "Apache, RewriteMap txt": _map_of_text,
    "Apache, RewriteMap dbm": _map_of_dbm,
    "Apache, .htaccess": _htaccess,
    "FastAPI, SQLAlchemy": _fastapi,
}


@contextmanager
def running(start: Start, size: int) -> Iterator[Server]:
    """Run a peer with so many rules as long as the block lasts. Raises NotHere if the machine lacks it."""
    with ExitStack() as stack:
        port, folder = free_port(), Path(stack.enter_context(TemporaryDirectory()))
        # Apache drops the rights of an administrator, and must still read its files.
        folder.chmod(0o755)
        command, environment = start(folder, port, size)
        log = stack.enter_context((folder / "output.log").open("w"))
        process = stack.enter_context(
            subprocess.Popen(command, env={"PATH": _SYSTEM_PATH, **environment}, stdout=log, stderr=log)  # noqa: S603  our own command
        )
        stack.callback(process.terminate)
        connection = HTTPConnection(_HOST, port, timeout=_SECONDS)
        _wait_for(connection, process, folder)
        stack.callback(connection.close)
        yield Server(process.pid, connection)


def _wait_for(connection: HTTPConnection, process: subprocess.Popen[bytes], folder: Path) -> None:
    deadline = time.monotonic() + _SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        try:
            connection.connect()
        except ConnectionRefusedError:
            time.sleep(0.05)
        else:
            return
    raise RuntimeError(f"{process.args!r} did not start: {(folder / 'output.log').read_text()}")


def _write_map(folder: Path, size: int) -> Path:
    path = folder / "names.txt"
    with path.open("w", encoding="ascii") as written:
        written.writelines(f"/{name} {location}\n" for name, location in rules(size))
    return path


def _apache(folder: Path, port: int, rewriting: str) -> tuple[Command, dict[str, str]]:
    modules = next((path for path in _MODULES if (path / "mod_rewrite.so").exists()), None)
    if modules is None:
        raise NotHere("there is no mod_rewrite here")
    server = find_program("apache2", "httpd")
    (folder / "www").mkdir()
    configuration = folder / "apache.conf"
    values = {"host": _HOST, "port": port, "folder": folder, "modules": modules, "rewriting": rewriting}
    configuration.write_text(_APACHE.format(**values), encoding="ascii")
    return [server, "-f", configuration, "-D", "FOREGROUND"], {}


def find_program(*names: str) -> str:
    """Return the path of the first of these programs. Raises NotHere."""
    found = next(filter(None, (shutil.which(name, path=_SYSTEM_PATH) for name in names)), None)
    if found is None:
        raise NotHere(f"there is no {' or '.join(names)} here")
    return found


def family(process: int) -> list[int]:
    """Return the ids of a process and its descendants."""
    children: dict[int, list[int]] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            # proc(5): the state and the parent follow the name, which may have any character.
            parent = int(path.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()[1])
        except (FileNotFoundError, ProcessLookupError):  # the process ended meanwhile
            continue
        children.setdefault(parent, []).append(int(path.parent.name))
    family = [process]
    for member in family:
        family.extend(children.get(member, ()))
    return family


def _nanoseconds(process: int) -> int:
    tasks = Path(f"/proc/{process}/task").glob("*/schedstat")
    return sum(int(task.read_text(encoding="ascii").split()[0]) for task in tasks)
