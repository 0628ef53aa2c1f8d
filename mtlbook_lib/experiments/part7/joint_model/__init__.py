"""Real tables with one question in several populations: what a joint model gains, judged on tables held out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from mtlbook_lib.experiments.part7.joint_model.bars import bars, promises, table
from mtlbook_lib.experiments.part7.joint_model.judged import measured, several
from mtlbook_lib.experiments.part7.joint_model.tables import DEVELOPMENT, HELD_OUT, Recipe

__all__ = ["DEVELOPMENT", "HELD_OUT", "bars", "judgement", "measured", "promises", "several", "study", "table"]


def judgement(recipes: dict[str, Recipe]) -> dict[str, Any]:
    """Table, bars and promises of some tables, and the losses of each cell."""
    cells, groups = measured(recipes), several(recipes)
    kept = [{name: value for name, value in cell.items() if name != "said"} for cell in cells]
    return {"table": table(cells), "bars": bars(cells, groups), "promises": promises(cells), "cells": kept,
            "several": groups}  # fmt: skip


def study(_parts: Path) -> dict[str, Any]:
    """The model was fixed on DEVELOPMENT, and HELD_OUT was looked at once."""
    return {"development": judgement(DEVELOPMENT), "held out": judgement(HELD_OUT)}
