"""Lists the identifiers under a prefix or in a collection, from indexes that contain their names."""

from __future__ import annotations

from ginuri.identifiers.stewards import steward_below
from ginuri.registry.ports import MOST_MEMBERS, NamePage
from ginuri.sqlite.database import Database

# RFC 3986 §2: an identifier in normal form has only characters from "!" to "~".
_LEAST, _BEYOND = "!", "\x7f"


class SqliteBeginnings:
    """Lists the beginnings of rules, for all who read the registry."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def beginnings(self, prefix: str, start: str = "", after: str = "", most: int = MOST_MEMBERS) -> NamePage:
        """Return a page of the beginnings of the rules of a prefix. Raises RegistryUnavailable."""
        rows = self._database.read(
            "SELECT beginning FROM beginning WHERE prefix = ? AND beginning >= ? AND beginning < ?"
            " ORDER BY beginning LIMIT ?",
            (prefix, max(start, after + _LEAST), start + _BEYOND, most),
        )
        found = tuple(beginning for (beginning,) in rows)
        return NamePage(found, found[-1] if len(found) == most else None)


class SqliteMemberLister(SqliteBeginnings):
    """Reads the indexes `members`, `collections` and `narrower`; every record that is written is in them."""

    def members(self, prefix: str, after: str = "", most: int = MOST_MEMBERS) -> NamePage:
        """Return a page of identifiers. Raises RegistryUnavailable."""
        return self._page("steward", steward_below(prefix), (prefix, after), most)

    def count(self, prefix: str, most: int) -> int:
        """Count identifiers, up to `most`. Raises RegistryUnavailable."""
        rows = self._database.read(
            "SELECT count(*) FROM (SELECT 1 FROM record"
            " WHERE steward = ? AND identifier >= ? AND identifier < ? LIMIT ?)",
            (steward_below(prefix), prefix, prefix + _BEYOND, most),
        )
        counted: int = rows[0][0]
        return counted

    def parts(self, collection: str, after: str = "", most: int = MOST_MEMBERS) -> NamePage:
        """Return a page of the parts of a collection. Raises RegistryUnavailable."""
        return self._page("collection", collection, ("", after), most)

    def narrower(self, broader: str, after: str = "", most: int = MOST_MEMBERS) -> NamePage:
        """Return a page of the types below another. Raises RegistryUnavailable."""
        return self._page("broader", broader, ("", after), most)

    def _page(self, attribute: str, value: str, begin: tuple[str, str], most: int) -> NamePage:
        prefix, after = begin
        rows = self._database.read(
            f"SELECT identifier FROM record WHERE {attribute} = ? AND identifier >= ? AND identifier < ?"  # noqa: S608  one of three columns
            " ORDER BY identifier LIMIT ?",
            (value, max(prefix, after + _LEAST), prefix + _BEYOND, most),
        )
        names = tuple(name for (name,) in rows)
        return NamePage(names, names[-1] if len(names) == most else None)
