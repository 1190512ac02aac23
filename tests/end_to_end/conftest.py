"""Running stacks: the real one with the examples, the real one without, and one of toy handlers."""

import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling

from infra.local import EXAMPLES, ROOT
from infra.local.stack import Options, Stack, local_stack
from infra.local.uploads import upload_folder
from tests.end_to_end.rows import write_rows

TOYS = Path(__file__).parent / "toys"
# Seconds until a failed message returns; the template's hour and a half is too long for a test.
VISIBILITY = 1

# Files that do not use the stack with the examples. One process runs all others, and starts that stack.
WITHOUT_EXAMPLES = {
    "test_behind_the_edge.py",
    "test_dead_letters.py",
    "test_documented_policies.py",
    "test_fresh_stack.py",
    "test_gateway.py",
    "test_history.py",
    "test_local_stack.py",
    "test_long_titles.py",
    "test_one_machine.py",
    "test_one_machine_commands.py",
    "test_pages.py",
    "test_permissions.py",
    "test_reports.py",
    "test_stewards.py",
    "test_storing.py",
    "test_uploading.py",
}

StartToys = Callable[..., AbstractContextManager[Stack]]


class OneStackScheduling(LoadScopeScheduling):  # type: ignore[misc]  # it has no types
    """Distributes tests by file, and those that need the examples to one process."""

    def _split_scope(self, nodeid: str) -> str:
        file = nodeid.partition("::")[0]
        return file if Path(file).name in WITHOUT_EXAMPLES else "examples"


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> OneStackScheduling:
    """Limit the processes that run the tests to one stack with the examples."""
    return OneStackScheduling(config, log)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put tests that need the examples first, because they take longest."""
    items.sort(key=lambda item: item.path.name in WITHOUT_EXAMPLES)
    wrong = {
        item.path.name
        for item in items
        if item.path.parent == Path(__file__).parent
        and item.path.name in WITHOUT_EXAMPLES
        and "stack" in getattr(item, "fixturenames", ())
    }
    if wrong:
        raise pytest.UsageError(f"these need the examples: {sorted(wrong)}")


@pytest.fixture(scope="session")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """The real handlers, with `examples/` uploaded."""
    logs = tmp_path_factory.mktemp("logs")
    with local_stack(Options(logs=logs, visibility=VISIBILITY)) as running:
        upload_folder(running, EXAMPLES, EXAMPLES, print)
        yield running


@pytest.fixture(scope="session")
def rows(stack: Stack, tmp_path_factory: pytest.TempPathFactory) -> Stack:
    """The stack with the examples, and with something for every row of docs/reference/answers.md."""
    folder = tmp_path_factory.mktemp("rows")
    write_rows(folder)
    told: list[str] = []
    upload_folder(stack, folder, EXAMPLES, told.append)
    refused = [line for line in told if "refused" in line or line.startswith(" ")]
    assert refused == []
    time.sleep(1)  # the server's Date lags by up to a second, and no file may seem to be stored in the future
    return stack


@pytest.fixture(scope="module")
def asking(rows: Stack) -> Iterator[httpx.Client]:
    """A client of that stack that sends no Accept."""
    with httpx.Client(base_url=rows.service, timeout=30) as client:
        del client.headers["Accept"]
        yield client


@pytest.fixture(scope="session")
def empty_stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """The real handlers, with an empty registry."""
    with local_stack(Options(logs=tmp_path_factory.mktemp("logs"), visibility=VISIBILITY)) as running:
        yield running


def run_toys(folder: Path, *changes: tuple[str, str], **options: Any) -> AbstractContextManager[Stack]:
    """Start the toys under the real template, with some of its texts replaced."""
    template = (ROOT / "template.yaml").read_text(encoding="utf-8")
    for old, new in changes:
        assert old in template
        template = template.replace(old, new)
    (folder / "template.yaml").write_text(template, encoding="utf-8")
    shutil.copytree(TOYS, folder / "functions")
    (folder / "layers/library").mkdir(parents=True)
    return local_stack(
        Options(template=folder / "template.yaml", logs=folder / "logs", visibility=0, **options)
    )


@pytest.fixture
def start_toys(tmp_path: Path) -> StartToys:
    return partial(run_toys, tmp_path)


@pytest.fixture(scope="session")
def toys(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """Toy handlers under the real template."""
    with run_toys(tmp_path_factory.mktemp("toys")) as running:
        yield running


@pytest.fixture
def http(toys: Stack) -> Iterator[httpx.Client]:
    """A client of the toys."""
    with httpx.Client(base_url=toys.service, timeout=40) as client:
        yield client
