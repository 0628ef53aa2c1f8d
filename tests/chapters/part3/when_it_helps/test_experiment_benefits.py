"""Networks of the chapter on when sharing helps, at tiny sizes."""

from mtlbook_lib.chapters.part3.when_it_helps import experiment


def test_networks_follow_the_modes_of_their_data_in_either_precision(monkeypatch):
    monkeypatch.setenv("MTLBOOK_DTYPE", "float32")
    assert 0 < experiment.network_gap(n_sets=1) < 1e-5
