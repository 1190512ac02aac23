"""Shared by all tests: data beside the repository, limits for hypothesis, and rules about skipping."""

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
from tests.untraced import UNTRACED, WHOLLY_TRACED

# By default the same few examples each time, so that none fails by chance; `make test-deep` draws many new
# ones.
settings.register_profile("ginuri", deadline=None, max_examples=15, derandomize=True, database=None)
settings.register_profile("deep", deadline=None, max_examples=500)
settings.load_profile(os.environ.get("GINURI_EXAMPLES", "ginuri"))

make_light()
# Imported modules stay: searching them for garbage would be a sixth of the tests' time.
gc.set_threshold(100_000, 50, 50)

os.environ["LANGUAGE"] = "en"
"""Sentences are compared in English, whatever the language of the user."""

_TRACED_CASES = 5
"""The number of traced cases of a parametrized functional test: the others run the same lines again."""

_DATA = Path(__file__).parents[2] / "shared" / "data"
_NO_DATA = "../shared/data is not here"


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Return the folder of real registries and recorded negotiations; skip without it."""
    if not _DATA.is_dir():
        pytest.skip(_NO_DATA)
    return _DATA


@pytest.fixture(scope="session")
def dynamodb_local() -> Iterator[str]:
    """Return the address of DynamoDB Local; skip with the reason if it cannot run."""
    try:
        with running_dynamodb_local() as running:
            yield running.endpoint
    except NotHere as why:
        pytest.skip(str(why))


@pytest.fixture(params=["moto", "dynamodb-local"])
def tables_at(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str | None:
    """Set the address of tables, also for handlers: moto, which has none, then DynamoDB Local.

    moto within this process does not see libcurl, so the handlers use botocore with it.
    """
    if request.param == "moto":
        monkeypatch.setenv("GINURI_DYNAMODB_CLIENT", "botocore")
        return None
    endpoint: str = request.getfixturevalue("dynamodb_local")
    monkeypatch.setenv("AWS_ENDPOINT_URL_DYNAMODB", endpoint)
    return endpoint


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark as untraced the tests that add only time to the coverage."""
    cases: Counter[str] = Counter()
    for item in items:
        name = item.nodeid.partition("[")[0].removeprefix("tests/")
        cases[name] += 1
        is_further_case = (
            name.startswith(("command/", "functional/"))
            and cases[name] > _TRACED_CASES
            and not name.startswith(WHOLLY_TRACED)
        )
        if is_further_case or name.startswith(UNTRACED):
            item.add_marker(pytest.mark.untraced)


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """Exclude the objects that exist after collection from every later garbage collection."""
    gc.freeze()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Exclude tests that are marked as untraced from coverage, including their set-up.

    The mark `no_cover` excludes only the call.
    """
    if item.get_closest_marker("untraced") is None:
        return (yield)
    with untraced():
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Fail a skipped test if GINURI_NO_SKIPS is set: its requirements should be installed."""
    report = yield
    is_skipped = report.skipped and not hasattr(report, "wasxfail") and _NO_DATA not in str(report.longrepr)
    if is_skipped and os.environ.get("GINURI_NO_SKIPS"):
        report.outcome = "failed"
    return report


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """Accept that no test of this run matches the requested words: another run may have matches."""
    if exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED and session.config.option.keyword:
        session.exitstatus = pytest.ExitCode.OK
