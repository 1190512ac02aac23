"""From the row to the stored item, a statement has a typed key; only the stored text has paths."""

import ast
from collections.abc import Iterator
from pathlib import Path

LIBRARY = Path(__file__).parents[2] / "layers" / "library" / "ginuri"
STORED = "registry/record/serialization.py"


def _modules() -> dict[str, ast.Module]:
    files = [
        file for folder in ("registration", "registry/record") for file in (LIBRARY / folder).rglob("*.py")
    ]
    modules = {str(file.relative_to(LIBRARY)): ast.parse(file.read_text()) for file in files}
    assert STORED in modules
    return {name: module for name, module in modules.items() if name != STORED}


def _annotations(module: ast.Module) -> Iterator[str]:
    for node in ast.walk(module):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            arguments = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
            stated = [node.returns, *(argument.annotation for argument in arguments)]
            yield from (ast.unparse(annotation) for annotation in stated if annotation)


def test_registration_and_records_pass_no_bare_paths() -> None:
    passed = {
        (name, annotation)
        for name, module in _modules().items()
        for annotation in _annotations(module)
        if "Path" in annotation or "tuple[str, ...]" in annotation
    }

    assert passed == set()


def test_registration_and_records_have_no_untyped_values() -> None:
    untyped = {
        name
        for name, module in _modules().items()
        for node in ast.walk(module)
        if isinstance(node, ast.Name) and node.id == "Any"
    }

    assert untyped == set()
