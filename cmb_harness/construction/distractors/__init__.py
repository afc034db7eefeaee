"""Distractors for S1 and S2: the paper's sampler (A.1, Algorithm 1) and the block sampler."""

from cmb_harness.construction.distractors.block import sample_block
from cmb_harness.construction.distractors.bswa import sample_bswa

__all__ = ["sample_block", "sample_bswa"]
