"""The engine of every family of students: batches, integrators and descent, recording, results, the device.

A family gives the equations of its layers; the engine steps all networks of a batch at once, each on its own clock,
samples them, and hands back plain arrays with leading axes (seed, setting).
"""

from mtlbook_lib.simulation.engine.batches import (
    Networks,
    covariance_of,
    networks,
    of_tasks,
    paired,
    paired_tasks,
    regression,
    tensor_of,
)
from mtlbook_lib.simulation.engine.descent import Rule, Steps, in_place, run_descent, steps_along, time_constant
from mtlbook_lib.simulation.engine.dormand_prince import DormandPrince, Field, Slope, State
from mtlbook_lib.simulation.engine.draws import factors, haar_layers, normal_layers, shapes, to_layers, widths
from mtlbook_lib.simulation.engine.linear_algebra import (
    Calls,
    Matrices,
    added,
    array_view,
    empty,
    exponential,
    packed,
    product,
    run_calls,
    scaled,
    subtract,
    subtract_product,
)
from mtlbook_lib.simulation.engine.recording import Recorder, trajectory
from mtlbook_lib.simulation.engine.results import Minimum, Trajectory, best
from mtlbook_lib.simulation.engine.runtime import (
    device,
    dtype,
    finest,
    looks_apart,
    on_host,
    profile,
    put,
    stretches,
    to_numpy,
    to_tensor,
)
from mtlbook_lib.simulation.engine.stiff import boosted, by_lu, next_length, nonzero, rosenbrock

__all__ = ["Calls", "DormandPrince", "Field", "Matrices", "Minimum", "Networks", "Recorder", "Rule", "Slope", "State",
           "Steps", "Trajectory", "added", "array_view", "best", "boosted", "by_lu", "covariance_of", "device",
           "dtype", "empty", "exponential", "factors", "finest", "haar_layers", "in_place", "looks_apart", "networks",
           "next_length", "nonzero", "normal_layers", "of_tasks", "on_host", "packed", "paired", "paired_tasks",
           "product", "profile", "put", "regression", "rosenbrock", "run_calls", "run_descent", "scaled", "shapes",
           "steps_along", "stretches", "subtract", "subtract_product", "tensor_of", "time_constant", "to_layers",
           "to_numpy", "to_tensor", "trajectory", "widths"]  # fmt: skip
__dir__ = __all__.copy
