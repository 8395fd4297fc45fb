"""``python -m colocate``."""

import sys

from colocate._cli import main

sys.exit(main())
