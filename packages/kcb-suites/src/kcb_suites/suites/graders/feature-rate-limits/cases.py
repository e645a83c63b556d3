"""Scenes at the gateway: (about, configuration, steps and what each is to give)."""

from __future__ import annotations

from typing import Any


def config(**changes: Any) -> dict[str, Any]:
    """The configuration of most scenes; a change replaces a whole field."""
    return {
        "plans": {
            "free": {"limit": {"requests": 60, "perSeconds": 60, "burst": 3}},
            "slow": {"limit": {"requests": 2, "perSeconds": 10}},
            "team": {},
        },
        "keys": {
            "ada": {"owner": "ada", "plan": "free"},
            "ada2": {"owner": "ada", "plan": "free"},
            "ada-slow": {"owner": "ada", "plan": "slow"},
            "bob": {"owner": "bob", "plan": "free"},
            "slow": {"owner": "sue", "plan": "slow"},
            "team": {"owner": "tom", "plan": "team"},
            "ops": {"owner": "ada", "plan": "free", "unlimited": True},
        },
        "routes": [
            {"name": "one", "method": "GET", "path": "/one"},
            {"name": "two", "method": "GET", "path": "/two", "cost": 2},
            {"name": "free", "method": "GET", "path": "/free", "cost": 0},
            {
                "name": "own",
                "method": "GET",
                "path": "/own",
                "limit": {"requests": 1, "perSeconds": 5, "burst": 2},
            },
            {"name": "up", "method": "GET", "path": "/up", "public": True},
            {
                "name": "both",
                "method": "GET",
                "path": "/both/:id",
                "public": True,
                "limit": {"requests": 1, "perSeconds": 1},
            },
        ],
        "publicLimit": {"requests": 4, "perSeconds": 2, "burst": 2},
        **changes,
    }


CONFIG = config()
ROUTE = {"name": "x", "method": "GET", "path": "/x"}


def only(**limit: Any) -> dict[str, Any]:
    """One route, under this limit of the plan "free"."""
    return {
        "plans": {"free": {"limit": limit}},
        "keys": {"ada": {"owner": "ada", "plan": "free"}},
        "routes": CONFIG["routes"][:1],
    }


def plan(**limit: Any) -> dict[str, Any]:
    """The configuration with another limit of the plan "free"."""
    return config(plans={**CONFIG["plans"], "free": {"limit": limit}})


def routes(*extra: dict[str, Any]) -> dict[str, Any]:
    """The configuration with these routes after its own."""
    return config(routes=[*CONFIG["routes"], *extra])


NO = "rate_limited too many requests:"
FREE = "rate_limited too many requests: plan:free:ada"

