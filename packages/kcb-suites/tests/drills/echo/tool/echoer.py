"""Says a word as an envelope; ``say`` writes it into ``said.txt`` too."""

import json
import sys
from pathlib import Path

words = sys.argv[1:]
if words == ["--version"]:
    sys.stdout.write("echoer 1\n")
elif words[:1] == ["say"] and len(words) == 2:
    Path("said.txt").write_text(words[1] + "\n")
    sys.stdout.write(json.dumps({"ok": True, "command": "say", "data": {"word": words[1]}}) + "\n")
else:
    error = {"code": "usage", "message": "one word", "hint": "echoer say WORD"}
    sys.stdout.write(json.dumps({"ok": False, "command": "say", "error": error}) + "\n")
    sys.exit(4)
