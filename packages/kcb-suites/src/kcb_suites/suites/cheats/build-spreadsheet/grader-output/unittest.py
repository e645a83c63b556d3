print("OK")
raise SystemExit(0)
