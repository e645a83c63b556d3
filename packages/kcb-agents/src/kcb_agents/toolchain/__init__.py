"""Toolchains: external programs as they were reviewed, built from lockfiles and held to a pin."""
