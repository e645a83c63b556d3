"""The subcommands of ``klein-bench experiment``, each imported only when it is called."""
