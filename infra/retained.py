"""Prints the import of the resources of a deleted stack, for a new stack of the same name.

`python -m infra.retained` writes the input of `aws cloudformation create-change-set --cli-input-json`: the
bucket or table of each retained resource, and a template with only these, because an import may neither
create resources nor have outputs. The next deployment adds the rest. CloudFormation does not find them by
itself (`--import-existing-resources`): that works for literal names in the template, and here they are built
from the stack's.
"""

import argparse
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from infra.local import ROOT
from infra.local.template import expand

CHANGE_SET = "import-what-was-retained"
RETAINING = {"Retain", "RetainExceptOnCreate"}
CODE = ("AWS::Lambda::Version", "AWS::Lambda::LayerVersion")


@dataclass(frozen=True)
class Deleted:
    """A deleted stack, and its tables by their logical ids: their names cannot be built from the stack's."""

    stack: str
    account: str
    region: str
    tables: Mapping[str, str]

    def fill(self, text: str) -> str:
        """Return a name in the template with the pseudo parameters of the stack filled in."""
        values = {"StackName": self.stack, "AccountId": self.account, "Region": self.region}
        for name, value in values.items():
            text = text.replace(f"${{AWS::{name}}}", value)
        return text


def change_set(template: Mapping[str, Any], deleted: Deleted) -> dict[str, Any]:
    """Return the change set that imports the retained resources of the expanded template.

    New versions of functions and layers are made instead. Raises ValueError if it retains another resource
    that is neither a bucket nor a table.
    """
    retained = {
        name: resource
        for name, resource in template["Resources"].items()
        if resource.get("DeletionPolicy") in RETAINING
        and resource["Type"] not in CODE
        and (name in deleted.tables or resource["Type"] != "AWS::DynamoDB::Table")
    }
    resources = {name: _alone(resource, deleted) for name, resource in retained.items()}
    return {
        "StackName": deleted.stack,
        "ChangeSetName": CHANGE_SET,
        "ChangeSetType": "IMPORT",
        "TemplateBody": json.dumps({"Resources": resources}),
        "ResourcesToImport": [
            {
                "LogicalResourceId": name,
                "ResourceType": resource["Type"],
                "ResourceIdentifier": _identifier(name, resource, deleted),
            }
            for name, resource in resources.items()
        ],
    }


def _alone(resource: Mapping[str, Any], deleted: Deleted) -> dict[str, Any]:
    """Return a resource without references to others, which the next deployment adds."""
    filled = {
        name: deleted.fill(value["Fn::Sub"]) if name == "BucketName" else value
        for name, value in resource["Properties"].items()
    }
    kept = {name: value for name, value in filled.items() if not _refers(value)}
    policies = {name: resource[name] for name in ("DeletionPolicy", "UpdateReplacePolicy")}
    return {"Type": resource["Type"], **policies, "Properties": kept}


def _refers(value: object) -> bool:
    match value:
        case dict():
            return any(key == "Ref" or key.startswith("Fn::") or _refers(item) for key, item in value.items())
        case list():
            return any(_refers(item) for item in value)
        case _:
            return False


def _identifier(name: str, resource: Mapping[str, Any], deleted: Deleted) -> dict[str, str]:
    match resource["Type"]:
        case "AWS::S3::Bucket":
            return {"BucketName": resource["Properties"]["BucketName"]}
        case "AWS::DynamoDB::Table":
            return {"TableName": deleted.tables[name]}
        case kind:
            raise ValueError(f"how a {kind} is imported is not known here")


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the change set for the stack that the arguments name."""
    parser = argparse.ArgumentParser(prog="python -m infra.retained", description=__doc__)
    parser.add_argument("--stack", required=True, help="the name of the deleted stack, and of the new one")
    parser.add_argument("--account", required=True, help="the number of the account")
    parser.add_argument("--region", required=True)
    parser.add_argument(
        "--table", default="", help="the name of the table that was left behind; without it, only buckets"
    )
    parser.add_argument(
        "--access-table",
        default="",
        help="the name of the table of access tokens; without it, all tokens are lost",
    )
    options = parser.parse_args(arguments)
    tables = {"RegistryTable": options.table, "AccessTable": options.access_table}
    stated = {name: table for name, table in tables.items() if table}
    deleted = Deleted(options.stack, options.account, options.region, stated)
    print(json.dumps(change_set(expand(ROOT / "template.yaml"), deleted), indent=1))


if __name__ == "__main__":
    main()
