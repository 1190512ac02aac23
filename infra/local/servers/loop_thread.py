"""An event loop in a thread of its own, for servers beside the work of the main thread."""

import asyncio
from collections.abc import Callable, Coroutine
from threading import Thread
from typing import Any, TypeVar

T = TypeVar("T")


class LoopThread:
    """An event loop that runs from its creation until it is stopped."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._loop.run_forever, name="stack", daemon=True)
        self._thread.start()

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Run `work` in the loop and return its result, or raise its exception."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    def spawn(self, work: Coroutine[Any, Any, None]) -> Callable[[], None]:
        """Run `work` in the loop; return the function that ends it. The loop reports its errors."""
        task = self.run(_begin(work))

        async def end() -> None:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

        return lambda: self.run(end())

    def soon(self, callback: Callable[[], object]) -> None:
        """Have the loop call back, without waiting for it."""
        self._loop.call_soon_threadsafe(callback)

    def stop(self) -> None:
        """Cancel all tasks and end the loop."""
        self.run(_cancel_all())
        self.run(self._loop.shutdown_default_executor())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


async def _begin(work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
    task = asyncio.create_task(work)
    task.add_done_callback(_raise_error)
    return task


async def _cancel_all() -> None:
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)


def _raise_error(task: asyncio.Task[None]) -> None:
    """Raise the error of a task, which asyncio then logs as that of a callback."""
    if not task.cancelled():
        task.result()
