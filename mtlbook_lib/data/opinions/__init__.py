"""Four kinds of English text with graded sentiment, as numbers: tweets, product and film reviews, newspaper editorials.

Each text has 64 columns, made by a pretrained sentence encoder and reduced by principal axes, the mean rating of some
twenty people from -4 to 4, and the review or article that it is a sentence of. The texts themselves are not kept.

Source: Hutto & Gilbert (2014) for texts and ratings, the encoder all-MiniLM-L6-v2 for the columns. Licences and recipe
lie beside the file.
"""

from mtlbook_lib.data.opinions.sets import DOMAINS, Opinions, centred, few_rows, opinions, split_reviews

__all__ = ["DOMAINS", "Opinions", "centred", "few_rows", "opinions", "split_reviews"]
__dir__ = __all__.copy
