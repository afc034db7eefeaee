"""The harness around the Cultural Moment Benchmark: construction, media, model runs, scoring, reports."""
