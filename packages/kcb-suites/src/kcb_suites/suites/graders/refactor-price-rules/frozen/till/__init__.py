"""The price rules of a small shop."""

from till.errors import RuleError
from till.loader import load_rules
from till.pricing import price_cart
from till.receipt import receipt_text

__all__ = ["RuleError", "load_rules", "price_cart", "receipt_text"]
