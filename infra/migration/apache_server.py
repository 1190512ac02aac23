"""Apache httpd with the files of another resolver, on a free port of this machine."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

_MODULES = Path("/usr/lib/apache2/modules")
_LOADED = (
    "mpm_event", "authz_core", "authz_host", "access_compat", "rewrite", "alias", "mime", "dir", "headers",
    "env", "setenvif", "negotiation", "autoindex",
)  # fmt: skip
_CONFIGURATION = """\
ServerName {host}
Listen 127.0.0.1:{port}
DefaultRuntimeDir {run}
PidFile {run}/pid
ErrorLog {run}/error.log
User #65534
Group #65534
{modules}
TypesConfig /etc/mime.types
StartServers 1
ServerLimit 2
MaxRequestWorkers 50
MaxKeepAliveRequests 0
KeepAliveTimeout 600
"""
_FOLDER = """\
DocumentRoot {folder}
<Directory />
Require all denied
</Directory>
<Directory {folder}>
Require all granted
AllowOverride All
Options FollowSymLinks
</Directory>
"""
_SERVER = """\
DocumentRoot {run}
RewriteEngine On
{includes}
"""
_PATIENCE = 20.0


def has_apache() -> bool:
    """Return whether Debian's Apache httpd is installed."""
    return _MODULES.is_dir() and _program() is not None


@contextmanager
def apache_folder(folder: Path, host: str) -> Iterator[int]:
    """Serve a folder with .htaccess files; give the port."""
    with _running(host, _FOLDER.format(folder=folder)) as port:
        yield port


@contextmanager
def apache_server(files: Sequence[Path], host: str) -> Iterator[int]:
    """Serve the directives of files, in their order; give the port."""
    includes = "\n".join(f"Include {file.resolve()}" for file in files)
    with _running(host, _SERVER.replace("{includes}", includes)) as port:
        yield port


@contextmanager
def _running(host: str, directives: str) -> Iterator[int]:
    program = _program()
    if program is None:
        raise RuntimeError("Apache httpd is not installed.")
    with TemporaryDirectory(prefix="ginuri-apache-") as run:
        Path(run).chmod(0o755)
        port = _free_port()
        modules = "\n".join(f"LoadModule {name}_module {_MODULES}/mod_{name}.so" for name in _LOADED)
        text = _CONFIGURATION.format(host=host, port=port, run=run, modules=modules)
        configuration = Path(run, "httpd.conf")
        configuration.write_text(text + directives.replace("{run}", run), encoding="utf-8")
        with subprocess.Popen([program, "-f", str(configuration), "-DFOREGROUND"]) as process:  # noqa: S603  Debian's
            try:
                _wait(port, process)
                yield port
            finally:
                process.terminate()
                process.wait(_PATIENCE)


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
    return port


def _program() -> str | None:
    path = os.pathsep.join((os.environ.get("PATH", ""), "/usr/sbin"))
    return shutil.which("apache2", path=path)


def _wait(port: int, process: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + _PATIENCE
    while time.monotonic() < until and process.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.05)
        else:
            return
    raise RuntimeError("Apache httpd did not start.")
