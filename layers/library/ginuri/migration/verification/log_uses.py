"""The requests of a comparison from an inventory, weighted by use."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ginuri.migration.inventories.inventory import Inventory
from ginuri.migration.verification.requests import IdentifierUses, Use


def uses_of(inventory: Inventory, defaults: Sequence[Use]) -> Iterator[IdentifierUses]:
    """Yield the addresses of an inventory, the most requested first.

    Requests whose header is unknown are divided equally among the default ones.
    """
    for host, target, headers in inventory.addresses():
        uses: dict[str | None, float] = {}
        for accept, count in headers:
            shared = [use.accept for use in defaults] if accept is None else [accept or None]
            for header in shared:
                uses[header] = uses.get(header, 0) + count / len(shared)
        yield IdentifierUses(None, host, target, [Use(header, count) for header, count in uses.items()])
