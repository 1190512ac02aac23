"""What a registration is judged by, beside itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ginuri.registration.checks.delegations import Handover
from ginuri.registration.checks.rule_conflicts import SurroundingRules
from ginuri.registry.model import Registered, Steward
from ginuri.registry.record.record import Record


@dataclass(frozen=True, slots=True)
class JudgingContext:
    """What a registration is judged by, beside itself."""

    folder: str
    """The identifier prefix that may be registered from the folder of the upload."""
    before: Record | None
    authority: Steward | None
    is_typed: bool
    """Whether a resource type is registered above the identifier."""
    aliases: Mapping[str, str] = field(default_factory=dict)
    """Those of the identifiers that it stands for which are aliases themselves, each with its upload."""
    opening: Registered | None = None
    """What opens the folder of a sub-authority to the folder of the upload (`placing.opening`)."""
    handed: Handover | None = None
    """To whom it was handed, with all that stands under it, when the upload was put; the nearest wins."""
    handed_above: Handover | None = None
    """To whom it was handed by a prefix above it: who may delegate it further."""
    receivers: frozenset[str] = frozenset()
    """Those of the authorities it is to be handed to that are registered."""
    correction: str = ""
    """Why what stays for good is changed all the same; empty where nobody said so."""
    neighbours: SurroundingRules = field(default_factory=SurroundingRules)
    """The rules around it, where it states rules itself."""
