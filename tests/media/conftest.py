import os
import sys
from pathlib import Path

# The makers of test media are a module beside the tests, which are no package.
sys.path.insert(0, str(Path(__file__).parent))

# The AV1 encoder tells its life story on stderr.
os.environ["SVT_LOG"] = "1"
