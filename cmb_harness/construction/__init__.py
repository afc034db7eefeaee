"""From a table of concepts to questions and splits: pure, seeded, configured by data."""
