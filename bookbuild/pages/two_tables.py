"""The directive of two tables: files that a reader picks, and what the joint model says of them, computed in the page.

The page's model has every number and every sentence of it from here, that is from the library.
"""

import json
from typing import Any

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from bookbuild.chapters import ROOT
from bookbuild.pages.tags import tag
from mtlbook_lib.command_line import encoding, reading, tables
from mtlbook_lib.forecast import policy, prior
from mtlbook_lib.forecast._input import columns, unlike
from mtlbook_lib.forecast._related import average, calibrated, kernels, worth
from mtlbook_lib.forecast._sharing import baselines, recommendation
from mtlbook_lib.methods import shared_ridge

EXAMPLES = {"a": "target.csv", "b": "partners/other-sex.csv", "new": "new.csv"}
LABEL = "progression"
MOST_ROWS, MOST_COLUMNS = 500, 200
SCRIPTS = ("algebra", "joint", "words", "reading", "two-tables")


def constants() -> dict[str, Any]:
    """What the model in the page has from the library: numbers, thresholds and sentences."""
    return {
        "prior": [list(pair) for pair in prior.CORRELATIONS.items()],
        "units": [list(pair) for pair in prior.SAME_UNITS.items()],
        "noises": prior.NOISES.tolist(),
        "intercept": prior.INTERCEPT,
        "furthest": kernels.FURTHEST,
        "length": kernels.LENGTH,
        "pseudoRows": prior.PSEUDO_ROWS,
        "unitRows": prior.UNIT_ROWS,
        "negligible": average.NEGLIGIBLE,
        "penalties": shared_ridge.PENALTIES.tolist(),
        "own": list(shared_ridge.OWN),
        "baselines": list(baselines.BASELINES),
        "curve": {
            "levelSpread": calibrated.LEVEL_SPREAD,
            "slopeSpread": calibrated.SLOPE_SPREAD,
            "steps": calibrated.STEPS,
            "small": calibrated.SMALL,
        },
        "policy": {
            "verdicts": [policy.HELPS, policy.LITTLE, policy.NO_GAIN, policy.UNCLEAR],
            "leastGain": policy.LEAST_GAIN,
            "leastNats": policy.LEAST_NATS,
            "errors": policy.ERRORS,
            "small": policy.SMALL,
            "fewestRows": policy.FEWEST_ROWS,
            "advice": policy.ADVICE,
        },
        "unlike": {
            "sure": unlike.SURE,
            "chance": unlike.CHANCE,
            "far": unlike.FAR,
            "wide": unlike.WIDE,
            "unit": unlike.UNIT,
            "levels": unlike.LEVELS,
            "named": columns.NAMED,
        },
        "shares": worth.SHARES,
        "measures": recommendation.LOSSES,
        "lines": list(recommendation.LINES),
        "worth": recommendation.WORTH,
        "behind": recommendation.BEHIND,
        "lineOfBaselines": recommendation.LINE_OF_BASELINES,
        "baseline": recommendation.BASELINE,
        "noValues": sorted(reading.NO_VALUES),
        "unnamed": reading.UNNAMED.pattern,
        "thousands": list(reading.THOUSANDS),
        "identity": encoding.IDENTITY.pattern,
        "fewestRows": tables.FEWEST_ROWS,
        "largest": tables.LARGEST,
        "mostRows": MOST_ROWS,
        "mostColumns": MOST_COLUMNS,
    }


def examples() -> dict[str, Any]:
    """The files of the repository that stand in for a reader's own."""
    found = {key: ROOT / "examples" / name for key, name in EXAMPLES.items()}
    files = {key: {"name": path.name, "text": path.read_text(encoding="utf8")} for key, path in found.items()}
    return {"label": LABEL, **files}


class TwoTables(SphinxDirective):
    """Two pickers of files and the answer; the content is shown where scripts do not run."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        """The element that two-tables.js fills."""
        self.env.note_reread()
        inner = nodes.container()
        self.state.nested_parse(self.content, self.content_offset, inner)
        data = {"data-constants": json.dumps(constants()), "data-examples": json.dumps(examples())}
        scripts = ["explorers/dials.js", *(f"tables/{name}.js" for name in SCRIPTS)]
        files = {"scripts": scripts, "styles": ["tables/two-tables.css"]}
        return [tag("div", {"class": "mtl-two-tables", **data}, *inner.children, **files)]
