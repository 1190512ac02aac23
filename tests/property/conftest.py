"""What must hold for every input is tried on hundreds: not traced, as other tests cover the same lines."""

from __future__ import annotations

from pathlib import Path

import pytest

_HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Take the tests of this folder out of what is traced."""
    for item in items:
        if item.path.is_relative_to(_HERE):
            item.add_marker(pytest.mark.untraced)
