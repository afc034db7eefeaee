"""The parts of the parser: what `cmb_harness.parsing` reads in a text, and its words of many languages as data."""
