"""`ark:` identifiers from their registrations: nothing but their module knows of them."""

from __future__ import annotations

import pytest

from ginuri.memory import MemoryRegistry
from tests.example_registry import EXAMPLES
from tests.resolving import Service
from tests.steward import Steward

FILES = ("_host/ark.jsonl", "ark:12345/names.jsonl")
NOTEBOOK = "/ark:12345/x54xz321"


@pytest.fixture(scope="module")
def registry() -> MemoryRegistry:
    """The examples of the scheme."""
    steward = Steward()
    for file in FILES:
        report = steward.upload(file, (EXAMPLES / file).read_bytes())
        assert "refused" not in report.counts, report.whole
    return steward.memory


@pytest.mark.parametrize(
    ("path", "status", "location"),
    [
        ("/ark:", 303, "/about/ark:"),
        ("/ark:12345/", 303, "/about/ark:12345/"),
        (NOTEBOOK, 303, f"{NOTEBOOK}.pdf"),
        (f"{NOTEBOOK}.pdf", 302, "https://example.org/notebooks/x54xz321.pdf"),
        ("/ark:/12345/x5-4-xz-321", 301, NOTEBOOK),
        ("/ark:12345/X54XZ321", 302, NOTEBOOK),
        ("/ark:12345/other", 404, None),
        ("/ark:azgs/x", 400, None),
    ],
)
def test_an_ark_is_answered_from_its_registrations(
    registry: MemoryRegistry, path: str, status: int, location: str | None
) -> None:
    answer = Service(registry).ask(path)

    assert (answer.status, answer.headers.get("Location")) == (status, location)
