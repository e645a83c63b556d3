"""Independent solutions for every task, to keep the evaluator honest; never a score of a model."""
