"""The metric of the Cultural Moment Benchmark: accuracy, temporal IoU, their chain, and intervals over concepts.

The folder is self-contained: numpy is all that it needs, and `evaluate` loads it from `path()`.
"""

from pathlib import Path

from .comparison import compare
from .items import span_iou
from .keys import references
from .scores import score
from .signature import VERSION as __version__
from .validation import MetricError

__all__ = ["MetricError", "__version__", "compare", "path", "references", "score", "span_iou"]


def path() -> str:
    """The folder of this package, to give to ``evaluate.load`` from anywhere."""
    return str(Path(__file__).parent)
