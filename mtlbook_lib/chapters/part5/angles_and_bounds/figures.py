"""The figures of the chapter on angles and bounds: worst pairs, many inputs, slack, and what bounds say of transfer."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters import style
from mtlbook_lib.chapters.style import Curve, Figure, Frame, Panels
from mtlbook_lib.statistics import mean_and_error


def worst_panels(
    conditions: Array, angles: Array, sines: Array, bound: Array, errors: Array, error_bound: Array
) -> Panels:
    """Least sine after the inputs against the sine before, and largest error; (condition, angle) each.

    `bound` and `error_bound` are on a finer grid of angles than the searches, with the angles in their last row.
    """
    first, ax = style.panel("sine of the angle before", "least sine after", "a", log="y")
    second, other = style.panel("sine of B and θ₂", "largest relative error", "b", log="y", xlim=(0, 1.05))
    fine, x = np.sin(bound[-1]), np.sin(angles)
    for i, (kappa, colour) in enumerate(zip(conditions, style.sequence(len(conditions)), strict=True)):
        style.line(ax, fine, bound[i], color=colour)
        style.points(ax, x, sines[i], color=colour)
        words: dict[str, Any] = {"color": colour, "ha": "right"}
        lift, side = (1.3, "bottom") if i == 0 else (0.75, "top")
        style.label(ax, 0.8, float(np.interp(0.7, fine, bound[i])) * lift, f"κ = {kappa:g}", va=side, **words)
        style.line(other, fine, error_bound[i], color=colour)
        style.points(other, x, errors[i], color=colour)
        lift, side = (0.75, "top") if i == 0 else (1.3, "bottom")
        style.label(other, 0.8, float(np.interp(0.7, fine, error_bound[i])) * lift, f"κ = {kappa:g}", va=side, **words)
    style.line(ax, fine, fine / max(conditions) ** 2, color="printed", ls="--", lw=0.9)
    style.label(ax, 0.45, 0.45 / max(conditions) ** 2 * 0.5, f"printed, κ = {max(conditions):g}", color="printed")
    return [first, second], [
        "Least sine after inputs of given condition number against the sine before: searches lie on the sharp bound, "
        "above the printed one, which is lower by a further factor of the condition number.",
        "Largest relative error of the target's model against the sine of its angle to the shared direction: searches "
        "lie on straight lines of slope half of the condition number plus its inverse.",
    ]


def many_inputs_panels(run: Any, line: Array, limit: float) -> Panels:
    """Relative error of the target in ``ManyInputs``, for sources as large as printed (with `line`) and as repaired."""
    inputs, bound, printed, repaired = run.inputs, run.bound.mean(axis=0), run.printed, run.repaired.mean(axis=0)
    fig, ax = style.panel("inputs d", "relative error of the target", log="x", width=4.6, ylim=(0, 1.02))
    style.threshold(ax, y=limit)
    style.label(ax, float(inputs[0]), limit + 0.02, "printed bound, 6c")
    style.line(ax, inputs, line, color="multi")
    style.points(ax, inputs, *mean_and_error(printed), color="multi")
    style.line(ax, inputs, bound, color="theory")
    style.points(ax, inputs, *mean_and_error(run.repaired), color="simulation")
    style.label(ax, float(inputs[0]), float(line[0]) + 0.18, "source as printed", color="multi")
    style.label(ax, float(inputs[-1]), float(bound[-1]) + 0.04, "repaired: bound and error", color="theory", ha="right")
    alt = (
        f"Relative error of the target against the number of inputs. With a source as large as printed it rises from "
        f"{printed[:, 0].mean():.2f} to {printed[:, -1].mean():.2f} and crosses the bound of {limit:.2f}; "
        f"with one as large as the repaired theorem asks it stays at {repaired.max():.2f} or less."
    )
    return [fig], [alt]


def slack_panels(problems: Any) -> Panels:
    """Found against bounded, an entry for each of ``Problems``: angles of the shared direction, errors."""
    angle, error, bound, printed = problems.angle, problems.error, problems.error_bound, problems.printed
    first, ax = style.panel("angle to the source's model", "its bound", "a", log="xy")
    style.points(ax, angle, problems.angle_bound, ms=2)
    _diagonal(ax, angle)
    second, other = style.panel("relative error of the target", "its bound", "b", log="xy")
    style.points(other, error, np.where(np.isfinite(printed), printed, np.nan), color="printed", ms=2, label="printed")
    style.points(other, error, np.where(np.isfinite(bound), bound, np.nan), ms=2, label="repaired")
    _diagonal(other, error)
    style.plain_ticks(other.xaxis)
    style.legend(other, "upper left", markerscale=2)
    applies = np.isfinite(printed)
    return [first, second], [
        f"Angle of the shared direction and the source's model against its bound in {angle.size} problems: all points "
        f"lie above the diagonal.",
        f"Relative error of the target against its repaired bound, which lies above by a median factor of "
        f"{np.median(bound / error):.1f}, and against the printed one, above by "
        f"{np.median((printed / error)[applies]):.0f} in the {applies.sum()} problems to which it applies.",
    ]


def _diagonal(ax: style.Axes, values: Array) -> None:
    ends = np.array([values.min(), values.max()])
    style.guide(ax, ends, ends)


def transfer_frames(sines: Array, results: Mapping[int, Any]) -> Frame:
    """A frame for each size of the target: errors shared and alone, with the printed and the repaired bound.

    `results` are ``Transfer`` by size; bounds may be infinite.
    """

    def curves(n_target: int) -> Iterator[Curve]:
        return (results[n_target].curve(name) for name in ("shared", "alone", "printed", "repaired"))

    def draw(n_target: int) -> tuple[list[Figure], str]:
        shared, alone, printed, repaired = curves(n_target)
        fig, ax = style.panel("sine of the two models", "relative error", log="y", width=4.6, ylim=(0.02, 90))
        style.points(ax, sines, *shared, color="multi", label="shared")
        style.points(ax, sines, *alone, color="single", label="alone")
        style.line(ax, sines, _finite(printed), color="printed", ls="--", label="printed bound")
        style.line(ax, sines, _finite(repaired), color="theory", label="repaired bound")
        style.legend(ax, "upper right", ncols=2)
        helps, certified = (np.count_nonzero(curve[0] < alone[0]) for curve in (shared, repaired))
        never = "is never" if not np.any(printed[0] < alone[0]) else "is sometimes"
        said = (
            f"Relative errors against the sine of the two models, with {n_target} target examples: sharing is better "
            f"at {helps} of {sines.size} angles, the repaired bound says so at {certified}, the printed bound "
            f"{never} below the error alone."
        )
        return [fig], said

    return style.framed(draw)


def _finite(curve: Curve) -> Array:
    return np.where(np.isfinite(curve[0]), curve[0], np.nan)
