"""Families about dates: business days, recurrences, cron, fiscal years, durations."""
