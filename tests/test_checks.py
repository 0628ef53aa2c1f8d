"""The argument checks: what passes, in which form, and what each refusal says."""

import numpy as np
import pytest

from mtlbook_lib import _checks

METHODS = ("gradient", "shrinkage")
NUMBERS = [0.5, 2, True, np.float64(0.5), np.float32(0.5), np.int64(3), [1, 2.5], np.eye(2), np.array(0.25), []]


class Unshown:
    def __repr__(self):
        raise RuntimeError


class TooLarge:
    def __array__(self, *_, **__):
        raise MemoryError

    def __repr__(self):
        return "TooLarge()"


@pytest.mark.parametrize("value", NUMBERS, ids=repr)
def test_numbers_become_new_float64_arrays_of_the_same_shape(value):
    array = _checks.real_array("x", value)
    assert array.dtype == np.float64
    assert array is not value
    np.testing.assert_array_equal(array, np.array(value, dtype=float), strict=True)
    assert array.flags.writeable
    assert not np.shares_memory(array, np.asarray(value))


def test_bounds_keep_their_ends():
    assert _checks.nonnegative("x", 0.0) == 0
    np.testing.assert_array_equal(_checks.within("x", [0.0, 1.0], 0, 1), [0, 1])
    assert _checks.positive("x", 5e-324) > 0
    assert isinstance(_checks.scalar("x", np.float32(0.5)), float)


NOT_FINITE = [np.nan, np.inf, -np.inf, np.float64("nan"), np.float32("inf"), [1.0, np.nan], np.array(-np.inf)]


@pytest.mark.parametrize("check", [_checks.real_array, _checks.positive, _checks.nonnegative])
@pytest.mark.parametrize("value", NOT_FINITE, ids=repr)
def test_what_is_not_finite_is_refused(check, value):
    with pytest.raises(ValueError, match=r"x must be finite; got .* Remove the NaN or infinite entries"):
        check("x", value)


BAD = [
    (lambda: _checks.real_array("x", np.array([np.longdouble("1e4000")])), ValueError, "x must be finite"),
    (lambda: _checks.real_array("x", "1"), TypeError, "x must be real numbers; got '1'. Pass a float"),
    (lambda: _checks.real_array("x", 1j), TypeError, "x must be real numbers; got 1j"),
    (lambda: _checks.real_array("x", None), TypeError, "x must be real numbers; got None"),
    (lambda: _checks.real_array("x", 10**30), TypeError, "x must be real numbers"),
    (lambda: _checks.real_array("x", 0.5, ndim=1), ValueError, r"x must have 1 axes; got shape \(\)"),
    (lambda: _checks.positive("x", 0.0), ValueError, r"x must be greater than 0; got 0\.0"),
    (lambda: _checks.positive("x", [1, -2]), ValueError, r"x must be greater than 0; got \[1, -2\]"),
    (lambda: _checks.nonnegative("x", -1e-300), ValueError, "x must be 0 or greater; got -1e-300"),
    (lambda: _checks.within("x", 1.5, 0, 1), ValueError, r"x must lie in \[0, 1\]; got 1\.5"),
    (lambda: _checks.within("x", [0.5, -0.5], 0, 1), ValueError, r"x must lie in \[0, 1\]"),
    (lambda: _checks.scalar("x", [1.0]), TypeError, r"x must be a single number; got an array of shape \(1,\)"),
    (lambda: _checks.broadcast(a=np.ones(2), b=np.ones(3)), ValueError, r"a, b must have shapes .* \(2,\), \(3,\)"),
    (lambda: _checks.count("n", 1.0), TypeError, r"n must be an integer; got 1\.0"),
    (lambda: _checks.count("n", True), TypeError, "n must be an integer; got True"),
    (lambda: _checks.count("n", np.array(2)), TypeError, r"n must be an integer; got array\(2\)"),
    (lambda: _checks.count("n", 1, minimum=2), ValueError, "n must be at least 2; got 1"),
    (lambda: _checks.whole("n", 10**30), ValueError, r"n must be at most 2\*\*53; got an integer of 100 bits"),
    (lambda: _checks.whole("n", 10**5000), ValueError, r"n must be at most 2\*\*53"),
    (lambda: _checks.count("n", 10**7 + 1), ValueError, r"n must be at most 10000000; got 10000001\."),
    (lambda: _checks.place("task", 3, 3, "task"), ValueError, r"task must be the place of a task, 0 to 2; got 3\."),
    (lambda: _checks.count("n", 11, maximum=10), ValueError, r"n must be at most 10; got 11\."),
    (lambda: _checks.count("n", 10**30, maximum=10), ValueError, r"n must be at most 10; got an integer of 100 bits"),
    (lambda: _checks.real_array("x", [[1.0], [1.0, 2.0]]), ValueError, r"x must have rows of equal length; got \[\[1"),
    (lambda: _checks.counts("n", [1, 0]), ValueError, r"n must be at least 1; got \[1, 0\]"),
    (lambda: _checks.counts("n", [[1], [1, 2]]), ValueError, "n must have rows of equal length"),
    (lambda: _checks.real_array("x", 10**5000), TypeError, "x must be real numbers; got an integer too long to show"),
    (lambda: _checks.real_array("x", TooLarge()), ValueError, "x must fit in memory; got TooLarge"),
    (lambda: _checks.real_array("x", Unshown()), TypeError, "x must be real numbers; got an object of type Unshown"),
    (lambda: _checks.count("n", Unshown()), TypeError, "n must be an integer; got an object of type"),
    (lambda: _checks.in_scale("s", [1.0, 1e51]), ValueError, r"s must lie in \[1e-50, 1e\+50\]; got \[1.0, 1e\+51\]"),
    (lambda: _checks.in_scale("s", 1e-51), ValueError, r"s must lie in \[1e-50"),
    (lambda: _checks.in_scale("s", 0.0), ValueError, "s must be greater than 0"),
    (lambda: _checks.bounded("x", -1e51), ValueError, r"x must be at most 1e\+50 in size; got -1e\+51"),
    (lambda: _checks.bounded("x", -1.0, _checks.nonnegative), ValueError, "x must be 0 or greater"),
    (lambda: _checks.function("f", 1.0), TypeError, "f must be a function; got 1.0"),
    (lambda: _checks.sequence("xs", "text"), TypeError, "xs must be a sequence, with one entry for each; got 'text'"),
    (lambda: _checks.sequence("xs", np.array(1.0)), TypeError, "xs must be a sequence"),
    (lambda: _checks.one_of("method", "newton", METHODS), ValueError, "one of 'gradient', 'shrinkage'; got 'newton'"),
    (lambda: _checks.one_of("method", np.array(METHODS), METHODS), TypeError, r"method must be one of .* array\(\["),
    (lambda: _checks.one_of("method", np.eye(2), METHODS), TypeError, "method must be one of"),
    (lambda: _checks.one_of("method", ["gradient"], METHODS), TypeError, r"method must be one of .*\['gradient'\]"),
    (lambda: _checks.one_of("method", None, METHODS), TypeError, "method must be one of .* got None"),
    (lambda: _checks.flag("joint", np.array([True, False])), TypeError, "joint must be True or False; got array"),
    (lambda: _checks.flag("joint", 1), TypeError, "joint must be True or False; got 1"),
    (lambda: _checks.increasing("x", [1.0, 1.0]), ValueError, r"x must be an increasing list .* got \[1.0, 1.0\]"),
    (lambda: _checks.increasing("x", [2.0, 3.0, 1.0]), ValueError, "x must be an increasing list"),
    (lambda: _checks.increasing("x", []), ValueError, r"at least one number; got \[\]"),
    (lambda: _checks.increasing("x", 1.0), ValueError, "x must be an increasing list"),
    (lambda: _checks.increasing("x", [-1.0, 1.0], _checks.nonnegative), ValueError, "x must be 0 or greater"),
    (lambda: _checks.share("x", 0.0), ValueError, "x must be greater than 0; got 0.0"),
    (lambda: _checks.share("x", 1.01), ValueError, r"x must lie in \[0, 1\]; got 1.01"),
    (lambda: _checks.instance("rows", 3, slice), TypeError, "rows must be a slice; got 3"),
    (lambda: _checks.instance("rows", "x" * 79, slice), TypeError, rf"must be a slice; got '{'x' * 76}\.\.\.\.$"),
    (lambda: _checks.instance("rows", "x" * 78, slice), TypeError, rf"must be a slice; got '{'x' * 78}'\.$"),
    (lambda: _checks.mapping("observe", [1]), TypeError, r"observe must be a mapping, such as a dict; got \[1\]"),
    (lambda: _checks.generator("rng", 3), TypeError, r"rng must be a numpy.random.Generator \(default_rng\(seed\)\)"),
]


