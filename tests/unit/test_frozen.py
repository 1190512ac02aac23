"""Frozen values behave like dataclasses, without importing `dataclasses`."""

from __future__ import annotations

import copy
import dataclasses
import pickle
import subprocess
import sys

import pytest

from ginuri.frozen import NOTHING, Frozen, replace
from infra.local import ROOT


class Place(Frozen):
    name: str
    height: int = 0


class Town(Place):
    people: int = 1


class Stop(Frozen, kw_only=True):
    line: str = "1"
    name: str


class Nowhere(Frozen):
    pass


def test_fields_are_set_in_order_or_by_name() -> None:
    assert Place("Tucson", height=728) == Place(height=728, name="Tucson")
    assert Town("Tucson", 728, 500_000).people == 500_000


def test_a_field_without_a_default_must_be_given() -> None:
    with pytest.raises(TypeError, match="name"):
        Place()  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="positional"):
        Stop("1")  # type: ignore[call-arg]


def test_keyword_arguments_allow_a_required_field_after_a_default() -> None:
    assert Stop(name="Main Street").line == "1"


def test_a_subclass_extends_its_base_class() -> None:
    assert Place("Tucson").height == 0
    assert Town("Tucson", people=2).people == 2


def test_a_value_is_immutable() -> None:
    place = Place("Tucson")

    with pytest.raises(AttributeError, match="frozen"):
        place.height = 1  # type: ignore[misc]
    with pytest.raises(AttributeError, match="frozen"):
        del place.name
    with pytest.raises(AttributeError):
        place.river = "Santa Cruz"
    assert not hasattr(place, "__dict__")


def test_values_are_equal_if_their_class_and_all_fields_are() -> None:
    assert Place("a") == Place("a")
    assert Place("a") != Place("a", 1)
    assert Place("a") != Town("a")
    assert Nowhere() == Nowhere()
    assert len({Place("a"), Place("a"), Place("b"), Nowhere()}) == 3


def test_a_value_is_matched_by_position_and_by_name() -> None:
    match Town("Tucson", 728, 2):
        case Place(name, height):
            assert (name, height) == ("Tucson", 728)
        case _:
            pytest.fail("a town is a place")


def test_a_value_shows_its_fields() -> None:
    assert repr(Place("Tucson")) == "Place(name='Tucson', height=0)"


def test_replacing_keeps_the_original_value() -> None:
    town = Town("Tucson", 728)

    assert replace(town, people=5) == Town("Tucson", 728, 5)
    assert town.people == 1


def test_the_tools_for_dataclasses_accept_it() -> None:
    place = Place("Tucson", 728)

    assert [field.name for field in dataclasses.fields(place)] == ["name", "height"]
    assert dataclasses.asdict(place) == {"name": "Tucson", "height": 728}
    assert dataclasses.replace(place, height=1) == Place("Tucson", 1)
    assert dataclasses.is_dataclass(Place)


def test_a_value_is_copied_and_pickled() -> None:
    stop = Stop(name="Main Street")

    assert copy.deepcopy(stop) == stop
    assert pickle.loads(pickle.dumps(stop)) == stop  # noqa: S301  our own


def test_the_default_of_mappings_is_empty() -> None:
    assert NOTHING == {}


def test_neither_dataclasses_nor_inspect_are_imported() -> None:
    program = (
        "import sys\nfrom ginuri.frozen import Frozen, replace\n"
        "class A(Frozen):\n    __annotations__ = {'a': int}\n"
        "assert replace(A(1), a=2) == A(2)\nprint({'dataclasses', 'inspect', 'typing'} & set(sys.modules))"
    )
    ran = subprocess.run(  # noqa: S603  our own source
        [sys.executable, "-Sc", program],
        env={"PYTHONPATH": str(ROOT / "layers/library")},
        capture_output=True,
        text=True,
        check=False,
    )

    assert (ran.stdout, ran.stderr) == ("set()\n", "")