# Each step is followed by what it gives; "at" gives nothing.
SCENES: list[tuple[str, dict[str, Any], list[tuple[list[Any], Any]]]] = [
    (
        "a bucket is emptied",
        CONFIG,
        [
            (["get", "/one", "ada"], "200 3/2/1"),
            (["get", "/one", "ada"], "200 3/1/2"),
            (["get", "/one", "ada"], "200 3/0/3"),
            (["get", "/one", "ada"], f"429 3/0/3 1 {FREE}"),
        ],
    ),
    (
        "tokens come back with fractions",
        CONFIG,
        [
            (["get", "/two", "ada"], "200 3/1/2"),
            (["get", "/one", "ada"], "200 3/0/3"),
            (["at", 999], None),
            (["get", "/one", "ada"], f"429 3/0/3 1 {FREE}"),
            (["at", 1000], None),
            (["get", "/one", "ada"], "200 3/0/3"),
            (["at", 1500], None),
            (["get", "/one", "ada"], f"429 3/0/3 1 {FREE}"),
            (["at", 2600], None),
            (["get", "/one", "ada"], "200 3/0/3"),
            (["at", 3000], None),
            (["get", "/one", "ada"], "200 3/0/3"),
            (["at", 100_000], None),
            (["get", "/one", "ada"], "200 3/2/1"),
        ],
    ),
    (
        "a burst that is the number of requests",
        CONFIG,
        [
            (["get", "/one", "slow"], "200 2/1/5"),
            (["get", "/one", "slow"], "200 2/0/10"),
            (["get", "/one", "slow"], f"429 2/0/10 5 {NO} plan:slow:sue"),
            (["at", 4001], None),
            (["get", "/one", "slow"], f"429 2/0/6 1 {NO} plan:slow:sue"),
            (["at", 5000], None),
            (["get", "/one", "slow"], "200 2/0/10"),
        ],
    ),
    (
        "a cost of two",
        CONFIG,
        [
            (["get", "/two", "ada"], "200 3/1/2"),
            (["get", "/two", "ada"], f"429 3/1/2 1 {FREE}"),
            (["get", "/one", "ada"], "200 3/0/3"),
            (["get", "/two", "ada"], f"429 3/0/3 2 {FREE}"),
        ],
    ),
    (
        "a refused request takes nothing",
        CONFIG,
        [
            (["get", "/two", "ada"], "200 3/1/2"),
            (["get", "/two", "ada"], f"429 3/1/2 1 {FREE}"),
            (["get", "/two", "ada"], f"429 3/1/2 1 {FREE}"),
            (["usage"], [["plan:free:ada", 3, 1]]),
        ],
    ),
    (
        "a cost of zero",
        CONFIG,
        [
            (["full", "GET", "/free", "ada"], [200, {}, {"params": {}, "owner": "ada"}]),
            (["usage"], []),
            (["get", "/two", "ada"], "200 3/1/2"),
            (["get", "/one", "ada"], "200 3/0/3"),
            (["get", "/free", "ada"], "200"),
        ],
    ),
    (
        "a plan without a limit",
        CONFIG,
        [
            (["full", "GET", "/one", "team"], [200, {}, {"params": {}, "owner": "tom"}]),
            (["usage"], []),
        ],
    ),
    (
        "a plan without a limit, a route with one",
        CONFIG,
        [
            (["get", "/own", "team"], "200 2/1/5"),
            (["get", "/own", "team"], "200 2/0/10"),
            (["get", "/own", "team"], f"429 2/0/10 5 {NO} route:own:tom"),
            (["usage"], [["route:own:tom", 2, 0]]),
        ],
    ),
    (
        "an unlimited key",
        CONFIG,
        [
            (["get", "/own", "ops"], "200"),
            (["get", "/own", "ops"], "200"),
            (["get", "/own", "ops"], "200"),
            (["usage"], []),
            (["get", "/own", "ada"], "200 2/1/5"),
        ],
    ),
    (
        "the keys of an owner share a bucket",
        CONFIG,
        [
            (["get", "/two", "ada"], "200 3/1/2"),
            (["get", "/one", "ada2"], "200 3/0/3"),
            (["get", "/one", "ada"], f"429 3/0/3 1 {FREE}"),
            (["get", "/one", "bob"], "200 3/2/1"),
            (["get", "/one", "ada-slow"], "200 2/1/5"),
        ],
    ),
    (
        "routes share the bucket of the plan and not that of the route",
        routes(
            {
                "name": "own2",
                "method": "GET",
                "path": "/own2",
                "limit": {"requests": 1, "perSeconds": 5, "burst": 2},
            },
        ),
        [
            (["get", "/own", "ada"], "200 2/1/5"),
            (["get", "/own2", "ada"], "200 3/1/2"),
            (
                ["usage"],
                [
                    ["plan:free:ada", 3, 1],
                    ["route:own2:ada", 2, 1],
                    ["route:own:ada", 2, 1],
                ],
            ),
        ],
    ),
    (
        "the bucket with fewer tokens is told of, the plan's if equal",
        CONFIG,
        [
            (["get", "/own", "ada"], "200 2/1/5"),
            (["get", "/one", "ada"], "200 3/1/2"),
            (["get", "/own", "ada"], "200 3/0/3"),
        ],
    ),
    (
        "both or none: the route refuses",
        CONFIG,
        [
            (["get", "/own", "ada"], "200 2/1/5"),
            (["at", 1000], None),
            (["get", "/own", "ada"], "200 2/0/9"),
            (["at", 2000], None),
            (["get", "/own", "ada"], f"429 2/0/8 3 {NO} route:own:ada"),
            (["usage"], [["route:own:ada", 2, 0]]),
        ],
    ),
    (
        "both or none: the plan refuses",
        CONFIG,
        [
            (["get", "/two", "ada"], "200 3/1/2"),
            (["get", "/one", "ada"], "200 3/0/3"),
            (["get", "/own", "ada"], f"429 3/0/3 1 {FREE}"),
            (["usage"], [["plan:free:ada", 3, 0]]),
        ],
    ),
    (
        "both refuse: the longer wait",
        CONFIG,
        [
            (["get", "/own", "ada"], "200 2/1/5"),
            (["get", "/own", "ada"], "200 2/0/10"),
            (["get", "/one", "ada"], "200 3/0/3"),
            (["get", "/own", "ada"], f"429 2/0/10 5 {NO} route:own:ada"),
        ],
    ),
    (
        "both refuse: equal waits",
        config(plans={**CONFIG["plans"], "free": {"limit": {"requests": 2, "perSeconds": 10}}}),
        [
            (["get", "/own", "ada"], "200 2/1/5"),
            (["get", "/own", "ada"], "200 2/0/10"),
            (["get", "/own", "ada"], f"429 2/0/10 5 {FREE}"),
        ],
    ),
    (
        "public routes",
        CONFIG,
        [
            (["get", "/up", None, {"ip": "192.0.2.1"}], "200 2/1/1"),
            (["get", "/up", None, {"ip": "192.0.2.1"}], "200 2/0/1"),
            (["get", "/up", None, {"ip": "192.0.2.1"}], f"429 2/0/1 1 {NO} public:192.0.2.1"),
            (["get", "/up", None, {"ip": "192.0.2.2"}], "200 2/1/1"),
            (["at", 500], None),
            (["get", "/up", None, {"ip": "192.0.2.1"}], "200 2/0/1"),
        ],
    ),
    (
        "callers without an address",
        CONFIG,
        [
            (["get", "/up", None], "200 2/1/1"),
            (["get", "/up", "ops"], "200 2/0/1"),
            (["get", "/up", None], f"429 2/0/1 1 {NO} public:unknown"),
            (["usage"], [["public:unknown", 2, 0]]),
        ],
    ),
    (
        "a public route with a limit of its own",
        CONFIG,
        [
            (["get", "/both/1", None, {"ip": "a"}], "200 1/0/1"),
            (["get", "/both/2", None, {"ip": "a"}], f"429 1/0/1 1 {NO} route:both:a"),
            (["get", "/up", None, {"ip": "a"}], "200 2/0/1"),
            (["usage"], [["public:a", 2, 0], ["route:both:a", 1, 0]]),
        ],
    ),
    (
        "no public limit",
        {k: v for k, v in CONFIG.items() if k != "publicLimit"},
        [
            (["get", "/up", None, {"ip": "a"}], "200"),
            (["get", "/both/1", None, {"ip": "a"}], "200 1/0/1"),
        ],
    ),
    (
        "what goes wrong before costs nothing",
        CONFIG,
        [
            (
                ["full", "POST", "/one", "ada"],
                [
                    405,
                    {"allow": "GET"},
                    {"error": "method_not_allowed", "message": "POST is not allowed"},
                ],
            ),
            (["get", "/nowhere", "ada"], "404"),
            (["get", "/one", None], "401"),
            (["get", "/one", "eve"], "401"),
            (["usage"], []),
        ],
    ),
    (
        "the refusal in full",
        CONFIG,
        [
            (["get", "/two", "ada"], "200 3/1/2"),
            (
                ["full", "GET", "/two", "ada"],
                [
                    429,
                    {
                        "ratelimit-limit": "3",
                        "ratelimit-remaining": "1",
                        "ratelimit-reset": "2",
                        "retry-after": "1",
                    },
                    {"error": "rate_limited", "message": "too many requests: plan:free:ada"},
                ],
            ),
        ],
    ),
    (
        "a passage in full",
        CONFIG,
        [
            (
                ["full", "GET", "/both/7", None, {"ip": "a", "body": {"status": 201}}],
                [
                    201,
                    {"ratelimit-limit": "1", "ratelimit-remaining": "0", "ratelimit-reset": "1"},
                    {"params": {"id": "7"}, "owner": None},
                ],
            ),
        ],
    ),
    (
        "the handler's headers are kept",
        CONFIG,
        [
            (
                [
                    "full",
                    "GET",
                    "/one",
                    "ada",
                    {"body": {"headers": {"ratelimit-reset": "9", "x": "y"}}},
                ],
                [
                    200,
                    {
                        "ratelimit-limit": "3",
                        "ratelimit-remaining": "2",
                        "ratelimit-reset": "9",
                        "x": "y",
                    },
                    {"params": {}, "owner": "ada"},
                ],
            ),
        ],
    ),
    (
        "a handler that throws gives back",
        CONFIG,
        [
            (
                ["full", "GET", "/one", "ada", {"body": {"throws": True}}],
                [
                    500,
                    {"ratelimit-limit": "3", "ratelimit-remaining": "3", "ratelimit-reset": "0"},
                    {"error": "internal", "message": "the service failed"},
                ],
            ),
            (["usage"], []),
        ],
    ),
    (
        "a status from 500 gives back, one below does not",
        CONFIG,
        [
            (["get", "/two", "ada", {"body": {"status": 500}}], "500 3/3/0"),
            (["get", "/one", "ada", {"body": {"status": 503}}], "503 3/3/0"),
            (["get", "/one", "ada", {"body": {"status": 499}}], "499 3/2/1"),
            (["get", "/one", "ada", {"body": {"status": 404}}], "404 3/1/2"),
        ],
    ),
    (
        "both buckets are given back to",
        CONFIG,
        [
            (["get", "/own", "ada", {"body": {"status": 502}}], "502 2/2/0"),
            (["usage"], []),
        ],
    ),
    (
        "nothing is given back over the brim",
        CONFIG,
        [
            (["get", "/one", "ada", {"body": {"throws": True, "takes": 999}}], "500 3/3/0"),
            (["get", "/two", "ada"], "200 3/1/2"),
            (["get", "/one", "ada"], "200 3/0/3"),
            (["at", 1000], None),
            (["get", "/one", "ada"], f"429 3/0/3 1 {FREE}"),
        ],
    ),
    (
        "headers tell of the time when the response is ready",
        CONFIG,
        [
            (["get", "/two", "ada"], "200 3/1/2"),
            (["get", "/one", "ada", {"body": {"takes": 1500}}], "200 3/1/2"),
            (
                ["log"],
                [
                    "2026-03-01T09:00:00.000Z ada two 200",
                    "2026-03-01T09:00:00.000Z ada one 200",
                ],
            ),
        ],
    ),
    (
        "tokens are taken before the handler ends",
        CONFIG,
        [
            (["start", "/two", "ada"], "started"),
            (["usage"], [["plan:free:ada", 3, 1]]),
            (["get", "/one", "ada2"], "200 3/0/3"),
            (["get", "/one", "ada2"], f"429 3/0/3 1 {FREE}"),
            (["finish"], "200 3/0/3"),
        ],
    ),
    (
        "giving back while others take",
        CONFIG,
        [
            (["start", "/two", "ada", {"body": {"throws": True}}], "started"),
            (["get", "/one", "ada"], "200 3/0/3"),
            (["at", 500], None),
            (["finish"], "500 3/2/1"),
            (["usage"], [["plan:free:ada", 3, 2]]),
        ],
    ),
    (
        "the clock goes backwards",
        CONFIG,
        [
            (["at", 10_000], None),
            (["get", "/two", "ada"], "200 3/1/2"),
            (["at", 5000], None),
            (["get", "/one", "ada"], "200 3/0/3"),
            (["at", 10_000], None),
            (["get", "/one", "ada"], f"429 3/0/3 1 {FREE}"),
            (["at", 11_000], None),
            (["get", "/one", "ada"], "200 3/0/3"),
        ],
    ),
    (
        "exact arithmetic",
        only(requests=1, perSeconds=1),
        [
            (["get", "/one", "ada"], "200 1/0/1"),
            *[
                step
                for at in range(1, 1000)
                for step in [(["at", at], None), (["usage"], [["plan:free:ada", 1, 0]])]
            ],
            (["at", 1000], None),
            (["usage"], []),
            (["get", "/one", "ada"], "200 1/0/1"),
        ],
    ),
    (
        "thirds of a second",
        only(requests=3, perSeconds=1, burst=2),
        [
            (["get", "/one", "ada"], "200 2/1/1"),
            (["get", "/one", "ada"], "200 2/0/1"),
            (["at", 333], None),
            (["get", "/one", "ada"], f"429 2/0/1 1 {FREE}"),
            (["at", 334], None),
            (["get", "/one", "ada"], "200 2/0/1"),
            (["at", 667], None),
            (["get", "/one", "ada"], "200 2/0/1"),
        ],
    ),
    (
        "log and counts of refusals",
        CONFIG,
        [
            (["get", "/two", "ada"], "200 3/1/2"),
            (["get", "/two", "ada"], f"429 3/1/2 1 {FREE}"),
            (["get", "/both/1", None, {"ip": "a"}], "200 1/0/1"),
            (["get", "/both/1", None, {"ip": "a"}], f"429 1/0/1 1 {NO} route:both:a"),
            (["get", "/two", "ada"], f"429 3/1/2 1 {FREE}"),
            (
                ["log"],
                [
                    "2026-03-01T09:00:00.000Z ada two 200",
                    "2026-03-01T09:00:00.000Z ada two 429 limited=plan:free:ada",
                    "2026-03-01T09:00:00.000Z - both 200",
                    "2026-03-01T09:00:00.000Z - both 429 limited=route:both:a",
                    "2026-03-01T09:00:00.000Z ada two 429 limited=plan:free:ada",
                ],
            ),
            (
                ["stats"],
                {
                    "requests": 5,
                    "routes": {"two": {"200": 1, "429": 2}, "both": {"200": 1, "429": 1}},
                    "limited": {"plan:free:ada": 2, "route:both:a": 1},
                },
            ),
        ],
    ),
    (
        "a configuration without limits",
        {
            "plans": {"free": {}},
            "keys": {"k": {"owner": "ada", "plan": "free"}},
            "routes": [ROUTE, {**ROUTE, "name": "up", "path": "/up", "public": True}],
        },
        [
            (["full", "GET", "/x", "k"], [200, {}, {"params": {}, "owner": "ada"}]),
            (["full", "GET", "/up", None], [200, {}, {"params": {}, "owner": None}]),
            (["get", "/x", "k", {"body": {"throws": True}}], "500"),
            (
                ["log"],
                [
                    "2026-03-01T09:00:00.000Z ada x 200",
                    "2026-03-01T09:00:00.000Z - up 200",
                    "2026-03-01T09:00:00.000Z ada x 500",
                ],
            ),
            (["usage"], []),
        ],
    ),
    (
        "counts at first",
        CONFIG,
        [
            (["stats"], {"requests": 0, "routes": {}, "limited": {}}),
        ],
    ),
    (
        "usage in full, sorted, as of now",
        CONFIG,
        [
            (["get", "/one", "bob"], "200 3/2/1"),
            (["get", "/own", "ada"], "200 2/1/5"),
            (["at", 999], None),
            (
                ["usageInFull"],
                [
                    {"bucket": "plan:free:ada", "limit": 3, "remaining": 2},
                    {"bucket": "plan:free:bob", "limit": 3, "remaining": 2},
                    {"bucket": "route:own:ada", "limit": 2, "remaining": 1},
                ],
            ),
            (["at", 1000], None),
            (["usage"], [["route:own:ada", 2, 1]]),
            (["at", 5000], None),
            (["usage"], []),
        ],
    ),
    (
        "a reload with the same limits",
        CONFIG,
        [
            (["get", "/two", "ada"], "200 3/1/2"),
            (["get", "/two", "ada"], f"429 3/1/2 1 {FREE}"),
            (["reload", config(keys={"new": {"owner": "ada", "plan": "free"}})], "reloaded"),
            (["get", "/one", "new"], "200 3/0/3"),
            (
                ["stats"],
                {
                    "requests": 3,
                    "routes": {"two": {"200": 1, "429": 1}, "one": {"200": 1}},
                    "limited": {"plan:free:ada": 1},
                },
            ),
        ],
    ),
    (
        "a reload that spells the default",
        CONFIG,
        [
            (["get", "/one", "slow"], "200 2/1/5"),
            (
                [
                    "reload",
                    config(
                        plans={
                            **CONFIG["plans"],
                            "slow": {"limit": {"requests": 2, "perSeconds": 10, "burst": 2}},
                        }
                    ),
                ],
                "reloaded",
            ),
            (["get", "/one", "slow"], "200 2/0/10"),
        ],
    ),
    (
        "a reload with another limit",
        CONFIG,
        [
            (["get", "/own", "ada"], "200 2/1/5"),
            (["get", "/up", None, {"ip": "a"}], "200 2/1/1"),
            (["reload", plan(requests=60, perSeconds=60, burst=4)], "reloaded"),
            (["usage"], [["public:a", 2, 1], ["route:own:ada", 2, 1]]),
            (["get", "/one", "ada"], "200 4/3/1"),
        ],
    ),
    (
        "a reload with another time",
        CONFIG,
        [
            (["get", "/two", "ada"], "200 3/1/2"),
            (["reload", plan(requests=60, perSeconds=30, burst=3)], "reloaded"),
            (["get", "/one", "ada"], "200 3/2/1"),
        ],
    ),
    (
        "a limit that goes and comes again",
        CONFIG,
        [
            (["get", "/one", "ada"], "200 3/2/1"),
            (["reload", config(plans={**CONFIG["plans"], "free": {}})], "reloaded"),
            (["get", "/one", "ada"], "200"),
            (["reload", CONFIG], "reloaded"),
            (["usage"], []),
        ],
    ),
    (
        "a reload that fails",
        CONFIG,
        [
            (["get", "/two", "ada"], "200 3/1/2"),
            (["reload", config(publicLimit=3)], "publicLimit: must be an object"),
            (["usage"], [["plan:free:ada", 3, 1]]),
            (["get", "/one", "ada"], "200 3/0/3"),
        ],
    ),
    (
        "a forgotten bucket gets nothing back",
        CONFIG,
        [
            (["start", "/two", "ada", {"body": {"throws": True}}], "started"),
            (["reload", plan(requests=1, perSeconds=1, burst=3)], "reloaded"),
            (["get", "/two", "ada"], "200 3/1/2"),
            (["finishStatus"], 500),
            (["usage"], [["plan:free:ada", 3, 1]]),
        ],
    ),
]

