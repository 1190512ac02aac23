"""What all tests share: data beside the repository, limits for hypothesis, and when none may be skipped."""

from __future__ import annotations

import gc
import os
from collections import Counter
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from infra.bench.dynamodb_local import NotHere, running_dynamodb_local
from tests.foreign import make_light, untraced
from tests.untraced import UNTRACED

# By default the same few examples each time, so that none fails by chance; `make test-deep` draws many anew.
settings.register_profile("ginuri", deadline=None, max_examples=25, derandomize=True, database=None)
settings.register_profile("deep", deadline=None, max_examples=500)
settings.load_profile(os.environ.get("GINURI_EXAMPLES", "ginuri"))

make_light()
# What is imported stays: by default, looking through it for garbage is a sixth of the tests' time.
gc.set_threshold(100_000, 50, 50)

os.environ["LANGUAGE"] = "en"
"""Sentences are compared in English, whatever the language of whoever runs the tests."""

_TRACED_CASES = 5
"""How many cases of a parametrized functional test are traced: the others run the same lines again."""

_DATA = Path(__file__).parents[2] / "shared" / "data"
_NO_DATA = "../shared/data is not here"


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Give the folder of real registries and recorded negotiations; skip where it is not beside us."""
    if not _DATA.is_dir():
        pytest.skip(_NO_DATA)
    return _DATA


@pytest.fixture(scope="session")
def dynamodb_local() -> Iterator[str]:
    """Give the address of DynamoDB Local; skip, and say why, where it cannot be."""
    try:
        with running_dynamodb_local() as running:
            yield running.endpoint
    except NotHere as why:
        pytest.skip(str(why))


@pytest.fixture(params=["moto", "dynamodb-local"])
def tables_at(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str | None:
    """Say where tables are, handlers included: in moto, which has no address, then in DynamoDB Local.

    moto within this process does not see libcurl: there, the handlers call through botocore.
    """
    if request.param == "moto":
        monkeypatch.setenv("GINURI_DYNAMODB_CLIENT", "botocore")
        return None
    endpoint: str = request.getfixturevalue("dynamodb_local")
    monkeypatch.setenv("AWS_ENDPOINT_URL_DYNAMODB", endpoint)
    return endpoint


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark as untraced what adds nothing to the coverage but its cost."""
    cases: Counter[str] = Counter()
    for item in items:
        name = item.nodeid.partition("[")[0].removeprefix("tests/")
        cases[name] += 1
        is_further_case = name.startswith(("command/", "functional/")) and cases[name] > _TRACED_CASES
        if is_further_case or name.startswith(UNTRACED):
            item.add_marker(pytest.mark.untraced)


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """Keep what is there when all tests are gathered out of every later search for garbage."""
    gc.freeze()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Leave what is marked as untraced out of coverage, what it is set up with included.

    The mark `no_cover` leaves out the call alone.
    """
    if item.get_closest_marker("untraced") is None:
        return (yield)
    with untraced():
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Let a skipped test fail where GINURI_NO_SKIPS is set: what it needs was to be installed there."""
    report = yield
    is_skipped = report.skipped and not hasattr(report, "wasxfail") and _NO_DATA not in str(report.longrepr)
    if is_skipped and os.environ.get("GINURI_NO_SKIPS"):
        report.outcome = "failed"
    return report


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """Let it pass that no test of this run has the words that were asked for: those of another may."""
    if exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED and session.config.option.keyword:
        session.exitstatus = pytest.ExitCode.OK
