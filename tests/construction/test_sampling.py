"""A whole table: pools, sides, reports counted by hand, and what cannot be sampled; then the commands, chained."""

import csv
import json
from pathlib import Path

import numpy as np
import pytest

from cmb_harness.cli import main
from cmb_harness.construction.concepts import COLUMNS, Concept
from cmb_harness.construction.distractors.pool import make_pool
from cmb_harness.construction.faults import ConstructionError
from cmb_harness.construction.sampling import option_faults, sample_concepts
from cmb_harness.construction.statistics import pool_report
from cmb_harness.records import read_records, read_region


def table(**cells: int) -> list[Concept]:
    """``AA_Dance=3`` gives three concepts of country AA and category Dance."""
    return [
        Concept(
            f"{cell[:2]}-{cell[3:]}-{n:02}", cell[:2], cell[3:], f"{cell} {n}", description=f"wish {cell} {n}"
        )
        for cell, count in cells.items()
        for n in range(1, count + 1)
    ]


def flat(indices) -> np.ndarray:
    return np.eye(len(indices))


def test_options_never_leave_their_category_or_side() -> None:
    concepts = table(AA_Dance=4, BB_Dance=4, CC_Dance=4, AA_Game=2, BB_Game=2, CC_Game=2)
    train = {c.concept_id for c in concepts if c.category == "Game" or int(c.concept_id[-2:]) < 3}
    for sampler in ("bswa", "block"):
        sampled = sample_concepts(concepts, flat, sampler=sampler, train=train)
        assert list(sampled.sample) == sorted(c.concept_id for c in concepts)
        for name, entry in sampled.sample.items():
            assert all(d.split("-")[1] == name.split("-")[1] for d in entry["distractors"])
            assert all((d in train) == (name in train) for d in entry["distractors"])
        assert [(r.category, r.side, r.concepts) for r in sampled.reports] == [
            ("Dance", "test", 6),
            ("Dance", "train", 6),
            ("Game", "train", 6),
        ]
    # Blocks are numbered through the whole table: six concepts of three countries make one, and leave two.
    assert sorted({entry["block"] for entry in sampled.sample.values()}) == [-1, 0, 1, 2]


def test_the_order_of_the_table_does_not_matter() -> None:
    concepts = table(AA_Dance=5, BB_Dance=5, CC_Dance=4)
    values = np.random.default_rng(0).random((14, 14))
    values += values.T
    order = np.random.default_rng(1).permutation(14)
    for sampler in ("bswa", "block"):
        first = sample_concepts(concepts, lambda i: values[np.ix_(i, i)], sampler=sampler)
        second = sample_concepts(
            [concepts[i] for i in order], lambda i: values[np.ix_(order[i], order[i])], sampler=sampler
        )
        assert first == second


def test_concepts_that_share_any_name_never_meet() -> None:
    concepts = table(AA_Dance=3, BB_Dance=3, CC_Dance=3)
    alike = [
        Concept(**{**vars(c), "official_latin": "One name"})
        if c.concept_id in ("AA-Dance-01", "BB-Dance-02")
        else c
        for c in concepts
    ]
    values = np.eye(9)
    values[0, 4] = values[4, 0] = 5
    sample = sample_concepts(alike, lambda i: values[np.ix_(i, i)]).sample
    assert all(
        not {"AA-Dance-01", "BB-Dance-02"} <= {name, *entry["distractors"]} for name, entry in sample.items()
    )
    unlike = sample_concepts(concepts, lambda i: values[np.ix_(i, i)]).sample
    assert any(
        {"AA-Dance-01", "BB-Dance-02"} <= {name, *entry["distractors"]} for name, entry in unlike.items()
    )


