"""The experiments of the chapter on the penalty of gradient flow, at tiny sizes."""

from mtlbook_lib.chapters.part6.gradient_flow_to_penalty import experiment


def test_the_dense_line_has_four_sizes_where_the_sparse_one_has_seven():
    sizes = experiment.limit_sizes(n_sizes=14)
    assert [len(sizes[name]) for name in ("sparse", "dense")] == [14, 8]
