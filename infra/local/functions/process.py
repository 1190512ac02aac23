"""A function as Lambda runs it: its handler in a process of its own, under Lambda's own runtime client."""

import asyncio
import contextlib
import os
import signal
import sys
from asyncio.subprocess import PIPE, STDOUT, Process
from collections.abc import Callable
from pathlib import Path

from ginuri.server.sockets import address, listen
from infra.local.aws.clients import Credentials
from infra.local.functions.plan import FunctionPlan, environment
from infra.local.functions.runtime_api import Call, Failure, Outcome, RuntimeApi
from infra.local.servers.http_server import HttpServer

_LONGEST_LINE = 1 << 24
_LONGEST_START = 60  # seconds; Lambda allows ten, on a dedicated machine

Log = Callable[[str], None]


class Function:
    """One execution environment of a function: its calls wait for one another."""

    def __init__(self, plan: FunctionPlan, endpoint: str, credentials: Credentials, log: Log) -> None:
        self.plan = plan
        self._endpoint = endpoint
        self._credentials = credentials
        self._log = log
        self._listening = listen(0)
        self._turn = asyncio.Lock()
        self._api = RuntimeApi(plan.arn)
        self._server = HttpServer(self._api, self._listening)
        self._process: Process | None = None
        self._watching: asyncio.Task[None] | None = None
        self._stopped = False

    @property
    def process_id(self) -> int:
        """The id of the process. Raises RuntimeError if none was started."""
        if self._process is None:
            raise RuntimeError(f"{self.plan.logical_id} was not started")
        return self._process.pid

    async def start(self) -> Failure | None:
        """Start the process and return once it asks for work, or raise the reason why it does not."""
        await self._server.start()
        return await self._ready()

    async def stop(self) -> None:
        """End the process and its children; calls fail from now on."""
        self._stopped = True
        self.kill()
        if self._watching:
            await self._watching
        await self._server.stop()

    def kill(self) -> None:
        """End the process and its children, at once, like a crash; the next call starts a new one."""
        if self._process and self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError):  # the process has ended meanwhile
                os.killpg(self._process.pid, signal.SIGKILL)
            self._api.process_ended("signal 9")

    async def invoke(self, event: bytes) -> Outcome:
        """Have the handler answer `event`, after earlier callers."""
        async with self._turn:
            if broken := await self._ready():
                return broken
            call = Call(event, self.plan.timeout)
            self._api.hand_out(call)
            try:
                # Not wait_for: before Python 3.12 it may lose a cancellation.
                async with asyncio.timeout(self.plan.timeout):
                    outcome: Outcome = await call.outcome
            except TimeoutError:
                self.kill()
                outcome = Failure(f"Task timed out after {self.plan.timeout:.2f} seconds")
            if isinstance(outcome, Failure):
                self._log(f"{call.request_id} failed: {outcome.message}")
            return outcome

    async def _ready(self) -> Failure | None:
        """Wait for a process that asks for work; start one if none runs, or if it ends meanwhile."""
        if self._watching and not self._watching.done() and await self._asks(self._watching):
            return None
        if self._stopped:
            return Failure("the stack is being taken down")
        watching = await self._spawn()
        if await self._asks(watching):
            return None
        reason = self._api.take_init_error() or "the process ended before it asked for work"
        return Failure(f"{self.plan.logical_id} did not start: {reason}")

    async def _asks(self, watching: asyncio.Task[None]) -> bool:
        """Wait until the process asks for work, ends, or exceeds the timeout."""
        asks = asyncio.create_task(self._api.idle.wait())
        await asyncio.wait({asks, watching}, return_when=asyncio.FIRST_COMPLETED, timeout=_LONGEST_START)
        if asks.done() and not watching.done():
            return True
        asks.cancel()
        self.kill()
        return False

    async def _spawn(self) -> asyncio.Task[None]:
        # The last request of an earlier process is not one of the new process.
        self._api.process_ended("another took its place")
        self._process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "awslambdaric",
            self.plan.handler,
            cwd=_existing(self.plan.folder),
            env=environment(self.plan, self._endpoint, self._credentials, address(self._listening)),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=PIPE,
            stderr=STDOUT,
            limit=_LONGEST_LINE,
            start_new_session=True,  # the stack handles Ctrl-C and ends the process
        )
        self._watching = asyncio.create_task(self._watch(self._process))
        return self._watching

    async def _watch(self, process: Process) -> None:
        """Log the output of the process until it ends, and that it ended."""
        if process.stdout is None:
            raise RuntimeError("the process was started with a pipe")
        async for line in process.stdout:
            self._log(line.decode("utf-8", "replace").rstrip("\n").replace("\r", "\n"))
        status = await process.wait()
        self._api.process_ended(f"signal {-status}" if status < 0 else f"exit status {status}")


def _existing(folder: Path) -> Path:
    if not folder.is_dir():
        raise FileNotFoundError(f"the template names {folder} as code, and there is no such folder")
    return folder
