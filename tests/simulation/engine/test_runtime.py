"""The three environment variables decide where and how simulations run, and say so when they cannot."""

import numpy as np
import pytest
import torch

from mtlbook_lib.data.teachers import low_rank_teachers
from mtlbook_lib.simulation.engine import runtime


@pytest.fixture(autouse=True)
def no_settings(monkeypatch):
    for name in ("MTLBOOK_DEVICE", "MTLBOOK_DTYPE", "MTLBOOK_PROFILE"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize(
    ("setting", "found", "expected"),
    [(None, True, "cuda"), (None, False, "cpu"), ("", False, "cpu"), ("auto", True, "cuda"), ("auto", False, "cpu"),
     ("cpu", True, "cpu"), ("cpu", False, "cpu"), ("cuda", True, "cuda"), ("cuda:0", True, "cuda:0"),
     ("cuda:3", True, "cuda:3")],
)  # fmt: skip
def test_device(monkeypatch, setting, found, expected):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: found)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 4)
    if setting is not None:
        monkeypatch.setenv("MTLBOOK_DEVICE", setting)
    assert runtime.device() == torch.device(expected)


def test_the_graphics_of_a_mac_have_single_precision(monkeypatch):
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: True)
    monkeypatch.setenv("MTLBOOK_DEVICE", "mps")
    assert runtime.device() == torch.device("mps")
    assert runtime.dtype() == runtime.finest(runtime.device()) == torch.float32
    monkeypatch.setenv("MTLBOOK_DTYPE", "float64")
    with pytest.raises(ValueError, match="MTLBOOK_DTYPE must be"):
        runtime.dtype()
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: False)
    with pytest.raises(RuntimeError, match="install an MPS build of torch"):
        runtime.device()


@pytest.mark.parametrize(("setting", "n_found"), [("cuda", 0), ("cuda:0", 0), ("cuda:2", 2)])
def test_a_missing_gpu_is_an_error_with_a_remedy(monkeypatch, setting, n_found):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: n_found > 0)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: n_found)
    monkeypatch.setenv("MTLBOOK_DEVICE", setting)
    with pytest.raises(RuntimeError, match=r"MTLBOOK_DEVICE=cpu, or install a CUDA build of torch"):
        runtime.device()


@pytest.mark.parametrize(
    ("variable", "function", "default", "others"),
    [("MTLBOOK_DTYPE", runtime.dtype, torch.float64, {"float64": torch.float64, "float32": torch.float32}),
     ("MTLBOOK_PROFILE", runtime.profile, "paper", {name: name for name in ("quick", "paper", "large")})],
)  # fmt: skip
def test_dtype_and_profile(monkeypatch, variable, function, default, others):
    assert function() == default
    for setting, expected in others.items():
        monkeypatch.setenv(variable, setting)
        assert function() == expected


@pytest.mark.parametrize(
    ("variable", "function", "wrong"),
    [("MTLBOOK_DEVICE", runtime.device, "gpu"), ("MTLBOOK_DEVICE", runtime.device, "CPU"),
     ("MTLBOOK_DTYPE", runtime.dtype, "half"), ("MTLBOOK_PROFILE", runtime.profile, "huge")],
)  # fmt: skip
def test_unknown_settings_are_refused(monkeypatch, variable, function, wrong):
    monkeypatch.setenv(variable, wrong)
    with pytest.raises(ValueError, match=f"{variable} must be one of .*; got '{wrong}'"):
        function()


@pytest.mark.parametrize("values", [1.5, [1, 2], np.ones((2, 3), dtype=np.float32), np.arange(6)[::-2], [True]])
def test_round_trip(values):
    tensor = runtime.to_tensor(values)
    array = runtime.to_numpy(tensor)
    assert np.array_equal(array, values)
    assert array.shape == np.shape(values)
    is_real = np.asarray(values).dtype.kind == "f"
    assert (array.dtype == np.float64) if is_real else (array.dtype == np.asarray(values).dtype)


def test_a_tensor_that_is_there_is_not_copied():
    tensor = torch.ones(3, dtype=torch.float64)
    assert runtime.to_tensor(tensor) is tensor


def test_results_do_not_follow_tensors_that_change():
    tensor = torch.ones(3, dtype=torch.float64, requires_grad=True)
    array = runtime.to_numpy(tensor)
    with torch.no_grad():
        tensor.mul_(2.0)
    assert np.array_equal(array, np.ones(3))


@pytest.mark.filterwarnings("error")
def test_read_only_views_become_tensors_of_their_own():
    noise = low_rank_teachers(3, 4, [[1.0], [2.0]], range(2)).noise
    tensor = runtime.to_tensor(noise)
    tensor[:, 0] = 0.0
    assert np.array_equal(runtime.to_numpy(tensor[:, 1]), noise[:, 1])
