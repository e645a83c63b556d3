"""The subcommands of ``klein-bench suite``, one module each."""
