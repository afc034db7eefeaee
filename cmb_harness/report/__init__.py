"""Results as tables: what a number is, how it is printed, and the formats it is written in."""
