"""Families about time: intervals, tasks, processors, meetings, rosters."""
