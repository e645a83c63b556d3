print("PASS")
