#!/usr/bin/env bash
# The main job, end to end, offline: example release → dataset folder → clips → baselines → one table of scores.
# Run it again to go on where it stopped; what is there is reused.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/environment.sh
prepare_environment ""

step() { printf '\n\033[1m%s\033[0m\n' "$*" >&2; }

step "1/5  The example release (64 concepts, synthetic videos)"
cmb example example
step "2/5  The dataset folder that load_dataset(\"cmb\", …) reads"
cmb build example/records.json --out cmb --split example/split.json --secrets example/secrets.json \
    --phase recognition
step "3/5  Videos into the cache, clips cut from them"
cmb fetch cmb --cache cache --video-dir example/videos --jobs 2
step "4/5  The baselines answer every item"
models="chance always-a centre-span whole-video signal-reader"
for model in $models; do
    cmb run --dataset cmb --model "$model" --mode reset --cache cache --out "runs/$model"
done
step "5/5  Scores on the public items"
# shellcheck disable=SC2046
cmb score $(printf "runs/%s " $models) --dataset cmb --mode reset --json runs/scores.json
