"""The tags of a stack, which CloudFormation also gives to its resources."""

from __future__ import annotations

import re
from collections.abc import Mapping

from infra.deployment.environment import Environment, UnusableValue

_TAG = re.compile(r"[\w.:/+@-]+")
"""Characters that both AWS and the command line of SAM accept without quotes; `=` parts name and value."""
_LONGEST_NAME, _LONGEST_VALUE, _MOST = 128, 256, 50
_RESERVED = "aws:"


def plan_tags(environment: Environment, deployed: Mapping[str, str]) -> dict[str, str]:
    """Choose the tags: the named ones, and deployed ones that are not named.

    A named tag without a value is removed. Raises UnusableValue.
    """
    kept = {name: value for name, value in deployed.items() if not name.startswith(_RESERVED)}
    chosen = {**kept, **environment.tags}
    tags = {name: value for name, value in chosen.items() if value}
    for name, value in tags.items():
        fits = len(name) <= _LONGEST_NAME and len(value) <= _LONGEST_VALUE
        if not (fits and _TAG.fullmatch(name) and _TAG.fullmatch(value)) or name.startswith(_RESERVED):
            raise UnusableValue(
                f"the tag {name!r} with the value {value!r} cannot be deployed: both are letters, digits and "
                f". : / + @ _ - without blanks, at most {_LONGEST_NAME} and {_LONGEST_VALUE} of them, and a "
                f"name does not begin with {_RESERVED}. Write {name!r} below [{environment.name}.tags] in "
                'site.toml, or "" to remove it.'
            )
    if len(tags) > _MOST:
        raise UnusableValue(f"{len(tags)} tags are too many: a resource of AWS has at most {_MOST}.")
    return tags
