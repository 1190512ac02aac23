"""The leanest resolver with FastAPI: SQLite is read in the event loop; `.venv-peers` has the packages."""

import os
import sqlite3
from typing import Annotated

from fastapi import FastAPI, Header, HTTPException
from fastapi.responses import RedirectResponse

_LOCATION = "SELECT location FROM rules WHERE name = ?"
connection = sqlite3.connect(f"file:{os.environ['DATABASE']}?mode=ro", uri=True, check_same_thread=False)
app = FastAPI()


@app.api_route("/{name:path}", methods=["GET", "HEAD"])  # type: ignore[untyped-decorator]  # its types are not in .venv
async def resolve(name: str, accept: Annotated[str, Header()] = "*/*") -> RedirectResponse:
    """Redirect to the PDF if that is accepted, else to the page."""
    row = connection.execute(_LOCATION, (name,)).fetchone()
    if row is None:
        raise HTTPException(404, "not registered")
    extension = "pdf" if "application/pdf" in accept else "html"
    return RedirectResponse(f"{row[0]}.{extension}", status_code=303)
