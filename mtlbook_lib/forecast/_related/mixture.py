"""The mixture of one kernel: its members are related to partners, each by itself or several as one task."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.forecast import prior as priors
from mtlbook_lib.forecast._related.members import log_weights, members_of
from mtlbook_lib.forecast._related.moments import Moments
from mtlbook_lib.forecast._related.relations import Relation, Task, log_shares, pairs_of, pooled


def mixture_members(
    target: Any, *others: Any, prior: dict[float, float], most: float, least: float = -np.inf
) -> list[Any]:
    """All members of one kernel that are related to partners; some of several partners may be one task."""
    known, units = [one.learned() for one in others], priors.SAME_UNITS if len(prior) > 1 else {}
    pairs = members_for(pairs_of(target, known, prior, units), target, least)
    groups = _groups(pairs, len(others)) if len(others) > 1 else []
    groups = [which for which in groups if sum(others[k].size for k in which) <= most]
    as_one = [pooled(target, known, which) for which in groups]
    apart, *shares = log_shares([likelier for _, likelier in as_one])
    found = with_share(apart, pairs)
    for (relations, _), share in zip(as_one, shares, strict=True):
        found += with_share(share + np.log(1 - prior[0.0]), members_for(relations, target, least))
    return found


def with_share(log_share: float, members: Sequence[Any]) -> list[Any]:
    """With a share of the prior that they have."""
    found = []
    for one in members:
        logs = tuple(float(log + log_share) for log in one.relation.log_priors)
        found.append(replace(one, relation=replace(one.relation, log_priors=logs)))
    return found


def members_for(relations: Sequence[Relation], target: Task | Moments, least: float = -np.inf) -> list[Any]:
    """Members with these relations, for a task of rows or of sums; rows of the same partners are whitened once."""
    if isinstance(target, Moments):
        return target.members(relations, least)
    seen: dict[int, Array | None] = {id(None): None}
    for one in relations:
        if id(one.partners) not in seen:
            seen[id(one.partners)] = one.partners.whiten(target.kernel(one.partners.rows, target.inputs))
    return [members_of(one, target, seen[id(one.partners)]) for one in relations]


def _groups(pairs: Sequence[Any], n_partners: int) -> list[list[int]]:
    """The two partners of most evidence, the four, the eight, and so on, and all of them."""
    evidence = [log_weights([one for one in pairs if one.relation.which == (k,)])[1] for k in range(n_partners)]
    order = [int(place) for place in np.argsort(evidence, kind="stable")[::-1]]
    sizes = {2**power for power in range(1, n_partners) if 2**power < n_partners} | {n_partners}
    return [order[:size] for size in sorted(sizes)]
