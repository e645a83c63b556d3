"""What the tests of plug-ins use: the extra ``kcb-experiments[testing]``."""
