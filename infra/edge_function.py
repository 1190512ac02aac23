"""`python -m infra.edge_function` writes functions/edge/function.js into template.yaml.

CloudFront accepts the code of a function inline only.
"""

import re
from textwrap import indent

from infra.local import ROOT

FUNCTION, TEMPLATE = ROOT / "functions" / "edge" / "function.js", ROOT / "template.yaml"
_BLOCK = re.compile(r"^(?P<indent> +)FunctionCode: \|\n(?:(?P=indent)  .*\n|\n)*(?=\n)", re.MULTILINE)


def with_function(template: str, code: str) -> str:
    """Return the template with `code` in place of the function's."""
    return _BLOCK.sub(
        lambda found: f"{found['indent']}FunctionCode: |\n{indent(code, found['indent'] + '  ')}", template
    )


if __name__ == "__main__":
    written = with_function(TEMPLATE.read_text(encoding="utf-8"), FUNCTION.read_text(encoding="utf-8"))
    TEMPLATE.write_text(written, encoding="utf-8")
