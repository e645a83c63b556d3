"""External programs as agents: any command, confined, behind the metering proxy."""
