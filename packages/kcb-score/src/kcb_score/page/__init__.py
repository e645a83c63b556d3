"""The HTML page on a run or a comparison: one file for no network, by ``kcb-score[pages]``."""
