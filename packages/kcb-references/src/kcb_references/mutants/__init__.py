"""References made wrong on purpose, one small change each: the tests must catch every one.

``operators`` are the kinds of change, and ``mutant`` draws some of them; ``subject`` says which
tasks must catch them. ``rehearsal`` plays a task in a fraction of the time of a judgement, and
``trial`` finds out what catches a mutant. ``equivalents`` are those that nothing can catch.
``score`` is the table, and ``command`` does it all. What makes mutants comes with the extra
``kcb-references[mutants]``.
"""
