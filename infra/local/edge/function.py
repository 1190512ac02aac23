"""The CloudFront function of viewer requests, run by Duktape, an engine of strict ECMAScript 5.1."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import dukpy

Fields = tuple[tuple[str, str], ...]
"""Header fields, names in lower case; a repeated field is listed as often as it was sent."""

# The objects that CloudFront provides beside the event ("Helper methods", CloudFront Developer Guide).
_AROUND = """
var answer = function (text) {
  var event = JSON.parse(text);
  var query = event.query;
  event.request.rawQueryString = function () { return query; };
  return JSON.stringify(handler(event));
};
"""


class FunctionFailed(RuntimeError):
    """Raised when the function threw an error; CloudFront then answers 503."""


@dataclass(frozen=True)
class ViewerRequest:
    """A request at an edge; `path` and `query` are raw."""

    method: str
    path: str
    query: str
    headers: Fields


class ViewerFunction:
    """A function of the runtime cloudfront-js-2.0. The engine starts with the first call, in its thread."""

    def __init__(self, code: str) -> None:
        self._code = code
        self._engine: dukpy.JSInterpreter | None = None

    def __call__(self, request: ViewerRequest) -> ViewerRequest:
        """Return the request that the function makes of another. Raises FunctionFailed."""
        try:
            if self._engine is None:
                self._engine = dukpy.JSInterpreter()
                self._engine.evaljs(f"{self._code}\n{_AROUND}\nnull")
            written = self._engine.evaljs("answer(dukpy.text)", text=_write_event(request))
        except dukpy.JSRuntimeError as error:
            raise FunctionFailed(str(error)) from error
        return ViewerRequest(request.method, request.path, request.query, _read_fields(json.loads(written)))


def _write_event(request: ViewerRequest) -> str:
    """Return the event of a request as JSON, with its raw query beside it (see _AROUND)."""
    fields: dict[str, list[str]] = {}
    for name, value in request.headers:
        fields.setdefault(name, []).append(value)
    headers = {name: _write_field(values) for name, values in fields.items()}
    sent = {"method": request.method, "uri": request.path, "querystring": {}, "headers": headers}
    event = {"version": "1.0", "context": {"eventType": "viewer-request"}, "request": sent}
    return json.dumps({**event, "query": request.query})


def _read_fields(request: Mapping[str, Any]) -> Fields:
    """Return the header fields of a request that a function returned."""
    return tuple(
        (name, value["value"])
        for name, field in request["headers"].items()
        for value in field.get("multiValue", [field])
    )


def _write_field(values: list[str]) -> dict[str, Any]:
    field: dict[str, Any] = {"value": values[0]}
    if len(values) > 1:
        field["multiValue"] = [{"value": value} for value in values]
    return field
