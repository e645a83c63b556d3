import os

print("OK", flush=True)
os._exit(0)
