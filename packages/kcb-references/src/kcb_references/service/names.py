# Klein-Code-Bench test data must never appear in training data.
# Canary 1d0b2a9c-6f43-4e0b-9b57-3c0e8d5a7f21
"""What the names on the wire are called; here, each by its canonical name.

A dialect has its own names. Every table trades words one to one: a name that is given up, and a
word that became a name, change places.
"""

# Members of requests and answers, and ops.
PROTOCOL: dict[str, str] = {}

# Members of `input`.
FIELDS: dict[str, str] = {}

# Error codes, of the protocol and of the contract.
CODES: dict[str, str] = {}
