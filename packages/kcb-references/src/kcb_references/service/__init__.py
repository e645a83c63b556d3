"""The service shells of the reference programs, one module for each tier.

Each module builds on the one before it: `easy`, `intermediate`, `hard`, `durable` (the tier max).
They know everything about requests, documents and state, and nothing about any contract, which is
the matter of the module `domain` that is put beside them. `kcb_references.export` makes a flat
project of both, in which the shells import each other by their bare names.
"""
