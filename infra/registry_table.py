"""Prints the input of `aws dynamodb create-table --cli-input-json` for another table like the stack's.

`python -m infra.registry_table NAME` reads keys and indexes from template.yaml. Point-in-time recovery is
switched on by another call, as soon as the table is active.
"""

import argparse
import json
from collections.abc import Mapping, Sequence
from typing import Any

from infra.local import ROOT
from infra.local.template import expand

_LATER = "PointInTimeRecoverySpecification"
_TAGS = [{"Key": "application", "Value": "ginuri"}]


def table_like(template: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Return the input for a table of that name, from the expanded template."""
    stated = template["Resources"]["RegistryTable"]["Properties"]
    kept = {key: value for key, value in stated.items() if key not in {_LATER, "Tags"}}
    return {"TableName": name, **kept, "Tags": _TAGS}


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the input for the table that the argument names."""
    parser = argparse.ArgumentParser(prog="python -m infra.registry_table", description=__doc__)
    parser.add_argument("name", help="the name of the new table")
    name = parser.parse_args(arguments).name
    print(json.dumps(table_like(expand(ROOT / "template.yaml"), name), indent=1))


if __name__ == "__main__":
    main()
