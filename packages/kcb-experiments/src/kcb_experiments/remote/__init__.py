"""Runs cells on a Dask cluster: the extra ``kcb-experiments[remote]``.

The cluster schedules and moves bytes; here is what it runs, and what to make of a worker that is
lost. Nothing of a cell begins before its experiment has said so to one worker, and to one only.
"""