def test_a_report_counted_by_hand() -> None:
    # Countries A A B B C C D; 6 is alone at home and nobody's distractor. The set of 0 has two of B; those of 0,
    # 1 and 3 hold the rivals 1 and 2; that of 5 has an open slot. The cap is ⌊0.1·7⌋ = 0, so 1.
    chosen = np.array([[1, 2, 3], [0, 2, 4], [3, 0, 4], [2, 1, 5], [5, 0, 2], [4, 1, -1], [0, 2, 5]])
    similarity = np.zeros((7, 7))
    similarity[0, 1] = similarity[1, 0] = 0.9
    similarity[6, 3] = similarity[3, 6] = 0.4
    pool = make_pool(list("abcdefg"), list("AABBCCD"), similarity, [[1, 2]])
    report = pool_report(pool, chosen, None, 0.1, category="Dance", side="all")
    assert report.as_json() == {
        "category": "Dance",
        "side": "all",
        "concepts": 7,
        "blocks": 0,
        "leftovers": 0,
        "unfilled": 1,
        "unused": 1,
        "cap": 1,
        "most_used": 5,
        # Uses: 0 four times, 1 three, 2 five, 3 two, 4 three, 5 three.
        "over_cap": 6,
        "country_fallbacks": 1,
        "country_violations": 1,
        "ambiguity_violations": 3,
        "chosen": 0.0,
        "not_chosen": 0.0,
    }


def test_medians_of_a_report() -> None:
    similarity = np.array([[1, 0.2, 0.4, 0.6, 0.1]] * 5)
    similarity = np.minimum(similarity, similarity.T)
    pool = make_pool(list("abcde"), list("AABBB"), similarity, [])
    chosen = np.array([[1, 2, 3], [0, 2, 3], [3, 0, 1], [2, 0, 1], [2, 0, 1]])
    picked = [similarity[k, c] for k, row in enumerate(chosen) for c in row]
    rest = [similarity[k, c] for k in range(5) for c in range(5) if c != k and c not in chosen[k]]
    report = pool_report(pool, chosen, None, 0.1, category="Dance", side="all")
    assert (report.chosen, report.not_chosen) == (np.median(picked), np.median(rest))


@pytest.mark.parametrize(
    ("cells", "groups", "faults"),
    [
        (
            {"AA_Dance": 1, "BB_Dance": 2},
            [],
            ["Dance (all): concepts: 3 are too few: an option set needs four"],
        ),
        (
            {"AA_Dance": 5, "BB_Game": 1},
            [],
            [
                "Dance (all): concepts: all are of one country, AA; distractors need another",
                "Game (all): concepts: 1 are too few: an option set needs four",
                "Game (all): concepts: all are of one country, BB; distractors need another",
            ],
        ),
        (
            {"AA_Dance": 2, "BB_Dance": 1, "CC_Dance": 1},
            [["AA-Dance-01", "BB-Dance-01"]],
            [
                f"Dance (all): {name} finds no three distractors: too few countries, or too many of its ambiguity group"
                for name in ("AA-Dance-01", "AA-Dance-02", "BB-Dance-01", "CC-Dance-01")
            ],
        ),
    ],
)
def test_what_cannot_be_sampled_is_told_at_once(cells, groups, faults) -> None:
    concepts = table(**cells)
    with pytest.raises(ConstructionError) as told:
        sample_concepts(concepts, flat, ambiguity_groups=groups)
    assert told.value.faults == faults
    assert option_faults(concepts, groups, None) == faults


def test_an_unknown_sampler_is_told() -> None:
    with pytest.raises(ConstructionError, match="sampler: 'other' is none of bswa, block"):
        sample_concepts(table(AA_Dance=2, BB_Dance=2), flat, sampler="other")


def finished_table(path: Path, concepts: list[Concept]) -> Path:
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, restval="")
        writer.writeheader()
        for i, c in enumerate(concepts):
            texts = {name: getattr(c, name) for name in ("concept_id", "country", "category", "common_latin")}
            videos = {"video_A_url": f"{i:011}", "video_A_start_s": 1, "video_A_end_s": 3}
            writer.writerow({**texts, **videos, "description": c.description})
    return path


@pytest.fixture
def region_file(tmp_path: Path) -> Path:
    path = tmp_path / "region.json"
    region = {
        "name": "Made up",
        "countries": [
            {"code": code, "name": code, "writing_cluster": "Latin"} for code in ("AA", "BB", "CC")
        ],
        "categories": ["Dance", "Game"],
        "ambiguity_groups": [["AA-Dance-01", "BB-Dance-02"]],
        "cap": 0.1,
        "seeds": {"split": 5, "s1": 1, "s2": 2, "bootstrap": 42},
        "role_cuts": [3],
        "duration_edges_s": [60],
    }
    path.write_text(json.dumps(region))
    return path


