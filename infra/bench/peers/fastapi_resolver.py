"""A resolver after the tutorials of FastAPI and SQLAlchemy; `.venv-peers` has the packages."""

import os
from typing import Annotated

from fastapi import FastAPI, Header, HTTPException
from fastapi.responses import RedirectResponse
from sqlalchemy import create_engine
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column


class Base(DeclarativeBase):  # type: ignore[misc]  # its types are not in .venv
    """The tables."""


class Rule(Base):
    """The location of a name."""

    __tablename__ = "rules"
    name: Mapped[str] = mapped_column(primary_key=True)
    location: Mapped[str]


engine = create_engine(f"sqlite:///{os.environ['DATABASE']}")
app = FastAPI()


@app.get("/{name:path}")  # type: ignore[untyped-decorator]  # its types are not in .venv
def resolve(name: str, accept: Annotated[str, Header()] = "*/*") -> RedirectResponse:
    """Redirect to the PDF if that is accepted, else to the page."""
    with Session(engine) as session:
        rule = session.get(Rule, name)
    if rule is None:
        raise HTTPException(404, "not registered")
    extension = "pdf" if "application/pdf" in accept else "html"
    return RedirectResponse(f"{rule.location}.{extension}", status_code=303)
