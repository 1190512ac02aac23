"""The settings that a registry folder keeps."""

from __future__ import annotations

import secrets
from dataclasses import dataclass

from ginuri.sqlite.database import Database

CANONICAL_HOST, PROXIES = "canonical_host", "proxies"
"""The settings that are stated once."""
ADDRESS, REPORTS_ADDRESS = "address", "reports_address"
"""The addresses of the service and of the list of reports of the last server, for commands."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings by name, and the identity of the registry. All methods raise RegistryUnavailable."""

    database: Database

    def get(self, name: str) -> str | None:
        """Return a setting; None if it was never set."""
        rows = self.database.read("SELECT value FROM setting WHERE name = ?", [name])
        return str(rows[0][0]) if rows else None

    def set(self, name: str, value: str | None) -> None:
        """Set a setting; None removes it."""
        with self.database.write() as connection:
            if value is None:
                connection.execute("DELETE FROM setting WHERE name = ?", [name])
            else:
                connection.execute("INSERT OR REPLACE INTO setting VALUES (?, ?)", [name, value])

    def identity(self) -> str:
        """Return the text that a registry has in common with its backups only."""
        known = self.get("identity")
        if known is None:
            with self.database.write() as connection:
                new = secrets.token_hex(16)
                connection.execute("INSERT OR IGNORE INTO setting VALUES ('identity', ?)", [new])
            known = self.get("identity")
        return str(known)