BIG = {"requests": 9, "perSeconds": 1}

REFUSED: list[tuple[dict[str, Any], str]] = [
    (config(publicLimits={}), "publicLimits: unknown field"),
    (config(publicLimit=None), "publicLimit: must be an object"),
    (config(publicLimit=[1, 2]), "publicLimit: must be an object"),
    (config(publicLimit={}), "publicLimit.requests: must be a positive integer"),
    (config(publicLimit={"requests": 1}), "publicLimit.perSeconds: must be a positive integer"),
    (plan(requests=0, perSeconds=0), "plans.free.limit.requests: must be a positive integer"),
    (plan(requests=1.5, perSeconds=1), "plans.free.limit.requests: must be a positive integer"),
    (plan(requests="1", perSeconds=1), "plans.free.limit.requests: must be a positive integer"),
    (plan(requests=1, perSeconds=-1), "plans.free.limit.perSeconds: must be a positive integer"),
    (
        plan(requests=1, perSeconds=1, burst=0),
        "plans.free.limit.burst: must be a positive integer",
    ),
    (plan(requests=0, perSeconds=1, per=2), "plans.free.limit.per: unknown field"),
    (config(plans={"free": {"limit": "none"}}), "plans.free.limit: must be an object"),
    (
        config(keys={"k": {"owner": "ada", "plan": "free", "unlimited": 1}}),
        "keys.k.unlimited: must be true or false",
    ),
    (routes({**ROUTE, "cost": -1}), "routes[6].cost: must be a non-negative integer"),
    (routes({**ROUTE, "cost": 0.5}), "routes[6].cost: must be a non-negative integer"),
    (routes({**ROUTE, "cost": None}), "routes[6].cost: must be a non-negative integer"),
    (routes({**ROUTE, "limit": 1, "cost": "1"}), "routes[6].cost: must be a non-negative integer"),
    (routes({**ROUTE, "limit": True}), "routes[6].limit: must be an object"),
    (
        routes({**ROUTE, "limit": {"requests": 1}}),
        "routes[6].limit.perSeconds: must be a positive integer",
    ),
    (
        routes({**ROUTE, "cost": 4, "limit": {**BIG, "burst": 1}}),
        "routes[6].cost: is greater than the burst of plans.free.limit",
    ),
    (
        routes({**ROUTE, "cost": 3, "limit": BIG}),
        "routes[6].cost: is greater than the burst of plans.slow.limit",
    ),
    (
        routes({**ROUTE, "public": True, "cost": 3, "limit": {**BIG, "burst": 2}}),
        "routes[6].cost: is greater than the burst of publicLimit",
    ),
    (
        routes({**ROUTE, "cost": 2, "limit": {**BIG, "burst": 1}}),
        "routes[6].cost: is greater than the burst of routes[6].limit",
    ),
    (
        {**routes({**ROUTE, "cost": 99}), "publicLimit": {"requests": 1}},
        "publicLimit.perSeconds: must be a positive integer",
    ),
    (config(publicLimit={"requests": 1}, routes=3), "routes: must be a list"),
]
