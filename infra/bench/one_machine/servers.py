"""The servers as processes: `ginuri serve`, FastAPI, nginx, Apache, and others that a command starts."""

from __future__ import annotations

import os
import shlex
import sys
import time
from collections.abc import Collection, Iterable, Mapping
from functools import partial
from pathlib import Path

from infra.bench.peers.rules import rules
from infra.bench.peers.servers import (
    PEERS,
    Command,
    Server,
    Start,
    family,
    find_program,
    run_fastapi,
)

OURS = "ginuri serve"
_IDLE = 0.05
"""The most seconds of CPU in a second of an idle server."""
_MOST_SECONDS = 3_600
_NGINX = """\
daemon off;
worker_processes 1;
pid {folder}/pid;
error_log {folder}/error.log;
events {{}}
http {{
  access_log {folder}/access.log combined;
  client_body_temp_path {folder}/body;
  proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi;
  scgi_temp_path {folder}/scgi;
  keepalive_timeout 600;
  keepalive_requests 1000000000;
  map_hash_max_size 4000000;
  map_hash_bucket_size 128;
  map $request_uri $location {{ include {folder}/names.map; }}
  map $http_accept $ending {{ default html; ~application/pdf pdf; }}
  server {{
    listen 127.0.0.1:{port};
    if ($location = "") {{ return 404; }}
    return 303 $location.$ending;
  }}
}}
"""


def serve(
    registry: Path, workers: int, _folder: Path, port: int, _size: int
) -> tuple[Command, dict[str, str]]:
    """Start `ginuri serve` on a registry folder."""
    ginuri = Path(sys.executable).with_name("ginuri")
    return [ginuri, "serve", registry, "--port", str(port), "--workers", str(workers)], {}


def _nginx(folder: Path, port: int, size: int) -> tuple[Command, dict[str, str]]:
    nginx = find_program("nginx")
    with (folder / "names.map").open("w", encoding="ascii") as written:
        written.writelines(f"/{name} {location};\n" for name, location in rules(size))
    configuration = folder / "nginx.conf"
    configuration.write_text(_NGINX.format(folder=folder, port=port), encoding="ascii")
    return [nginx, "-c", configuration, "-e", folder / "error.log"], {}


OTHERS: Mapping[str, Start] = {
    "FastAPI, sqlite3": partial(run_fastapi, "fastapi_direct"),
    "FastAPI, SQLAlchemy": PEERS["FastAPI, SQLAlchemy"],
    "nginx, map": _nginx,
    "Apache, RewriteMap dbm": PEERS["Apache, RewriteMap dbm"],
}


def run_command(command: str, folder: Path, port: int, size: int) -> tuple[Command, dict[str, str]]:
    """Start another server by its command, which gets `PORT`, `SIZE` and `FOLDER` in its environment."""
    return shlex.split(command), {"PORT": str(port), "SIZE": str(size), "FOLDER": str(folder)}


def pin(process: int, cores: Collection[int]) -> None:
    """Let all threads of a process run on these cores only; later threads and processes inherit it."""
    for task in Path(f"/proc/{process}/task").iterdir():
        os.sched_setaffinity(int(task.name), cores)


def used_cpu(server: Server) -> float:
    """Return the seconds of CPU of a server's processes."""
    return cpu_of(family(server.process))


def cpu_of(processes: Iterable[int]) -> float:
    """Return the seconds of CPU of processes, with those of their threads and children that have ended.

    Linux counts them in hundredths.
    """
    stats = (Path(f"/proc/{process}/stat").read_text("utf-8", "replace") for process in processes)
    # proc(5): utime, stime, cutime and cstime are fields 14 to 17; the name, field 2, may have any character.
    fields = (stat.rpartition(")")[2].split() for stat in stats)
    return sum(int(ticks) for each in fields for ticks in each[11:15]) / os.sysconf("SC_CLK_TCK")


def wait_until_idle(server: Server) -> None:
    """Wait until a server does nothing but wait: after its start, a publication may run for minutes.

    Raises TimeoutError after an hour.
    """
    until = time.monotonic() + _MOST_SECONDS
    before = used_cpu(server)
    while time.monotonic() < until:
        time.sleep(1)
        now = used_cpu(server)
        if now - before <= _IDLE:
            return
        before = now
    raise TimeoutError(f"process {server.process} is still busy after {_MOST_SECONDS} s")


def memory_of(server: Server) -> list[float]:
    """Return the MiB of each process of a server; a page that several share is divided among them."""
    rollups = (Path(f"/proc/{process}/smaps_rollup").read_text("ascii") for process in family(server.process))
    lines = (line.split() for rollup in rollups for line in rollup.splitlines())
    return [int(words[1]) / 1024 for words in lines if words[0] == "Pss:"]
