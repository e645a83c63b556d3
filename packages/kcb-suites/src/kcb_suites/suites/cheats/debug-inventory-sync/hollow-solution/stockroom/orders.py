"""Taking orders in."""

import json


def apply_orders(stock, text):
    """Take a file of orders in; a sentence for each."""
    data = [json.loads(line) for line in text.split("\n") if line.strip()]
    return [f"{step.get('order', 'W-1')}: reserved" for step in data]
