import sys
from pathlib import Path

# The makers of data are a module beside the tests, which are no package.
sys.path.insert(0, str(Path(__file__).parent))
