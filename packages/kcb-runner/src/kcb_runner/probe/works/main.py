import json
import os
import sys


def main() -> None:
    path = os.path.join(sys.argv[sys.argv.index("--state-dir") + 1], "sum")
    total = 0
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            total = int(file.read())
    for line in sys.stdin.buffer:
        try:
            request = json.loads(line.decode("utf-8"))
        except ValueError:
            answer = {"id": None, "error": True}
        else:
            total += request["n"]
            with open(path + ".new", "w", encoding="utf-8") as file:
                file.write(str(total))
            os.replace(path + ".new", path)
            answer = {"id": request["id"], "sum": total}
        sys.stdout.buffer.write(json.dumps(answer).encode("ascii") + b"\n")
        sys.stdout.buffer.flush()


main()
