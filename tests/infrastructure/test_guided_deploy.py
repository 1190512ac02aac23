"""`make deploy` can be answered with Enter alone, up to where it needs an AWS account."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from infra.local.servers.sockets import address, listen
from tests.terminal import press_enter

AFTER_THE_QUESTIONS = "Looking for resources needed for deployment"


def test_the_guided_deploy_asks_nothing_that_enter_does_not_answer(root: Path, tmp_path: Path) -> None:
    sam = root / ".venv-sam" / "bin" / "sam"
    if not sam.is_file():
        pytest.skip("the SAM CLI is not in .venv-sam: make build")
    for name in ("template.yaml", "samconfig.toml"):  # where it writes its answers
        shutil.copy(root / name, tmp_path)

    questions, seen = press_enter([str(sam), "deploy", "--guided"], _without_aws(tmp_path), tmp_path)

    assert len(questions) == len(set(questions)), "asked again"
    assert AFTER_THE_QUESTIONS in seen
    assert all(question.endswith("]:") for question in questions), "asked without a default"
    assert any("CanonicalHost" in question for question in questions)


def _without_aws(home: Path) -> dict[str, str]:
    """Give an environment in which AWS is a port of this machine where nobody listens."""
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
