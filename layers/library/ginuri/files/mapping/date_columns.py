"""Reads the option `dates`, an order for all columns or by column: `Sampled=day-first,Issued=month-first`."""

from __future__ import annotations

from collections.abc import Mapping

from ginuri.files.dates import DateOrder
from ginuri.files.mapping.columns import ALL_DAYS, split_names, write_names
from ginuri.registration.verdicts import Finding, refuse


def read_orders(text: str) -> Mapping[str, DateOrder] | Finding:
    """Read the orders of dates by column, or return the finding against them.

    >>> {name: str(order) for name, order in read_orders("day-first,Issued=month-first").items()}
    {'': 'day-first', 'Issued': 'month-first'}
    """
    orders: dict[str, DateOrder] = {}
    # dates = order / column "=" order
    for stated in split_names(text):
        name, equals, order = (piece.strip() for piece in stated.rpartition("="))
        if order not in {*DateOrder} or name in orders or bool(name) != bool(equals):
            return refuse(
                "",
                "dates",
                stated,
                "State the order of dates as {orders}, or once for a column, such as {example}.",
                orders=", ".join(DateOrder),
                example=f"Issued={DateOrder.DAY_FIRST}",
            )
        orders[name or ALL_DAYS] = DateOrder(order)
    return orders


def write_orders(orders: Mapping[str, DateOrder]) -> str:
    """Write the orders of dates as the value of the option.

    >>> write_orders({"Issued": DateOrder.DAY_FIRST, "Valid, until": DateOrder.MONTH_FIRST})
    'Issued=day-first,"Valid, until=month-first"'
    """
    return write_names([f"{name}={order}" if name else order for name, order in orders.items()])
