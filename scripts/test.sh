#!/usr/bin/env bash
# All checks: lint, types, tests. With --thorough also what takes long (kill loops, codec matrix, fuzzing, real weights).
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/environment.sh
prepare_environment "[test]"

ruff check .
ruff format --check .
mypy
exec pytest -n 2 --dist worksteal "$@"
