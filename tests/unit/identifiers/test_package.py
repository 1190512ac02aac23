"""The names of `import ginuri`, which are imported on first use."""

from __future__ import annotations

import subprocess
import sys

import pytest

import ginuri


@pytest.mark.parametrize("name", ginuri.__all__)
def test_every_public_name_is_there(name: str) -> None:
    assert getattr(ginuri, name).__module__.startswith("ginuri.identifiers")


def test_another_name_is_missing_as_in_any_module() -> None:
    with pytest.raises(AttributeError, match="'ginuri' has no attribute 'resolve'"):
        _ = ginuri.resolve  # type: ignore[attr-defined]  # the tested error


def test_the_package_imports_none_of_its_modules() -> None:
    code = "import sys, ginuri; print(*(name for name in sys.modules if name.startswith('ginuri')))"

    ran = subprocess.run(  # noqa: S603  our own arguments
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )

    assert ran.stdout.split() == ["ginuri"]
