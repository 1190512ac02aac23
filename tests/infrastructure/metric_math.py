"""Evaluates the expressions and states of alarms by the documented rules of CloudWatch, which moto does not.

https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/using-metric-math.html
https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/alarms-and-missing-data.html
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any

Points = Sequence[float | None]
"""The data points of a metric, a period each, the newest last; None where there is none."""

_ARITHMETIC: Mapping[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}
_BREACHING: Mapping[str, Callable[[float, float], bool]] = {
    "GreaterThanThreshold": operator.gt,
    "GreaterThanOrEqualToThreshold": operator.ge,
    "LessThanThreshold": operator.lt,
    "LessThanOrEqualToThreshold": operator.le,
}
MORE = 2
"""CloudWatch reads more points than it evaluates: in the documented example two more."""


def evaluate(expression: str, metrics: Mapping[str, Points]) -> list[float | None]:
    """Return the points of an expression; the metrics that it names have equally many."""
    length = len(next(iter(metrics.values())))
    return _evaluate(ast.parse(expression, mode="eval").body, metrics, length)


def _evaluate(node: ast.expr, metrics: Mapping[str, Points], length: int) -> list[float | None]:
    match node:
        case ast.Constant(float() | int() as number):
            return [float(number)] * length
        case ast.Name(name):
            return list(metrics[name])
        case ast.Call(ast.Name("FILL"), [filled, ast.Constant(float() | int() as number)]):
            points = _evaluate(filled, metrics, length)
            return [float(number) if point is None else point for point in points]
        case ast.Call(ast.Name("MAX"), [ast.List(parts)]):
            several = [_evaluate(part, metrics, length) for part in parts]
            return [
                max((point for point in each if point is not None), default=None)
                for each in zip(*several, strict=True)
            ]
        case ast.BinOp(left, operation, right):
            calculate = _ARITHMETIC[type(operation)]
        case ast.Compare(left, [ast.GtE()], [right]):
            calculate = operator.ge
        case _:
            raise ValueError(f"{ast.unparse(node)} is no supported expression")
    sides = (_evaluate(left, metrics, length), _evaluate(right, metrics, length))
    constant = [isinstance(side, ast.Constant) for side in (left, right)]
    return [_combine(calculate, pair, constant) for pair in zip(*sides, strict=True)]


def _combine(
    calculate: Callable[[float, float], float], pair: tuple[float | None, ...], constant: list[bool]
) -> float | None:
    """Combine two points; a missing one is 0 beside another series, and there is no point without any."""
    if all(point is None or number for point, number in zip(pair, constant, strict=True)):
        return None
    left, right = (0.0 if point is None else point for point in pair)
    try:
        return float(calculate(left, right))
    except ZeroDivisionError:
        return None


def rings(alarm: Mapping[str, Any], points: Points) -> bool:
    """Whether these newest points put a quiet alarm into the state ALARM."""
    evaluated = int(alarm["EvaluationPeriods"])
    is_beyond = _BREACHING[alarm["ComparisonOperator"]]
    breaching = [
        is_beyond(point, float(alarm["Threshold"]))
        for point in points[-(evaluated + MORE) :]
        if point is not None
    ][-evaluated:]
    missing = evaluated - len(breaching)
    if missing and alarm["TreatMissingData"] == "ignore":
        return False
    if alarm["TreatMissingData"] == "breaching":
        breaching += [True] * missing
    return sum(breaching) >= int(alarm.get("DatapointsToAlarm", evaluated))
