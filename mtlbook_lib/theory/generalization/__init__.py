r"""Learning curves of deep linear students: training error, test error, optimal stopping and the number of examples.

Students are aligned with the singular modes of the data unless said otherwise. Errors are fractions: of the energy
of the noisy training outputs for the training error, of the teacher's outputs for the test error. Times are in units
of the time constant (see ``mtlbook_lib.theory``), singular values are dimensionless, and the noise has entry variance
1/inputs.
"""

from mtlbook_lib.theory._curves import curve_minimum
from mtlbook_lib.theory.generalization.curves import bulk_shift, random_label_scale, test_error, train_error
from mtlbook_lib.theory.generalization.examples import test_error_examples
from mtlbook_lib.theory.generalization.random_students import test_error_random
from mtlbook_lib.theory.generalization.stopping import best_stopping, rank_one_optimum, shrinkage_error

__all__ = ["best_stopping", "bulk_shift", "curve_minimum", "random_label_scale", "rank_one_optimum",
           "shrinkage_error", "test_error", "test_error_examples", "test_error_random", "train_error"]  # fmt: skip
__dir__ = __all__.copy