@pytest.mark.parametrize("sampler", ["bswa", "block"])
def test_the_commands_make_a_release_of_another_region(tmp_path, region_file, capsys, sampler) -> None:
    concepts = table(AA_Dance=4, BB_Dance=4, CC_Dance=4, AA_Game=4, BB_Game=4, CC_Game=4)
    source = str(finished_table(tmp_path / "concepts.csv", concepts))
    split, secrets, sample, records = (
        str(tmp_path / f"{name}.json") for name in ("split", "secrets", "sample", "records")
    )
    region = ["--region", str(region_file)]
    assert main(["split", source, "--out", split, "--secrets", secrets, *region]) == 0
    assert main(["sample", source, "--sampler", sampler, "--split", split, "--out", sample, *region]) == 0
    assert main(["questions", source, sample, "--split", split, "--out", records, *region]) == 0
    made = read_records(records, read_region(region_file))
    assert len(made) == 24
    train = set(json.loads(Path(split).read_text())["train"])
    assert len(train) == 12
    assert all((name in train) == (r.concept_id in train) for r in made for name in r.s1_option_concept_ids)
    build = [
        "build",
        records,
        "--out",
        str(tmp_path / "cmb"),
        "--split",
        split,
        "--secrets",
        secrets,
        *region,
    ]
    assert main([*build, "--phase", "recognition"]) == 0
    assert capsys.readouterr().err.splitlines() == [
        "cmb: warning: the card is that of Southeast Asia's CMB; --card FILE takes your own"
    ]


def test_a_split_of_other_concepts_is_told(tmp_path, region_file, capsys) -> None:
    concepts = table(AA_Dance=4, BB_Dance=4, CC_Dance=4)
    source = str(finished_table(tmp_path / "concepts.csv", concepts))
    fewer = str(finished_table(tmp_path / "fewer.csv", concepts[:-1]))
    split, secrets = str(tmp_path / "split.json"), str(tmp_path / "secrets.json")
    region = ["--region", str(region_file)]
    assert main(["split", source, "--out", split, "--secrets", secrets, *region]) == 0
    sample = [
        "sample",
        fewer,
        "--sampler",
        "bswa",
        "--split",
        split,
        "--out",
        str(tmp_path / "sample.json"),
        *region,
    ]
    assert main(sample) == 1
    assert f"cmb: {split}: records_sha256: the split was made for other concepts" in capsys.readouterr().err
    assert not (tmp_path / "sample.json").exists()


def test_a_sample_wants_descriptions_unless_it_is_given_a_matrix(tmp_path, region_file, capsys) -> None:
    concepts = [Concept(**{**vars(c), "description": ""}) for c in table(AA_Dance=2, CC_Dance=2)]
    source = str(finished_table(tmp_path / "concepts.csv", concepts))
    np.save(tmp_path / "matrix.npy", np.eye(4))
    sample = [
        "sample",
        source,
        "--sampler",
        "block",
        "--out",
        str(tmp_path / "s.json"),
        "--region",
        str(region_file),
    ]
    assert main(sample) == 1
    assert "AA-Dance-01: description: missing" in capsys.readouterr().err
    assert (
        main([*sample, "--similarity", str(tmp_path / "matrix.npy"), "--report", str(tmp_path / "r.json")])
        == 0
    )
    assert json.loads((tmp_path / "r.json").read_text())[0]["blocks"] == 1
    shown = capsys.readouterr()
    assert shown.out.splitlines()[1].split()[:5] == ["Dance", "all", "4", "1", "0"]


def test_groups_that_name_concepts_that_are_not_there_are_noted(tmp_path, region_file, capsys) -> None:
    source = str(finished_table(tmp_path / "concepts.csv", table(AA_Dance=2, CC_Dance=2)))
    sample = [
        "sample",
        source,
        "--sampler",
        "block",
        "--out",
        str(tmp_path / "s.json"),
        "--region",
        str(region_file),
    ]
    assert main(sample) == 0
    assert "ambiguity groups also name 1 concepts that are not here: BB-Dance-02" in capsys.readouterr().err
