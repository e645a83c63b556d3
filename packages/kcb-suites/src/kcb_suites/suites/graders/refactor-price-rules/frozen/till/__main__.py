import sys

from till.cli import main

sys.exit(main(sys.argv[1:]))
