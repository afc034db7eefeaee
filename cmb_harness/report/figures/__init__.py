"""The report's figures: from plain rows to SVG and PNG. matplotlib is imported inside functions."""
