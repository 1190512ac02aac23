"""What is tested is what is deployed."""

from __future__ import annotations

import re
from pathlib import Path


def _pins(lock: Path) -> dict[str, str]:
    return dict(re.findall(r"^([\w.-]+)==(\S+)", lock.read_text(encoding="utf-8"), re.MULTILINE))


def test_the_layer_has_the_versions_that_the_tests_run_with(root: Path) -> None:
    deployed = _pins(root / "layers" / "dependencies" / "requirements.txt")

    assert deployed.items() <= _pins(root / "requirements.lock").items()


def test_the_layer_leaves_boto3_to_the_runtime(root: Path) -> None:
    assert not {"boto3", "botocore"} & _pins(root / "layers" / "dependencies" / "requirements.txt").keys()


def test_the_stack_is_served_with_the_versions_that_the_tests_run_with(root: Path) -> None:
    assert _pins(root / "requirements-serve.lock").items() <= _pins(root / "requirements.lock").items()
