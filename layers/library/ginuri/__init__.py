"""ginuri: parse, compare and print persistent identifiers, and resolve them."""

from __future__ import annotations

TYPE_CHECKING = False  # type checkers recognise this name; importing `typing` would be slow
if TYPE_CHECKING:
    from ginuri.identifiers import Identifier, Kind, parse
    from ginuri.identifiers.errors import GinuriError, MalformedIdentifier, UnknownScheme
else:

    def __getattr__(name: str) -> object:
        # Imported on first use, so that the command handles Ctrl-C before other imports.
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from ginuri import identifiers
        from ginuri.identifiers import errors

        return getattr(identifiers if hasattr(identifiers, name) else errors, name)


__all__ = ["GinuriError", "Identifier", "Kind", "MalformedIdentifier", "UnknownScheme", "parse"]
