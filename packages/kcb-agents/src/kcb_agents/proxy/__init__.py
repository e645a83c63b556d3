"""The metering proxy: what stands between a subject and its endpoint, and counts."""
