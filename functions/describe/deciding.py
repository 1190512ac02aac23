"""What an identifier that was found gets, to the end: other writings of it and its versions included."""

from __future__ import annotations

from collections.abc import Sequence

from ginuri.registry.clock import Clock
from ginuri.registry.ports import Finder, Found
from ginuri.resolution.decision import decide, reconsider
from ginuri.resolution.negotiation.negotiation import Preferences
from ginuri.resolution.outcomes import Decision, NotRegistered, Versioned
from ginuri.resolution.versions.versions import decide_version


def decide_whole(  # noqa: PLR0913  what was found, who asks how, and what else may be asked
    found: Found,
    finder: Finder,
    preferences: Preferences,
    clock: Clock,
    *,
    ours: Sequence[str],
    query: str = "",
) -> Decision:
    """Decide as the resolve function does, but for titles. Raises RegistryUnavailable."""
    decision = decide(found, preferences, ours=ours, query=query)
    if isinstance(decision, NotRegistered) and found.has_registered_host:
        decision = reconsider(decision, finder.near(found.identifier))
    return decide_version(decision, preferences, clock()) if isinstance(decision, Versioned) else decision
