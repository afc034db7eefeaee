"""What the form of a release gives away, scored beside the systems: answers that come from options and links alone.

Nothing here looks at a description or a video. The answers are those that any participant could send; only their
accuracy needs keys. ``cmb audit`` goes further; these are the rows that a score has to be read beside.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cmb_harness.shared_task.asked import Asked, Row
from cmb_harness.shared_task.options import option_numbers
from cmb_metric import span_iou

N_MATCHINGS = 20
SEED = 42
GRID = 64

Array = NDArray[Any]
Baselines = dict[str, dict[str, float | None]]


def baselines(asked: Asked, key: Mapping[str, Row], stages: Sequence[str]) -> Baselines:
    """Totals of answers that need no model, by the names that ``cmb_metric.score`` gives them.

    - ``chance``: a uniform option; two uniform times of the video, in order (in expectation).
    - ``one-to-one``: each option used once over all items, otherwise at random (mean of `N_MATCHINGS` draws).
    - ``one-to-one-with-countries``: S1, by someone who knows which country a name is from: the key and one distractor
      share theirs.
    - ``moments-by-name``: S2, by someone who knows the right name: the moment that occurs with it most often.
    - ``centre-span``, ``whole-video``: S3: the middle third, and everything.

    Args:
        asked: rows of the split, of all stages.
        key: item_id → reference row, of the items of ``stages``.
        stages: those that are scored; without S3 there is no Joint.
    """
    generator = np.random.default_rng(SEED)
    s1, s2 = asked.rows["s1"], _in_order_of(asked.rows["s1"], asked.rows["s2"])
    keys = {"s1": _keys(s1, key), "s2": _keys(s2, key)}
    names = {"s1": option_numbers(s1), "s2": option_numbers(s2)}
    right = {stage: _matchings_right(names[stage], keys[stage], generator) for stage in names}
    found: Baselines = {
        "chance": {"s1_accuracy": 0.25, "s2_accuracy": 0.25},
        "one-to-one": {f"{stage}_accuracy": float(right[stage].mean()) for stage in names},
        "one-to-one-with-countries": {
            "s1_accuracy": float(
                _matchings_right(names["s1"], keys["s1"], generator, _same_country(s1, key)).mean()
            )
        },
        "moments-by-name": {"s2_accuracy": moments_by_name(names["s1"], names["s2"], keys["s1"], keys["s2"])},
    }
    if "s3" in stages:
        _add_spans(found, asked.rows["s3"], s2, key, right["s1"] * right["s2"])
    return found


def matching_answers(names: Array, allowed: Array, generator: np.random.Generator) -> Array:
    """One answer an item, no option used twice as far as that is possible, otherwise at random.

    Args:
        names: (N, 4) number of each option, equal where options are.
        allowed: (N, 4) bool, the options that are considered; at least one an item.

    Returns:
        (N,) columns. Items that the matching leaves over get one of their allowed options.
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import maximum_bipartite_matching

    n_items, n_names = len(names), int(names.max()) + 1
    # Which of the many matchings is found depends on the order of items and names, which is therefore drawn.
    places, labels = generator.permutation(n_items), generator.permutation(n_names)
    rows, columns = np.nonzero(allowed)
    edges = (np.ones(len(rows), dtype=bool), (places[rows], labels[names[rows, columns]]))
    graph = csr_array(edges, shape=(n_items, n_names))
    label_of = maximum_bipartite_matching(graph, perm_type="column")[places]
    left_over = (generator.random(names.shape) * allowed).argmax(axis=1)
    matched = allowed & (labels[names] == label_of[:, None])
    return np.where(matched.any(axis=1), matched.argmax(axis=1), left_over)


def moments_by_name(names: Array, moments: Array, name_keys: Array, moment_keys: Array) -> float:
    """Expected S2 accuracy of choosing, for the right name, the moment whose items are most nearly the name's.

    Args:
        names, moments: (N, 4) number of each option; row i of both belongs to one concept.
        name_keys, moment_keys: (N,) columns of the keys.
    """
    items_of_name, items_of_moment = _items_of(names), _items_of(moments)
    total = 0.0
    for i, key in enumerate(moment_keys):
        own = items_of_name[names[i, name_keys[i]]]
        others = [items_of_moment[moment] for moment in moments[i]]
        overlap = np.array([len(own & other) / len(own | other) for other in others])
        best = overlap == overlap.max()
        total += best[key] / best.sum()
    return total / len(moment_keys)


