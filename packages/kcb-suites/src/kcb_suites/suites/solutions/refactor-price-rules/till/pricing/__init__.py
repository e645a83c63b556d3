"""Prices: a basket, rules that take something off it, and the engine that asks them in turn."""

from till.pricing.engine import price_cart

__all__ = ["price_cart"]
