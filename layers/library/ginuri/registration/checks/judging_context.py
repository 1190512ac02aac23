"""The context in which the checks judge a registration."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ginuri.registration.authorization import Scope
from ginuri.registration.checks.delegations import Handover
from ginuri.registration.checks.rule_conflicts import SurroundingRules
from ginuri.registry.model import Host, Registered, ResourceType, Scheme, Steward
from ginuri.registry.record.record import Record
from ginuri.registry.record.statements import Statements


@dataclass(frozen=True, slots=True)
class JudgingContext:
    """The context in which the checks judge a registration."""

    folder: str
    """The identifier prefix that may be registered from the folder of the upload."""
    before: Record | None
    """What is registered about the identifier; only the rules, if rules of one beginning are judged."""
    authority: Steward | None
    types: Sequence[ResourceType] = ()
    """The resource type of the identifier and those that it inherits from, the nearest first."""
    aliases: Mapping[str, str] = field(default_factory=dict)
    """The targets of an alias that are aliases themselves, each with its upload."""
    opening: Registered | None = None
    """The permission to register under a sub-authority (`checks.authorization.authority_to_open`)."""
    handover: Handover | None = None
    """The handover in force when the upload was put: the identifier's own, or the nearest one above it."""
    handover_above: Handover | None = None
    """The handover of a prefix above the identifier: its receiver may delegate the identifier further."""
    receivers: frozenset[str] = frozenset()
    """The registered ones among the authorities that the registration delegates its prefix to."""
    canonical_host: str = ""
    """The host in the URIs that identifiers are cited by, if it is known."""
    falls_back_here: bool = False
    """Whether the stated `fallback` is a host of this registry."""
    correction: str = ""
    """The reason to change an immutable field; empty unless the upload is a correction."""
    neighbours: SurroundingRules = field(default_factory=SurroundingRules)
    """The rules that the stated ones are compared with."""
    is_stated_itself: bool = False
    """Whether the upload has registered fields of the prefix itself, and therefore may register its rules."""
    scheme: Scheme | None = None
    host: Host | None = None
    """The record of the host that the identifier is bound to."""
    is_offline: bool = False
    """Whether registered records are unknown, and may exist."""
    put: str = ""
    """When the upload was put, RFC 3339 in UTC with milliseconds."""
    scope: Scope | None = None
    """The rights of the upload; None for all that its folder may do."""

    @property
    def in_force(self) -> Statements:
        """The registered values; none where the identifier is new."""
        return self.before.in_force() if self.before else Statements()
