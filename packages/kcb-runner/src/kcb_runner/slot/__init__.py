"""The supervisor of a slot: it confines itself once, and then starts one session after the other.

These modules run beside a candidate, in a process that has neither the evaluator's packages nor
anything it knows: they use the standard library only, and :mod:`kcb_runner.launch.bundle` lays them
out flat in a folder of their own. The evaluator imports only the words that both sides share.
"""
