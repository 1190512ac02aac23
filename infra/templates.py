"""`python -m infra.templates` compiles the templates of pages, as `python -m compileall` compiles modules.

`infra/build` does so with the runtime's Python and the jinja2 of the layer of pages.
"""

from __future__ import annotations

import sys

from ginuri.descriptions.html.page import page_environment
from ginuri.i18n.catalogue import ENGLISH


def compile_templates() -> None:
    """Compile each template of the service; they are the same in every language."""
    environment = page_environment(ENGLISH)
    for name in environment.list_templates():
        environment.get_template(name)


if __name__ == "__main__":
    sys.dont_write_bytecode = False
    compile_templates()
