"""The expanded template, read once: what CloudFormation would create."""

from __future__ import annotations

from pathlib import Path

import pytest

from infra.local.template import expand
from tests.infrastructure.stack import Stack

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def root() -> Path:
    return ROOT


@pytest.fixture(scope="session")
def stack() -> Stack:
    return Stack(expand(ROOT / "template.yaml"))
