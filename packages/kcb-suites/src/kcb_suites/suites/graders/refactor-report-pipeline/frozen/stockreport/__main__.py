import sys

from stockreport.cli import main

sys.exit(main(sys.argv[1:]))
