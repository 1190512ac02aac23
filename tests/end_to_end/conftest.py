"""Running stacks: the real one with the examples in it, the real one without, and one of toy handlers."""

import shutil
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest

from infra.local import ROOT
from infra.local.stack import Options, Stack, local_stack
from infra.local.uploads import upload_folder
from tests.end_to_end.rows import write_rows

TOYS = Path(__file__).parent / "toys"
# Seconds until a message that failed comes back; the template's hour and a half is too long for a test.
VISIBILITY = 1

SHARED = ("stack", "toys", "empty_stack")
"""The stacks that files share. What needs the first takes longest, and begins first."""

StartToys = Callable[..., AbstractContextManager[Stack]]


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Have all files that need a stack run beside that one, so that no other process starts it as well."""
    needed = defaultdict[Path, set[str]](set)
    for item in items:
        needed[item.path] |= {*getattr(item, "fixturenames", ())}
    groups = {
        path: next((name for name in SHARED if name in names), path.stem) for path, names in needed.items()
    }
    items.sort(key=lambda item: groups[item.path] != SHARED[0])
    for item in items:
        item.add_marker(pytest.mark.xdist_group(groups[item.path]))


@pytest.fixture(scope="session")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """The real handlers, with `examples/` uploaded."""
    logs = tmp_path_factory.mktemp("logs")
    with local_stack(Options(logs=logs, visibility=VISIBILITY)) as running:
        upload_folder(running, ROOT / "examples", ROOT / "examples", print)
        yield running


@pytest.fixture(scope="session")
def rows(stack: Stack, tmp_path_factory: pytest.TempPathFactory) -> Stack:
    """The stack with the examples, and with something for every row of docs/reference/answers.md."""
    folder = tmp_path_factory.mktemp("rows")
    write_rows(folder)
    told: list[str] = []
    upload_folder(stack, folder, ROOT / "examples", told.append)
    refused = [line for line in told if "refused" in line or line.startswith(" ")]
    assert refused == []
    time.sleep(1)  # the server's Date lags by up to a second, and nothing is to seem stored in the future
    return stack


@pytest.fixture(scope="module")
def asking(rows: Stack) -> Iterator[httpx.Client]:
    """A client of that stack, which says nothing of what it accepts."""
    with httpx.Client(base_url=rows.service, timeout=30) as client:
        del client.headers["Accept"]
        yield client


@pytest.fixture(scope="session")
def empty_stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """The real handlers, and nothing registered."""
    with local_stack(Options(logs=tmp_path_factory.mktemp("logs"), visibility=VISIBILITY)) as running:
        yield running


def run_toys(folder: Path, *changes: tuple[str, str], **options: Any) -> AbstractContextManager[Stack]:
    """Start the toys under the real template, with some of its words replaced."""
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
