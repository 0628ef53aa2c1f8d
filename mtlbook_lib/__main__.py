"""``python -m mtlbook_lib``: the command line, as `mtlbook` where the package is installed."""

import sys

from mtlbook_lib.command_line.main import main

if __name__ == "__main__":
    sys.exit(main())
