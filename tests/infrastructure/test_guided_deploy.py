"""A deployment asks no questions, and Enter answers all questions of a guided one."""

from __future__ import annotations

import os
import shutil
import tomllib
from pathlib import Path
from typing import Any

import pytest

from ginuri.server.sockets import address, listen
from tests.terminal import press_enter

ENVIRONMENTS = ("dev", "prod")
AFTER_THE_QUESTIONS = "Looking for resources needed for deployment"


def test_every_question_of_the_guided_deployment_has_a_default(root: Path, tmp_path: Path) -> None:
    sam = _sam(root)
    _copy(root, tmp_path)

    questions, seen = press_enter(
        [sam, "deploy", "--guided", "--config-env", "dev"], _without_aws(tmp_path), tmp_path
    )

    assert len(questions) == len(set(questions)), "asked again"
    assert AFTER_THE_QUESTIONS in seen
    assert all(question.endswith("]:") for question in questions), "asked without a default"
    assert any("CanonicalHost" in question for question in questions)


@pytest.mark.parametrize("environment", ENVIRONMENTS)
def test_a_deployment_calls_aws_without_any_question(root: Path, tmp_path: Path, environment: str) -> None:
    sam = _sam(root)
    _copy(root, tmp_path)

    questions, seen = press_enter(
        [sam, "deploy", "--config-env", environment], _without_aws(tmp_path), tmp_path
    )

    assert questions == []
    assert "Could not connect to the endpoint URL" in seen


def test_no_two_environments_share_a_stack(root: Path) -> None:
    environments = _configuration(root)

    stacks = {environments[name]["deploy"]["parameters"]["stack_name"] for name in ENVIRONMENTS}

    assert len(stacks) == len(ENVIRONMENTS)


@pytest.mark.parametrize("environment", ENVIRONMENTS)
def test_every_environment_deploys_without_confirmation_and_can_be_repeated(
    root: Path, environment: str
) -> None:
    parameters = _configuration(root)[environment]["deploy"]["parameters"]

    assert not parameters.get("confirm_changeset", False)
    assert parameters["fail_on_empty_changeset"] is False
    assert parameters["on_failure"] == "DELETE"


def _configuration(root: Path) -> dict[str, Any]:
    return tomllib.loads((root / "samconfig.toml").read_text(encoding="utf-8"))


def _sam(root: Path) -> str:
    sam = root / ".venv-sam" / "bin" / "sam"
    if not sam.is_file():
        pytest.skip("the SAM CLI is not in .venv-sam: make build")
    return str(sam)


def _copy(root: Path, folder: Path) -> None:
    for name in ("template.yaml", "samconfig.toml"):  # a guided deployment stores its answers here
        shutil.copy(root / name, folder)


def _without_aws(home: Path) -> dict[str, str]:
    """Return an environment in which AWS is a local port without a listener."""
    with listen(0) as closed:
        endpoint = f"http://{address(closed)}"
    return {
        "HOME": str(home),
        "PATH": os.defpath,
        "SAM_CLI_TELEMETRY": "0",
        "AWS_ENDPOINT_URL": endpoint,
        "AWS_MAX_ATTEMPTS": "1",
        "AWS_EC2_METADATA_DISABLED": "true",
        "AWS_ACCESS_KEY_ID": "nobody",
        "AWS_SECRET_ACCESS_KEY": "nothing",
    }
