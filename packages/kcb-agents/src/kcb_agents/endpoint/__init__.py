"""Endpoints that models answer at: addresses, one request, what came back, and asking again."""
