"""Loads pycurl's extension module without its package.

Its package imports modules for asyncio, and so `dataclasses` and `inspect`: 8 ms of a cold start.
"""

from __future__ import annotations

import sys
from importlib.machinery import PathFinder
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import ModuleType

_EXTENSION = "pycurl._pycurl"


def load_libcurl() -> ModuleType:
    """Return pycurl's extension if it is beside its package, else pycurl. Raises ImportError."""
    if (known := sys.modules.get(_EXTENSION)) is not None:
        return known
    package = PathFinder.find_spec("pycurl")
    spec = package and PathFinder.find_spec(_EXTENSION, package.submodule_search_locations or [])
    module = spec.loader.create_module(spec) if spec and spec.loader else None
    if spec is None or spec.loader is None or module is None:
        import pycurl

        return pycurl
    spec.loader.exec_module(module)
    sys.modules[_EXTENSION] = module  # later imports of pycurl get the same module
    return module
