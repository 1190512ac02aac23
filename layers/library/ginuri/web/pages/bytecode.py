"""Compiled templates, stored in `__pycache__` like compiled modules."""

from __future__ import annotations

import hashlib
import os
import sys
from contextlib import suppress
from pathlib import Path
from types import CodeType
from typing import TYPE_CHECKING

import jinja2
from jinja2.bccache import BytecodeCache

if TYPE_CHECKING:
    from jinja2 import Environment
    from jinja2.bccache import Bucket


class TemplateCache(BytecodeCache):
    """Stores the bytecode of the templates of an environment, by default beside that of this module.

    A changed template is compiled again; another version of jinja2 or other options recompile all.
    """

    def __init__(self, environment: Environment, folder: Path | None = None) -> None:
        options = environment.autoescape, environment.trim_blocks, environment.lstrip_blocks
        self._made_by = f"{jinja2.__version__} {options}"
        self._folder = folder or Path(__file__).with_name("__pycache__")

    def get_cache_key(self, name: str, filename: str | None = None) -> str:  # noqa: ARG002  a layer is built in another folder
        """Return the name of a template's file."""
        return f"{name}.{sys.implementation.cache_tag}.jinja"

    def get_source_checksum(self, source: str) -> str:
        """Return a digest of all inputs of the bytecode."""
        return hashlib.sha256(f"{self._made_by}\0{source}".encode()).hexdigest()

    def load_bytecode(self, bucket: Bucket) -> None:
        """Load the bytecode of a template, if it is stored."""
        with suppress(OSError), self._folder.joinpath(bucket.key).open("rb") as file:
            bucket.load_bytecode(file)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Store the bytecode of a template, if the folder is writable; a layer is filled when it is built."""
        if sys.dont_write_bytecode or bucket.code is None:
            return
        with suppress(OSError):
            self._folder.mkdir(exist_ok=True)
            # The path of its source is no part of it: all builders write the same bytes.
            bucket.code = _without_path(bucket.code, bucket.key)
            written = self._folder.joinpath(f"{bucket.key}.{os.getpid()}")
            written.write_bytes(bucket.bytecode_to_string())
            written.replace(self._folder / bucket.key)


def _without_path(code: CodeType, name: str) -> CodeType:
    within = (_without_path(each, name) if isinstance(each, CodeType) else each for each in code.co_consts)
    return code.replace(co_filename=name, co_consts=tuple(within))
