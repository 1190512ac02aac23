"""moto, with the types that it lacks, and a record of the resources that it creates.

moto finds the types it can create among the direct subclasses of CloudFormationModel, and takes the last of a
name. So our own class for each type sees the properties with their references resolved, lets moto create the
resource if moto can, and notes both.
"""

import copy
import json
from collections import defaultdict
from functools import cache
from typing import Any

from moto.cloudformation import parsing
from moto.cloudformation.models import Stack
from moto.core.common_models import CloudFormationModel

from infra.local.cloudformation.moto_gaps import GAPS, Gap
from infra.local.cloudformation.resources import Created, Resources

_created: defaultdict[str, list[Created]] = defaultdict(list)


class GapsAreWrong(ValueError):
    """Raised if moto_gaps.py no longer matches the template or moto; the message lists the differences."""


def check(template: dict[str, Any], gaps: dict[str, Gap] = GAPS) -> None:
    """Check that every type and property of the expanded template is listed correctly.

    Raises GapsAreWrong with all differences.
    """
    faults = [_wrong_listing(kind, gap) for kind, gap in gaps.items()]
    for name, resource in template["Resources"].items():
        kind = resource["Type"]
        if kind not in gaps:
            faults.append(
                f"{name}: {kind} is not listed; moto {'knows' if _moto_knows(kind) else 'lacks'} it"
            )
        elif unknown := resource.get("Properties", {}).keys() - gaps[kind].known():
            faults.append(f"{name}: {kind} is not known to keep {', '.join(sorted(unknown))}")
    if found := [line for line in faults if line]:
        raise GapsAreWrong("infra/local/cloudformation/moto_gaps.py is not true:\n  " + "\n  ".join(found))


@cache
def register() -> list[type[CloudFormationModel]]:
    """Have moto create the listed types through our classes, from now on and for the whole process."""
    known = _types_of_moto()
    ours = [_recorder(kind, gap, None if gap.instead else known[kind]) for kind, gap in GAPS.items()]
    for cached in (parsing.get_model_list, parsing.get_model_map, parsing.get_name_type_map):
        cached.cache_clear()
    # Templates are JSON, which moto would parse as YAML, in a quarter of a second.
    Stack.parse_template = staticmethod(json.loads)  # type: ignore[assignment,method-assign]
    return ours  # Python drops subclasses without a reference


def resources_of(stack_id: str) -> Resources:
    """Return the resources created for a stack since `register`."""
    return Resources(tuple(_created[stack_id]))


@cache
def _types_of_moto() -> dict[str, type[CloudFormationModel]]:
    return dict(parsing.get_model_map())


def _moto_knows(kind: str) -> bool:
    return kind in _types_of_moto()


def _wrong_listing(kind: str, gap: Gap) -> str:
    if not gap.instead and not _moto_knows(kind):
        return f"{kind} is listed as known to moto, which lacks it"
    if gap.instead and _moto_knows(kind) and not gap.refused:
        return f"{kind} is listed as missing, and moto has learnt it meanwhile"
    return ""


def _recorder(kind: str, gap: Gap, original: type[CloudFormationModel] | None) -> type[CloudFormationModel]:
    class Recorder(CloudFormationModel):
        def __init__(self, name: str) -> None:
            self.physical_resource_id = name
            self.stated: dict[str, Any] = {}

        @staticmethod
        def cloudformation_type() -> str:
            return kind

        @staticmethod
        def cloudformation_name_type() -> str:
            return original.cloudformation_name_type() if original else ""

        @classmethod
        def has_cfn_attr(cls, attr: str) -> bool:
            return original.has_cfn_attr(attr) if original else attr in gap.attributes

        def get_cfn_attribute(self, attribute_name: str) -> str:
            return gap.attributes[attribute_name].format(name=self.physical_resource_id, **self.stated)

        @classmethod
        def create_from_cloudformation_json(
            cls,
            resource_name: str,
            cloudformation_json: dict[str, Any],
            account_id: str,
            region_name: str,
            **kwargs: Any,  # noqa: ANN401 - as moto declares it
        ) -> Any:  # noqa: ANN401 - as moto declares it
            stated = copy.deepcopy(cloudformation_json.setdefault("Properties", {}))
            cloudformation_json["Properties"].update(gap.forced)
            resource: Any = cls(gap.reference.format(**stated) or resource_name)
            resource.stated = stated
            if original:
                resource = original.create_from_cloudformation_json(
                    resource_name, cloudformation_json, account_id, region_name, **kwargs
                )
            if not hasattr(resource, "physical_resource_id"):  # a layer has none in moto; Ref means its ARN
                resource.physical_resource_id = getattr(resource, "arn", resource_name)
            _created[kwargs["StackId"]].append(
                Created(kwargs["LogicalId"], kind, resource.physical_resource_id, stated)
            )
            return resource

    return Recorder
