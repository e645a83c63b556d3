"""stockreport: reports about stock movements."""

from stockreport.report import make_report

__all__ = ["make_report"]
