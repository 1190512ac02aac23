"""The versions of a document or a thing, in the order of their first days (RFC 7089)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ginuri.frozen import Frozen
from ginuri.identifiers import Kind
from ginuri.registry.model import Representation
from ginuri.registry.version_names import CURRENT, is_day, version_path


class Timeline(Frozen):
    """The versions of the document or thing `name`."""

    name: str
    kind: Kind
    days: tuple[str, ...]
    """Their first days, RFC 3339, in order; `prospective` for a day that is not known yet."""
    day: str | None = None
    """That of the selected version; None for all."""

    @property
    def timegate(self) -> str:
        """The document that leads to the version of a moment (RFC 7089 §2.1.2), which is never a thing."""
        return version_path(self.name, CURRENT) if self.kind is Kind.THING else self.name

    @property
    def dated(self) -> tuple[str, ...]:
        """The known days."""
        return tuple(day for day in self.days if is_day(day))

    def version(self, day: str) -> str:
        """Return the identifier of a version."""
        return version_path(self.name, day)

    def in_force(self, day: str) -> str | None:
        """Return the version in force on a day; None before the first."""
        return max((dated for dated in self.dated if dated <= day), default=None)

    def to_come(self, day: str) -> str | None:
        """Return the version that will be valid when all planned ones have come into force."""
        last = self.days[-1]
        return last if last > day else None


def timeline_of_record(name: str, kind: Kind, forms: Iterable[Representation]) -> Timeline:
    """Return the timeline of `name`, from its representations."""
    return Timeline(name, kind, tuple(sorted({form.valid_from for form in forms if form.valid_from})))


def representations_of(day: str, forms: Sequence[Representation]) -> tuple[Representation, ...]:
    """Return the representations of a version: its own, then those without a day."""
    own = tuple(form for form in forms if form.valid_from == day)
    return own + tuple(form for form in forms if form.valid_from is None)
