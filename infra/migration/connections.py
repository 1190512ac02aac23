"""Asks a server on this machine for redirects, and writes its answers in a comparable way."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException

from ginuri.files.repairs.locations import encode_host

_NOTHING = {403, 404}
"""Apache httpd answers 403 for a folder without rules for it."""


@dataclass(frozen=True, slots=True)
class Answered:
    """The status and the location of an answer."""

    status: int
    location: str = ""

    @property
    def outline(self) -> str:
        """The kind of the answer."""
        return f"{self.status}{' …' if self.location else ''}"

    def __str__(self) -> str:
        return f"{self.status} {self.location}".strip()


class Asker:
    """Keeps a connection to a server of a host."""

    def __init__(self, port: int, host: str, folder: str = "") -> None:
        self._host, self._folder = host, folder
        self._port = port
        self._connection = HTTPConnection("127.0.0.1", port, timeout=60)

    def ask(self, target: str, headers: Mapping[str, str]) -> Answered:
        """Send a GET request, and return its answer."""
        for _ in range(3):  # a kept connection may have been closed
            try:
                self._connection.request("GET", target, headers={"Host": self._host, **headers})
                response = self._connection.getresponse()
                response.read()
            except (HTTPException, OSError):
                self._connection.close()
                self._connection = HTTPConnection("127.0.0.1", self._port, timeout=60)
                continue
            return self.comparable(response.status, response.getheader("Location", ""))
        return Answered(0)

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def comparable(self, status: int, location: str) -> Answered:
        """Return an answer without the differences between two servers of a host."""
        return Answered(404 if status in _NOTHING else status, self._normalise(location))

    def _normalise(self, location: str) -> str:
        """Leave out the protocol of the host, the folder of the server, and the case of escapes.

        A host is written in ASCII characters; Apache httpd sends it as its configuration has it.
        """
        if not location.isascii():
            location = encode_host(location.encode("latin-1").decode(errors="replace"))
        own = re.sub(rf"^https?://{re.escape(self._host)}(?::\d+)?(?=/|$)", "", location)
        if self._folder:
            own = own.replace(self._folder, "", 1)
        return re.sub(r"%[0-9a-fA-F]{2}", lambda found: found[0].upper(), own)
