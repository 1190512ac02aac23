"""Writes the answers of the Bioregistry to its own examples, as JSON lines; with an interpreter that has it.

    pip install bioregistry
    python infra/migration/expected_bioregistry.py --host bioregistry.io > bioregistry.expected

For each example of each prefix, the address that its resolver redirects to, and that of each provider.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from importlib import import_module
from typing import Any
from urllib.parse import quote

_PCHAR = "-._~!$&'()*+,;=:@/%"


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--host", default="bioregistry.io")
    parser.add_argument("--providers", action="store_true", help="the providers in place of the prefixes")
    options = parser.parse_args()
    manager: Any = import_module("bioregistry").manager
    for resource in manager.registry.values():
        for example in resource.get_examples():
            for line in _expected(manager, resource, example, has_providers=options.providers):
                print(json.dumps({"host": options.host, **line}))


def _expected(manager: Any, resource: Any, example: str, *, has_providers: bool) -> Iterator[dict[str, Any]]:  # noqa: ANN401  a package without types here
    identifier = resource.standardize_identifier(example)
    name = f"{quote(resource.prefix)}:{_write(identifier)}"
    if has_providers:
        for provider in resource.get_extra_providers():
            if provider.code:
                yield _line(f"/{quote(provider.code)}/{name}", provider.resolve(identifier))
        return
    location = manager.get_iri(resource.prefix, identifier, use_bioregistry_io=False)
    if location:
        yield _line(f"/{name}", location)


def _line(target: str, location: str) -> dict[str, Any]:
    # A client keeps the fragment of what it asks for.
    path, mark, fragment = target.partition("#")
    return {"target": path, "status": 302, "location": location, "fragment": f"{mark}{fragment}"}


def _write(identifier: str) -> str:
    path, mark, fragment = identifier.partition("#")
    return f"{quote(path, safe=_PCHAR)}{mark}{fragment}"


if __name__ == "__main__":
    main()
