"""Release, which `make deploy` computes: a digest of functions, layers and the values of parameters.

Run by the Python of the SAM CLI after `sam build`: prints every parameter, by samconfig.toml or else by its
default, as `sam deploy --parameter-overrides` takes them. For one that is not named, CloudFormation would go
on with the value before, and a value that was removed from samconfig.toml would stay.
"""

import hashlib
import json
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from samtranslator.yaml_helper import yaml_parse

_ROOT = Path(__file__).parents[1]
_BUILT = _ROOT / ".aws-sam" / "build"
_CODE = {"AWS::Serverless::Function": "CodeUri", "AWS::Serverless::LayerVersion": "ContentUri"}


def complete_parameters(built: Path, overrides: Mapping[str, str]) -> dict[str, str]:
    """Return the value of every parameter of what `sam build` left in `built`, Release included.

    Raises FileNotFoundError where nothing was built, ValueError for a parameter that there is not.
    """
    defaults = _defaults(_read(built))
    if unknown := overrides.keys() - defaults.keys():
        raise ValueError(f"samconfig.toml: no parameters of the stack: {', '.join(sorted(unknown))}")
    return {**defaults, **overrides, "Release": compute_release(built, overrides)}


def compute_release(built: Path, overrides: Mapping[str, str]) -> str:
    """Return the digest of what `sam build` left in the folder `built`, with these values of parameters.

    Sixty-four hexadecimal digits. The rest of the template has no part in it: a new alarm is no new version
    of a function. Raises FileNotFoundError where nothing was built.
    """
    template = _read(built)
    resources = {
        name: resource for name, resource in template["Resources"].items() if resource["Type"] in _CODE
    }
    folders = [built / owner["Properties"][_CODE[owner["Type"]]] for owner in resources.values()]
    files = {
        file.relative_to(built).as_posix(): hashlib.sha256(file.read_bytes()).hexdigest()
        for folder in folders
        for file in folder.rglob("*")
        if file.is_file()
    }
    released = [
        template.get("Globals"),
        template.get("Mappings"),
        resources,
        files,
        {**_defaults(template), **overrides},
    ]
    return hashlib.sha256(json.dumps(released, sort_keys=True, default=str).encode()).hexdigest()


def read_overrides(configuration: Mapping[str, Any], environment: str) -> dict[str, str]:
    """Return the values of parameters that samconfig.toml has for an environment.

    Raises KeyError for an environment that it does not name, ValueError for an entry that is no NAME=VALUE.
    """
    entries = configuration[environment]["deploy"]["parameters"]["parameter_overrides"]
    return dict(_read_override(entry) for entry in entries)


def _read(built: Path) -> dict[str, Any]:
    template: dict[str, Any] = yaml_parse((built / "template.yaml").read_text(encoding="utf-8"))
    return template


def _defaults(template: Mapping[str, Any]) -> dict[str, str]:
    return {name: str(parameter["Default"]) for name, parameter in template["Parameters"].items()}


def _read_override(entry: str) -> tuple[str, str]:
    name, separator, value = entry.partition("=")
    if not (name and separator and value) or len(entry.split()) > 1:
        raise ValueError(f"samconfig.toml: {entry!r} is no NAME=VALUE without blanks")
    return name, value


def _main() -> None:
    configuration = tomllib.loads((_ROOT / "samconfig.toml").read_text(encoding="utf-8"))
    overrides = read_overrides(configuration, sys.argv[1])
    values = complete_parameters(_BUILT, overrides)
    sys.stdout.write("".join(f"{name}={value}\n" for name, value in values.items()))


if __name__ == "__main__":
    _main()
