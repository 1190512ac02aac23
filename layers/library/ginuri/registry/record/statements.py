"""Statements: the values of fields, by the part of the record that each field belongs to; None clears."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Literal, NamedTuple, TypeAlias

JsonValue: TypeAlias = "str | int | float | bool | Sequence[JsonValue] | Mapping[str, JsonValue] | None"

FIRST = "first"
"""The field that keeps its first statement instead of the last: the order of registration."""
FORMS = "representations"
"""The field that holds the forms; cleared, it clears all of them."""
ELSEWHERE = " "
"""In place of a pattern: rules of the prefix are in other records (`registry.record.rule_records`)."""
WHOLE = ""
"""Cleared, it clears all fields of a form, of a rule or of the delegation."""


class RecordPlace(NamedTuple):
    """A part of a record with fields of its own: the record, one of its rules, its delegation, its grants."""

    name: Literal["", "rules", "delegation", "grants"]
    pattern: str | None = None
    """The pattern of the rule; None for the others."""


OF_RECORD, OF_DELEGATION = RecordPlace(""), RecordPlace("delegation")
OF_GRANTS = RecordPlace("grants")
"""The grants on a prefix, which have a record of their own; each field is the receiver of a grant."""


def of_rule(pattern: str) -> RecordPlace:
    """Return the place of a rule, by its pattern."""
    return RecordPlace("rules", pattern)


class Key(NamedTuple):
    """The field that a statement is about."""

    place: RecordPlace
    form: str | None
    """The key of the form that has the field; None for a field of the place itself."""
    field: str
    member: str | None = None
    """The language of a text, the name of a property, the relation of a link, or the day of a handover."""

    @property
    def is_first(self) -> bool:
        """Whether the first statement counts: when a record or a form was registered."""
        # A delegation has no forms: rows that state some are refused.
        return self.field == FIRST and self.member is None and self.place != OF_DELEGATION

    @property
    def stated_field(self) -> str:
        """The field of a registration that states it: `representations` for the fields of a form."""
        return self.field if self.form is None else FORMS

    def above(self) -> list[Key]:
        """Return the keys that clear this field along with others."""
        place, form, field, member = self
        keys = [] if member is None else [Key(place, form, field)]
        if form is not None:
            keys += Key(place, form, WHOLE), Key(place, None, FORMS)
        return keys if place == OF_RECORD else [*keys, Key(place, None, WHOLE)]


RECORD_FIRST = Key(OF_RECORD, None, FIRST)


class Statements(dict[Key, JsonValue]):
    """Statements by key, in order: those of a registration, or the values of a record that are in force.

    The fields that the methods read by name are those of one place, or of one of its forms.
    """

    __slots__ = ("form", "place")

    def __init__(
        self,
        statements: Mapping[Key, JsonValue] = {},
        place: RecordPlace = OF_RECORD,
        form: str | None = None,
    ) -> None:
        super().__init__(statements)
        self.place = place
        self.form = form

    def key(self, field: str, member: str | None = None) -> Key:
        """Return the key of a field."""
        return Key(self.place, self.form, field, member)

    def states(self, field: str) -> bool:
        """Return whether a field is stated, or cleared."""
        return self.key(field) in self

    def value(self, field: str) -> JsonValue:
        """Return the value of a field; None without one."""
        return self.get(self.key(field))

    def text(self, field: str) -> str | None:
        """Return the value of a field with a text; None without one."""
        value = self.value(field)
        return value if isinstance(value, str) else None

    def texts(self, field: str) -> Sequence[str]:
        """Return the value of a field with a list of texts; empty without one."""
        value = self.value(field)
        return [text for text in value if isinstance(text, str)] if isinstance(value, list) else []

    def members(self, field: str) -> dict[str, JsonValue]:
        """Return the values of a field by language, property, relation or day."""
        return {
            key.member: value
            for key, value in self.items()
            if key.field == field and key.member is not None and key == self.key(field, key.member)
        }

    def of(self, place: RecordPlace) -> Statements:
        """Return the statements about a place."""
        return Statements({key: value for key, value in self.items() if key.place == place}, place)

    def rules(self) -> dict[str, Statements]:
        """Return the statements about rules, by pattern."""
        groups = self._group(lambda key: key.place.pattern)
        return {pattern: Statements(rule, of_rule(pattern)) for pattern, rule in groups.items()}

    def forms(self) -> dict[str, Statements]:
        """Return the statements about the forms of the place, by form."""
        groups = self._group(lambda key: key.form if key.place == self.place else None)
        return {form: Statements(stated, self.place, form) for form, stated in groups.items()}

    def _group(self, group_of: Callable[[Key], str | None]) -> dict[str, dict[Key, JsonValue]]:
        groups: dict[str, dict[Key, JsonValue]] = {}
        for key, value in self.items():
            if (group := group_of(key)) is not None:
                groups.setdefault(group, {})[key] = value
        return groups


def nest(statements: Mapping[Key, JsonValue]) -> dict[str, JsonValue]:
    """Fold statements into nested values, such as `{"title": {"en": "Map"}}`."""
    nested: dict[str, JsonValue] = {}
    levels: dict[tuple[RecordPlace, str | None], dict[str, JsonValue]] = {}
    for (place, form, field, member), value in statements.items():
        level = levels.get((place, form))
        if level is None:
            level = nested
            for step in (place.name or None, place.pattern, FORMS if form is not None else None, form):
                level = level if step is None else within(level, step)
            levels[place, form] = level
        if member is None:
            level[field] = value
        else:
            within(level, field)[member] = value
    return nested


def within(values: dict[str, JsonValue], name: str) -> dict[str, JsonValue]:
    """Return the object that nested values have by a name; an empty one is put there first."""
    below = values.setdefault(name, {})
    if not isinstance(below, dict):
        raise TypeError(f"{name} is no object")
    return below