@pytest.mark.parametrize(("call", "error", "message"), BAD)
def test_refusals_name_the_argument_and_what_it_was(call, error, message):
    with np.errstate(over="raise"), pytest.raises(error, match=message):  # no warning before it either
        call()


def test_counts_names_and_flags_come_back_as_python_types():
    assert type(_checks.whole("n", np.int64(2**53))) is int
    assert type(_checks.count("n", np.int64(10**7))) is int
    assert type(_checks.one_of("method", np.str_("gradient"), METHODS)) is str
    assert _checks.flag("joint", np.bool_(False)) is False


def test_scales_sequences_and_functions_come_back():
    np.testing.assert_array_equal(_checks.in_scale("s", [1e-50, 1e50]), [1e-50, 1e50])
    np.testing.assert_array_equal(_checks.bounded("x", [0.0, -1e50]), [0.0, -1e50])
    assert _checks.sequence("xs", (1, 2)) == _checks.sequence("xs", np.array([1, 2])) == [1, 2]
    assert _checks.function("f", abs) is abs
    assert _checks.instance("rows", slice(2), slice) == slice(2)
    assert _checks.mapping("observe", {"a": 1}) == {"a": 1}
    assert _checks.share("x", 1.0) == 1.0


def test_broadcast_brings_all_to_the_common_shape():
    a, b = _checks.broadcast(a=np.arange(3.0), b=np.array(2.0))
    np.testing.assert_array_equal(b, [2, 2, 2])
    np.testing.assert_array_equal(a, [0, 1, 2])
    same = np.ones((2, 3))
    assert all(array.shape == (2, 3) for array in _checks.broadcast(a=same, b=2 * same))


@pytest.mark.parametrize(
    ("value", "error", "told"), [(bytearray(b"1"), TypeError, "not bytes"), (np.ones((1,) * 33), ValueError, "32 axes")]
)
def test_bytes_and_too_many_axes_are_refused(value, error, told):
    with pytest.raises(error, match=f"x must .*{told}"):
        _checks.real_array("x", value)
