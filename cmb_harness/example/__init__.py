"""The example release: an unreviewed example that shows the software working offline. It is not CMB."""

from cmb_harness.example.release import Written, write_example

__all__ = ["Written", "write_example"]
