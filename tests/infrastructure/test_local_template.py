"""Is a template expanded once, and again when it has changed?"""

from pathlib import Path

import pytest

from infra.local.template import TemplateInvalid, expand

TEMPLATE = """\
Transform: AWS::Serverless-2016-10-31
Resources:
  Toy:
    Type: AWS::Serverless::Function
    Properties: {CodeUri: functions/, Handler: toy.handle, Runtime: python3.13, MemorySize: 128}
"""


@pytest.fixture
def template(tmp_path: Path) -> Path:
    path = tmp_path / "template.yaml"
    path.write_text(TEMPLATE, encoding="utf-8")
    return path


def test_an_expanded_template_is_cached(template: Path, tmp_path: Path) -> None:
    first = expand(template, tmp_path / "kept")
    [kept] = (tmp_path / "kept").iterdir()
    kept.write_text('{"Resources": {}}', encoding="utf-8")

    assert first["Resources"]["Toy"]["Type"] == "AWS::Lambda::Function"
    assert expand(template, tmp_path / "kept") == {"Resources": {}}


def test_a_template_that_has_changed_is_expanded_again(template: Path, tmp_path: Path) -> None:
    expand(template, tmp_path / "kept")
    template.write_text(TEMPLATE.replace("128", "256"), encoding="utf-8")

    changed = expand(template, tmp_path / "kept")

    assert changed["Resources"]["Toy"]["Properties"]["MemorySize"] == 256


def test_a_refused_template_names_the_reason_and_is_not_cached(template: Path, tmp_path: Path) -> None:
    template.write_text(TEMPLATE.replace("Handler: toy.handle, ", ""), encoding="utf-8")

    with pytest.raises(TemplateInvalid, match="Handler"):
        expand(template, tmp_path / "kept")

    assert not (tmp_path / "kept").exists()
