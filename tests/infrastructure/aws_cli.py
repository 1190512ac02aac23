"""Checks and runs commands of the AWS CLI, without it: its names are made from the models of botocore.

A page's commands run in bash with an `aws` that only notes its arguments, so variables, functions and
quotes have their effect. Each noted command is then called by boto3, on moto.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import boto3
import jmespath
from botocore import xform_name
from botocore.validate import validate_parameters

if TYPE_CHECKING:
    from botocore.model import OperationModel, Shape, StructureShape

_GLOBAL = ("query", "output", "region")
_TAIL = {"since", "follow", "filter-pattern", "format"}
"""The options of `aws logs tail`, a command of the CLI alone, which calls FilterLogEvents."""
_RENAMED = {"notification-endpoint": "endpoint"}
"""The option of `aws sns subscribe` that the CLI calls otherwise, for its own --endpoint-url."""
_NOTING = r"""#!/bin/bash
printf '%s\x1f' "$@" >> "{file}"; printf '\x1e' >> "{file}"
[[ "$*" =~ --logical-resource-id\ ([A-Za-z]+) ]] || exec echo 123456789012
name=${{BASH_REMATCH[1]}}
case $name in *Topic) printf 'arn:aws:sns:us-east-1:123456789012:';; esac
echo "physical-$name"
"""


def note_commands(script: str, folder: Path) -> list[list[str]]:
    """Run a script of bash, and return the arguments of each `aws` in it, in order."""
    noted = folder / "commands"
    command = folder / "aws"
    command.write_text(_NOTING.format(file=noted), encoding="utf-8")
    command.chmod(0o755)
    environment = {"PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"}
    shell = ["bash", "-euo", "pipefail", "-c", script]
    subprocess.run(shell, env=environment, check=True, capture_output=True)  # noqa: S603  a page of our own
    commands = noted.read_text(encoding="utf-8").split("\x1e")[:-1]
    return [command.split("\x1f")[:-1] for command in commands]


def call(arguments: Sequence[str]) -> object:
    """Call a command, and return what its --query selects. Raises ValueError for an unknown option."""
    client, operation, stated = _read(arguments)
    answer = getattr(client, xform_name(operation.name))(**_parameters(operation.input_shape, stated))
    return jmespath.search(stated.get("query", ["@"])[0], answer)


def check(arguments: Sequence[str]) -> None:
    """Check the options and values of a command. Raises ValueError and botocore's ParamValidationError."""
    _, operation, stated = _read(arguments)
    parameters = _parameters(operation.input_shape, stated)
    if operation.input_shape:
        validate_parameters(parameters, operation.input_shape)
    jmespath.compile(stated.get("query", ["@"])[0])


def _read(arguments: Sequence[str]) -> tuple[Any, OperationModel, dict[str, list[str]]]:
    """Return the client of a command, its operation, and its options."""
    service, name, *rest = arguments
    if (service, name) == ("logs", "tail"):
        group, *rest = rest
        stated = _read_options(rest)
        if unknown := stated.keys() - _TAIL:
            raise ValueError(f"aws logs tail has no {unknown}")
        rest = ["--log-group-name", group, "--filter-pattern", *stated.get("filter-pattern", [""])]
        name = "filter-log-events"
    if (service, name) == ("lambda", "invoke"):
        rest = rest[:-1]  # the file for the answer
    client: Any = boto3.client(service, region_name="us-east-1")  # type: ignore[call-overload]
    operations = {xform_name(each, "-"): each for each in client.meta.service_model.operation_names}
    return client, client.meta.service_model.operation_model(operations[name]), _read_options(rest)


def _read_options(arguments: Sequence[str]) -> dict[str, list[str]]:
    options: dict[str, list[str]] = {}
    for argument in arguments:
        if argument.startswith("--"):
            name = argument.removeprefix("--")
            values = options.setdefault(_RENAMED.get(name, name), [])
        else:
            values.append(argument)
    return options


def _parameters(shape: StructureShape | None, stated: Mapping[str, list[str]]) -> dict[str, Any]:
    members = {xform_name(member, "-"): member for member in (shape.members if shape else {})}
    if unknown := stated.keys() - members.keys() - set(_GLOBAL):
        raise ValueError(f"there is no option {unknown}")
    return {
        members[name]: _value(shape.members[members[name]], values)
        for name, values in stated.items()
        if name in members and shape
    }


def _value(shape: Shape, values: list[str]) -> object:
    match shape.type_name:
        case "string" | "timestamp":
            [text] = values
            return text
        case "integer" | "long" | "double" | "float":
            return float(values[0]) if "." in values[0] else int(values[0])
        case "boolean":
            return True
        case "list" if not values[0].startswith("["):
            return values
        case "structure" | "list" | "map":
            return json.loads(values[0])
        case _:
            raise ValueError(f"no option can have the type {shape.type_name}")
