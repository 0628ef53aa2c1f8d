"""Real tables with one question in several populations: what a joint model gains, judged on tables held out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from mtlbook_lib.chapters.part7.joint_model.experiment.bars import bars, promises, table
from mtlbook_lib.chapters.part7.joint_model.experiment.judged import measured, several
from mtlbook_lib.chapters.part7.joint_model.experiment.tables import DEVELOPMENT, HELD_OUT, Recipe

__all__ = ["DEVELOPMENT", "HELD_OUT", "bars", "judgement", "kept", "measured", "promises", "several", "study", "table"]


def judgement(recipes: dict[str, Recipe]) -> dict[str, Any]:
    """Table, bars and promises of some tables, and the losses of each cell."""
    cells, groups = measured(recipes), several(recipes)
    kept = [{name: value for name, value in cell.items() if name != "said"} for cell in cells]
    return {"table": table(cells), "bars": bars(cells, groups), "promises": promises(cells), "cells": kept,
            "several": groups}  # fmt: skip


def study(parts: Path) -> dict[str, Any]:
    """The model was fixed on DEVELOPMENT, and HELD_OUT was looked at once; finished ones are kept in the folder."""
    return {"development": kept(parts, "development", DEVELOPMENT), "held out": kept(parts, "held-out", HELD_OUT)}


def kept(parts: Path, name: str, recipes: dict[str, Recipe]) -> dict[str, Any]:
    """A judgement, read where it is finished."""
    path = parts / f"{name}.json"
    if not path.exists():
        parts.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(judgement(recipes)), encoding="utf8")
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf8"))
    return found
