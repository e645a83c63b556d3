"""The command."""
import argparse
import sys
from stockreport.options import Options
from stockreport.report import report_and_problems

def _parser():
    return None

def main(argv):
    """Print one report; the exit status is 1 if the log has mistakes, 2 if nothing can be said."""
    return None
