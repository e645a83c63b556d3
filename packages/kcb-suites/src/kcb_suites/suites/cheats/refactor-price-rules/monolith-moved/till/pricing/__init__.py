"""Prices."""

from till.pricing.engine import add_hook, price_cart, remove_hook

__all__ = ["add_hook", "price_cart", "remove_hook"]
