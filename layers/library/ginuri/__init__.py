"""ginuri: parse, compare and print persistent identifiers, and resolve them."""

from __future__ import annotations

TYPE_CHECKING = False  # as type checkers know it, without the import of `typing`
if TYPE_CHECKING:
    from ginuri.identifiers import Identifier, Kind, parse
    from ginuri.identifiers.errors import GinuriError, MalformedIdentifier, UnknownScheme
else:

    def __getattr__(name: str) -> object:
        # Imported when asked for: the command handles Ctrl-C before anything else.
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from ginuri import identifiers
        from ginuri.identifiers import errors

        return getattr(identifiers if hasattr(identifiers, name) else errors, name)


__all__ = ["GinuriError", "Identifier", "Kind", "MalformedIdentifier", "UnknownScheme", "parse"]