def random_span_iou(spans: Array, durations_s: Array) -> Array:
    """(n,) expected IoU of two uniform independent times in [0, duration_s], in order, by a grid of midpoints.

    Args:
        spans: (n, 2) true spans.
        durations_s: (n,) lengths of their videos.
    """
    times = (np.arange(GRID) + 0.5) / GRID
    start, end = np.triu_indices(GRID, 1)
    guesses = np.stack([times[start], times[end]], axis=1)
    return np.array(
        [
            span_iou(guesses * duration_s, np.broadcast_to(span, guesses.shape)).mean()
            for span, duration_s in zip(spans, durations_s, strict=True)
        ]
    )


def _matchings_right(
    names: Array, keys: Array, generator: np.random.Generator, allowed: Array | None = None
) -> Array:
    """(draws, N) bool: which items each matching has right."""
    options = np.ones(names.shape, dtype=bool) if allowed is None else allowed
    return np.array([matching_answers(names, options, generator) == keys for _ in range(N_MATCHINGS)])


def _same_country(s1: Sequence[Row], key: Mapping[str, Row]) -> Array:
    """(N, 4) bool: options that share a country with another option of their item; all, where none does."""
    countries: dict[str, set[str]] = {}
    for row in s1:
        reference = key[row["item_id"]]
        countries.setdefault(row["options"][reference["answer"]], set()).add(reference["country"])
    shared = []
    for row in s1:
        known = [countries.get(option, set()) for option in row["options"]]
        own = [any(a & b for j, b in enumerate(known) if j != i) for i, a in enumerate(known)]
        shared.append(own if any(own) else [True] * len(own))
    return np.array(shared)


def _add_spans(
    found: Baselines, s3: Sequence[Row], s2: Sequence[Row], key: Mapping[str, Row], right_twice: Array
) -> None:
    known = [row for row in s3 if row.get("duration_s") is not None]
    if not known:
        return
    spans = np.array([key[row["item_id"]]["span"] for row in known], dtype=np.float64)
    durations_s = np.array([row["duration_s"] for row in known], dtype=np.float64)
    zeros = np.zeros(len(known))
    chance = random_span_iou(spans, durations_s)
    by_concept = _means_by([row["s2_item_id"] for row in known], chance)
    credit = np.array([by_concept.get(row["item_id"], 0.0) for row in s2])
    found["chance"] |= {"s3_miou": float(chance.mean()), "joint": float(credit.mean()) / 16}
    found["one-to-one"] |= {"joint": float((right_twice * credit).mean())}
    for name, guess in (
        ("centre-span", np.stack([durations_s / 3, 2 * durations_s / 3], axis=1)),
        ("whole-video", np.stack([zeros, durations_s], axis=1)),
    ):
        found[name] = {"s3_miou": float(span_iou(guess, spans).mean())}


def _means_by(groups: Sequence[str], values: Array) -> dict[str, float]:
    members: dict[str, list[float]] = {}
    for group, value in zip(groups, values, strict=True):
        members.setdefault(group, []).append(value)
    return {group: float(np.mean(part)) for group, part in members.items()}


def _items_of(options: Array) -> dict[int, set[int]]:
    items: dict[int, set[int]] = {}
    for i, row in enumerate(options):
        for option in row:
            items.setdefault(option, set()).add(i)
    return items


def _in_order_of(s1: Sequence[Row], s2: Sequence[Row]) -> list[Row]:
    by_s1 = {row["s1_item_id"]: row for row in s2}
    return [by_s1[row["item_id"]] for row in s1]


def _keys(rows: Sequence[Row], key: Mapping[str, Row]) -> Array:
    return np.array([key[row["item_id"]]["answer"] for row in rows])
