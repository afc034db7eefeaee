"""Prediction files to results: which rows are scored against which keys, and what the paper's other tables need."""
