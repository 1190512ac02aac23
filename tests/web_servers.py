"""Web servers of the machine, run with a configuration of the test as long as a block lasts."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from ginuri.server.sockets import listen

_PATH = os.pathsep.join((os.environ.get("PATH", ""), "/usr/sbin"))
_PATIENCE = 10.0
_MODULES = Path("/usr/lib/apache2/modules")
_LOADED = ("mpm_event", "authz_core", "rewrite", "alias", "setenvif", "headers", "mime", "dir")
_APACHE = """\
ServerName localhost
Listen 127.0.0.1:{port}
DefaultRuntimeDir {folder}
PidFile {folder}/pid
DocumentRoot {root}
User #65534
Group #65534
{modules}
StartServers 1
ServerLimit 1
MaxRequestWorkers 25
ErrorLog {folder}/error.log
TypesConfig /dev/null
<Directory {root}>
Require all granted
</Directory>
{configuration}
"""


@contextmanager
def serve_apache(folder: Path, configuration: str) -> Iterator[str]:
    """Run Apache httpd with these directives, and return its address; skip the test without Apache."""
    program = shutil.which("apache2", path=_PATH)
    if program is None or not _MODULES.exists():
        pytest.skip("apache2 is not installed")
    port = free_port()
    folder.mkdir(exist_ok=True)
    modules = "\n".join(f"LoadModule {name}_module {_MODULES}/mod_{name}.so" for name in _LOADED)
    with TemporaryDirectory() as root:
        Path(root).chmod(0o755)  # Apache drops the rights of an administrator, and must still read it
        values = {"port": port, "folder": folder, "root": root, "modules": modules}
        (folder / "apache.conf").write_text(
            _APACHE.format(configuration=configuration, **values), encoding="utf-8"
        )
        with _running([program, "-f", str(folder / "apache.conf"), "-D", "FOREGROUND"], folder, port):
            yield f"http://127.0.0.1:{port}"


@contextmanager
def serve_nginx(folder: Path, log_format: str) -> Iterator[str]:
    """Run nginx, which answers 404 and writes `access.log`, and return its address; skip without it."""
    _require("nginx")
    port = free_port()
    paths = "".join(
        f"{each}_temp_path {folder}/{each};" for each in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    (folder / "nginx.conf").write_text(
        f"daemon off; pid {folder}/pid; events {{}} http {{ {paths} log_format stated {log_format};\n"
        f"access_log {folder}/access.log stated; server {{ listen 127.0.0.1:{port}; return 404; }} }}",
        encoding="utf-8",
    )
    with _running(["nginx", "-e", "stderr", "-c", str(folder / "nginx.conf")], folder, port):
        yield f"http://127.0.0.1:{port}"


@contextmanager
def serve_caddy(folder: Path) -> Iterator[str]:
    """Run Caddy, which answers 404 and writes `access.log`, and return its address; skip without it."""
    _require("caddy")
    port = free_port()
    (folder / "Caddyfile").write_text(
        f"{{\n\tadmin off\n}}\nhttp://:{port} {{\n\tlog {{\n\t\toutput file {folder}/access.log\n\t}}\n"
        "\trespond 404\n}\n"
    )
    with _running(["caddy", "run", "--config", str(folder / "Caddyfile")], folder, port):
        yield f"http://127.0.0.1:{port}"


def free_port() -> int:
    """Return a port that nobody listens on."""
    with listen(0) as listening:
        port: int = listening.getsockname()[1]
        return port


def _require(program: str) -> None:
    if shutil.which(program, path=_PATH) is None:
        pytest.skip(f"{program} is not installed")


@contextmanager
def _running(arguments: Sequence[str], folder: Path, port: int) -> Iterator[None]:
    variables = os.environ | dict.fromkeys(("XDG_CONFIG_HOME", "XDG_DATA_HOME"), str(folder))
    with (
        (folder / "output.log").open("w") as output,
        subprocess.Popen(arguments, stdout=output, stderr=output, env=variables | {"PATH": _PATH}) as process,  # noqa: S603  our own arguments
    ):
        try:
            _wait_for(port, process)
            yield
        finally:
            process.terminate()
            process.wait(_PATIENCE)


def _wait_for(port: int, process: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + _PATIENCE
    while time.monotonic() < end and process.poll() is None:
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), _PATIENCE):
            return
        time.sleep(0.02)
    raise RuntimeError(f"{process.args!r} did not start")
