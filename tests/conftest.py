"""What all tests share: the data beside the repository, and how long hypothesis may look."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("ginuri", deadline=None, max_examples=100)
settings.load_profile("ginuri")

_DATA = Path(__file__).parents[2] / "shared" / "data"


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Give the folder of real registries and recorded negotiations; skip where it is not beside us."""
    if not _DATA.is_dir():
        pytest.skip("../shared/data is not here")
    return _DATA
