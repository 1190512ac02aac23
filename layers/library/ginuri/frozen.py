"""Frozen values: `class Found(Frozen)` works like `@dataclass(frozen=True, slots=True)`.

Importing `dataclasses` and generating the methods of every class was most of a cold start. Here the
constructor of a class is generated for its first value, and all other methods are shared. Type checkers see
dataclasses, and `dataclasses.fields` and `asdict` work. A default is one object for all values and must be
immutable (`NOTHING` for a mapping): there is no `field`.
"""

from __future__ import annotations

from functools import cache

TYPE_CHECKING = False  # type checkers recognise this name; importing `typing` would be slow
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from dataclasses import Field, replace
    from typing import Any, ClassVar, NoReturn, dataclass_transform
else:

    def dataclass_transform(**_: object) -> Callable[[type], type]:
        """Do nothing: the decorator is for type checkers."""
        return lambda marked: marked

    def replace(value: Frozen, /, **changes: object) -> Frozen:
        """Return a copy of a value with other values for these fields."""
        return type(value)(**({name: getattr(value, name) for name in value._fields} | changes))


__all__ = ["NOTHING", "Frozen", "replace"]

NOTHING: Mapping[str, Any] = {}
"""The default of a mapping field, shared by all values."""


@dataclass_transform(frozen_default=True)
class _FrozenType(type):
    """The metaclass of frozen values: slots, fields, and a generated constructor."""

    _fields: tuple[str, ...]
    _field_defaults: dict[str, Any]
    _kw_only: bool

    def __new__(
        cls, name: str, bases: tuple[type, ...], namespace: dict[str, Any], *, kw_only: bool = False
    ) -> _FrozenType:
        own = tuple(namespace.get("__annotations__", ()))
        base = next((base for base in bases if isinstance(base, _FrozenType)), None)
        fields = own if base is None else (*base._fields, *own)
        defaults = {field: namespace.pop(field) for field in own if field in namespace}
        matched = () if kw_only else fields  # as dataclasses do
        shape = {"__slots__": own, "__match_args__": matched, "__init__": _initialise}
        made = super().__new__(cls, name, bases, namespace | shape)
        made._fields, made._kw_only = fields, kw_only
        made._field_defaults = defaults if base is None else {**base._field_defaults, **defaults}
        return made

    def _write_constructor(cls) -> Callable[..., None]:
        values: dict[str, Any] = {f"default_{name}": value for name, value in cls._field_defaults.items()}
        # The slots' descriptors bypass `__setattr__`, which refuses to write, and are twice as fast.
        values |= {f"set_{name}": getattr(cls, name).__set__ for name in cls._fields}
        parameters = [
            f"{name}=default_{name}" if name in cls._field_defaults else name for name in cls._fields
        ]
        signature = ", ".join(["self", *(["*"] if cls._kw_only and parameters else []), *parameters])
        body = "; ".join(f"set_{name}(self, {name})" for name in cls._fields) or "pass"
        exec(f"def __init__({signature}): {body}", values)  # noqa: S102  the names in it are those of a class body
        constructor: Callable[..., None] = values["__init__"]
        return constructor


def _initialise(value: Frozen, /, *args: object, **named: object) -> None:
    """Generate the constructor of a class on its first use."""
    made = type(value)
    made.__init__ = made._write_constructor()  # type: ignore[method-assign]  # noqa: SLF001  it is of its type
    made.__init__(value, *args, **named)


class _DescribedFields:
    """The fields as `dataclasses` describes them; that module is imported on first use."""

    def __get__(self, _value: Frozen | None, owner: type[Frozen]) -> dict[str, Field[Any]]:
        return _describe(owner)


@cache
def _describe(owner: type[Frozen]) -> dict[str, Field[Any]]:
    import dataclasses

    alike = dataclasses.make_dataclass(owner.__name__, owner._fields)
    return {field.name: field for field in dataclasses.fields(alike)}


class Frozen(metaclass=_FrozenType):
    """An immutable value with the fields of its class body, equal if class and fields are."""

    if TYPE_CHECKING:
        _fields: ClassVar[tuple[str, ...]]
    else:
        __dataclass_fields__ = _DescribedFields()

    def __setattr__(self, name: str, _value: object) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} is frozen: {name} cannot be set")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} is frozen: {name} cannot be deleted")

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self is other or all(getattr(self, name) == getattr(other, name) for name in self._fields)

    def __hash__(self) -> int:
        return hash(tuple([getattr(self, name) for name in self._fields]))

    def __repr__(self) -> str:
        fields = ", ".join([f"{name}={getattr(self, name)!r}" for name in self._fields])
        return f"{type(self).__qualname__}({fields})"

    def __reduce__(self) -> tuple[Any, ...]:
        return _remake, (type(self), {name: getattr(self, name) for name in self._fields})


def _remake(made: type[Frozen], values: dict[str, Any]) -> Frozen:
    return made(**values)
