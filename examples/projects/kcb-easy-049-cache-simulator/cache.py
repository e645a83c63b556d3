"""The cache itself."""


class ContractError(Exception):
    def __init__(self, code):
        super().__init__(code)
        self.code = code


class Entry:
    __slots__ = ("key", "size", "expiry", "number", "frequency", "last_use")

    def __init__(self, key, number):
        self.key = key
        self.number = number
        self.frequency = 0
        self.size = 0
        self.expiry = None
        self.last_use = 0


ORDER = {
    "lru": lambda e: e.last_use,
    "fifo": lambda e: e.number,
    "lfu": lambda e: (e.frequency, e.last_use),
}


def simulate(policy, capacity, ops):
    for before, after in zip(ops, ops[1:]):
        if after["t"] < before["t"]:
            raise ContractError("time_reversed")

    order = ORDER[policy]
    entries = {}
    next_number = 0
    hits = misses = rejected = 0
    evicted = []
    expired = []

    for position, operation in enumerate(ops):
        t = operation["t"]
        key = operation["key"]

        due = [e for e in entries.values() if e.expiry is not None and e.expiry <= t]
        for entry in sorted(due, key=lambda e: (e.expiry, e.number)):
            del entries[entry.key]
            expired.append(entry.key)

        if operation["op"] == "get":
            entry = entries.get(key)
            if entry is None:
                misses += 1
            else:
                hits += 1
                entry.frequency += 1
                entry.last_use = position
        elif operation["op"] == "del":
            entries.pop(key, None)
        else:
            size = operation.get("size", 1)
            ttl = operation.get("ttl")
            if size > capacity:
                rejected += 1
                continue
            others = sorted((e for e in entries.values() if e.key != key), key=order)
            total = sum(e.size for e in others) + size
            for victim in others:
                if total <= capacity:
                    break
                total -= victim.size
                del entries[victim.key]
                evicted.append(victim.key)
            entry = entries.get(key)
            if entry is None:
                entry = entries[key] = Entry(key, next_number)
                next_number += 1
            entry.size = size
            entry.expiry = None if ttl is None else t + ttl
            entry.frequency += 1
            entry.last_use = position

    return {
        "hits": hits,
        "misses": misses,
        "evicted": evicted,
        "expired": expired,
        "rejected": rejected,
        "contents": [e.key for e in sorted(entries.values(), key=order)],
        "used": sum(e.size for e in entries.values()),
    }
