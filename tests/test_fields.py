"""Fields of the library's objects are what their annotations say, however an object was made."""

import importlib
import pkgutil
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import get_type_hints

import numpy as np
import pytest
from numpy.typing import NDArray

import mtlbook_lib
from mtlbook_lib._checks import Array
from mtlbook_lib._fields import Checked
from mtlbook_lib.data.real import digits
from mtlbook_lib.data.teachers import low_rank_teachers
from mtlbook_lib.simulation.engine import Trajectory


@dataclass(frozen=True)
class Thing(Checked):
    _axes = ("rows: row column", "labels: row", "wide: ... column")

    rows: Array
    labels: NDArray[np.int64]
    wide: Array
    names: tuple[str, ...]
    size: float
    n: int
    on: bool
    place: str | None
    values: dict[str, Array]
    pair: tuple[float, float]


@dataclass(frozen=True)
class Open(Checked, gaps=True):
    rows: Array
    size: float


THING = Thing(np.ones((2, 3)), np.array([0, 1]), np.ones((5, 2, 3)), ("a",), 1.0, 2, True, None,
              {"a": np.ones(2)}, (0.0, 1.0))  # fmt: skip
MASKED = np.ma.masked_array(np.ones((2, 3)), np.eye(2, 3, dtype=bool))
REFUSED = [
    *(("rows", value) for value in (None, [], 1, MASKED, np.full((2, 3), np.nan), np.ones((2, 3), dtype=object),
                                    np.ones((2, 3), dtype=str), np.ones(2), np.ones((1, 2, 3)))),
    *(("labels", value) for value in (np.ones(2), np.zeros(3, dtype=int), np.zeros((2, 1), dtype=int), "ab")),
    *(("wide", value) for value in (np.ones((5, 2, 4)), np.array(1.0), None)),
    *(("names", value) for value in ("a", ["a"], ("a", 1), None)),
    *(("size", value) for value in (np.nan, np.inf, "1", None, [1.0])),
    *(("n", value) for value in (1.0, True, None, np.timedelta64(1))),
    *(("on", value) for value in (1, None, "yes")),
    *(("place", value) for value in (1, b"a", ["a"])),
    *(("values", value) for value in (None, [], {"a": None}, {"a": np.array([np.inf])})),
    *(("pair", value) for value in ((1.0,), (0.0, np.nan), [0.0, 1.0])),
]  # fmt: skip


@pytest.mark.parametrize(("name", "value"), REFUSED, ids=lambda part: str(part)[:20])
def test_what_the_annotation_does_not_allow_is_refused_by_the_name_of_the_field(name, value):
    with pytest.raises((TypeError, ValueError), match=rf"^Thing\.{name} must "):
        replace(THING, **{name: value})


@pytest.mark.parametrize(
    ("name", "value"),
    [("rows", np.ones((2, 3), dtype=np.float32)), ("rows", np.ones((2, 3), dtype=int)), ("place", "here"),
     ("labels", np.array([0, 1], dtype=np.int32)), ("wide", np.ones(3)), ("names", ()), ("size", np.float32(2)),
     ("size", 2), ("n", np.int64(3)), ("on", np.bool_(False)), ("values", {}), ("pair", (0, 1))],
)  # fmt: skip
def test_what_it_allows_is_kept_as_it_is(name, value):
    assert getattr(replace(THING, **{name: value}), name) is value


def test_runs_that_did_not_get_there_may_hold_nan():
    found = replace(Open(np.ones(2), 1.0), rows=np.array([np.nan]), size=np.inf)
    assert np.isnan(found.rows).all()
    with pytest.raises(TypeError, match="rows must be an array"):
        replace(found, rows=[np.nan])


def checked() -> list[type]:
    """All classes of the library that check their fields."""
    for module in pkgutil.walk_packages(mtlbook_lib.__path__, "mtlbook_lib."):
        if ".chapters" not in module.name and not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    return [kind for kind in Checked.__subclasses__() if kind.__module__.startswith("mtlbook_lib.")]


def test_every_class_of_them_names_its_axes_rightly_and_has_annotations_that_are_known():
    kinds = checked()
    assert len(kinds) > 30
    for kind in kinds:
        assert is_dataclass(kind), kind
        assert kind.__dataclass_params__.frozen, kind
        assert kind.__post_init__ is Checked.__post_init__, kind
        own, hints = {field.name for field in fields(kind)}, get_type_hints(kind)
        assert own <= set(hints)
        assert {named.split(": ")[0] for named in kind._axes} <= own, kind


@pytest.mark.parametrize("spoil", [None, "text", [], 0, -3.7, np.array([1.0, np.nan]), np.ones((2, 3)), MASKED])
def test_teachers_tasks_and_trajectories_refuse_spoiled_fields(spoil):
    teachers = low_rank_teachers(4, 5, [2.0, 1.0], seeds=[0])
    for name in ("left", "singular_values", "right", "noise", "seeds"):
        with pytest.raises((TypeError, ValueError), match=r"^Teachers\.\w+ must (.|\n)*"):
            replace(teachers, **{name: spoil})
    for name in ("inputs", "targets", "labels"):
        with pytest.raises((TypeError, ValueError), match=r"^RealTask\.\w+ must "):
            replace(digits(), **{name: spoil})
    one = np.ones((1, 1))
    run = Trajectory(np.ones(2), {}, (), one > 0, one > 1, one.astype(int), one, "", "cpu", "float64")
    for name in ("times", "values", "layers", "converged", "steps"):
        if not (name == "times" and np.ndim(spoil) == 1 and np.size(spoil)):
            with pytest.raises((TypeError, ValueError), match=r"^Trajectory\.\w+ must "):
                replace(run, **{name: spoil})


def test_objects_are_equal_where_their_arrays_are():
    one, other = digits(), digits()
    assert one == other
    other.inputs[0, 0] += 1
    assert one != other
    assert one != replace(one, name="others")
    assert one != one.inputs.tolist()


def test_nan_is_equal_to_nan_in_its_place():
    @dataclass(frozen=True)
    class Course(Checked, gaps=True):
        values: dict[str, Array]
        end: float

    def course(*values: float, end: float = np.nan) -> Course:
        return Course({"loss": np.array(values)}, end)

    assert course(1.0, np.nan) == course(1.0, np.nan)
    assert course(1.0, np.nan) != course(np.nan, 1.0)
    assert course(1.0) != course(1.0, 1.0)
    assert course(1.0) != course(1.0, end=0.0)
