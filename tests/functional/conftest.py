"""Runs the tests about answers, and some about uploads, once more on one machine."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.folder_steward import on_one_machine, settle_one_machine
from tests.front import Front
from tests.one_machine import MACHINES
from tests.resolving import Service

ONE_MACHINE = "one machine"
_ANSWERING = {Front, Service}
_UPLOADING = {
    f"test_ingest_{suite}"
    for suite in ("corrections", "delegations", "handovers", "mapped", "pairs", "sheets", "successors")
}
"""The suites that ask a settled steward for nothing but reports and values."""
_CASES = 2
"""The number of cases of a parametrized test on one machine: the others run the same lines again."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Ask the functions, and then one machine; with the mark `functions`, only the functions."""
    is_answering = any(
        each in _ANSWERING for each in vars(metafunc.module).values() if isinstance(each, type)
    )
    if is_answering and metafunc.definition.get_closest_marker("functions") is None:
        metafunc.parametrize("answering", ["functions", ONE_MACHINE], indirect=True)
    if metafunc.module.__name__.rpartition(".")[2] in _UPLOADING:
        metafunc.parametrize("uploading", ["memory", ONE_MACHINE], indirect=True)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Remove further cases of a test on one machine."""
    cases: Counter[str] = Counter()
    kept: list[pytest.Item] = []
    for item in items:
        name, _, parameters = item.nodeid.partition("[")
        is_on_one_machine = ONE_MACHINE in parameters
        cases[name] += is_on_one_machine
        if not is_on_one_machine or cases[name] <= _CASES:
            kept.append(item)
    items[:] = kept


@pytest.fixture(autouse=True)
def answering(request: pytest.FixtureRequest) -> Iterator[None]:
    """Answer the requests of a test by the functions, or on one machine."""
    if getattr(request, "param", "") == ONE_MACHINE:
        with MACHINES.asked():
            yield
    else:
        yield


@pytest.fixture(autouse=True)
def uploading(request: pytest.FixtureRequest) -> Iterator[None]:
    """Process the uploads of a test in memory, or in a registry folder."""
    if getattr(request, "param", "") == ONE_MACHINE:
        with on_one_machine(request.getfixturevalue("_settled_folder"), request.getfixturevalue("tmp_path")):
            yield
    else:
        yield


@pytest.fixture(scope="session")
def _settled_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return settle_one_machine(tmp_path_factory.mktemp("settled") / "registry")


@pytest.fixture(scope="session", autouse=True)
def _machines() -> Iterator[None]:
    yield
    MACHINES.close()
