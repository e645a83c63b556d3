"""Plays tasks on a Dask cluster: the extra ``kcb-runner[remote]``.

The cluster schedules, moves bytes and restarts workers; here is only what it should play, and what
to make of a worker that is lost.
"""
