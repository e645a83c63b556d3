"""Trial reports of tool drills: counted, routed, and looked through for worn-out checks."""
