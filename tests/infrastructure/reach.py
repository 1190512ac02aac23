"""The source that a handler can reach: the definitions it names, those that these name, and so on.

A function may import a module and use its reading class only; so this counts definitions, not modules.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOTS = ("functions", "layers/library")


class Module:
    """One module of the project: its top-level definitions, and the names that it imports."""

    def __init__(self, path: Path) -> None:
        self.tree = ast.parse(path.read_text(encoding="utf-8"))
        self.definitions: dict[str, ast.stmt] = {}
        self.imports: dict[str, tuple[str, str]] = {}
        for statement in self.tree.body:
            self.definitions |= dict.fromkeys(_defined(statement), statement)
        for node in ast.walk(self.tree):
            if isinstance(node, ast.ImportFrom):
                self.imports |= {
                    alias.asname or alias.name: (node.module or "", alias.name) for alias in node.names
                }


def reached(root: Path, handler: str) -> list[ast.AST]:
    """Return the handler's module, and every definition of the project that it reaches, as syntax trees.

    `handler` is written as for Lambda: `resolve.handler.handle`. Raises FileNotFoundError.
    """
    name = handler.rpartition(".")[0]
    seen: dict[tuple[str, str], ast.AST] = {}
    start = _module(root, name)
    if start is None:
        raise FileNotFoundError(name)
    waiting = [(name, mentioned) for mentioned in _names(start.tree)]
    while waiting:
        where = _place(root, *waiting.pop())
        if where is None or where in seen:
            continue
        seen[where] = _tree(root, *where)
        waiting += [(where[0], mentioned) for mentioned in _names(seen[where])]
    return [start.tree, *seen.values()]


def _place(root: Path, module: str, name: str) -> tuple[str, str] | None:
    """Find the definition of a name in a module; None if that is not in our source.

    A module that is imported by name counts as a whole: the place `(module, "")`.
    """
    if _module(root, f"{module}.{name}") is not None:
        return f"{module}.{name}", ""
    found = _module(root, module)
    if found is None:
        return None
    if name in found.definitions:
        return module, name
    if name in found.imports:
        return _place(root, *found.imports[name])
    return None


def _tree(root: Path, module: str, name: str) -> ast.AST:
    found = _module(root, module)
    assert found is not None
    return found.definitions[name] if name else found.tree


@cache
def _module(root: Path, name: str) -> Module | None:
    place = Path(*name.split("."))
    for base in ROOTS:
        for path in (root / base / place.with_suffix(".py"), root / base / place / "__init__.py"):
            if path.is_file():
                return Module(path)
    return None


def _names(tree: ast.AST) -> Iterator[str]:
    return (node.id for node in ast.walk(tree) if isinstance(node, ast.Name))


def _defined(statement: ast.stmt) -> list[str]:
    match statement:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return [name]
        case ast.Assign(targets=targets):
            return [node.id for target in targets for node in ast.walk(target) if isinstance(node, ast.Name)]
        case ast.AnnAssign(target=ast.Name(id=name)):
            return [name]
        case _:
            return []
