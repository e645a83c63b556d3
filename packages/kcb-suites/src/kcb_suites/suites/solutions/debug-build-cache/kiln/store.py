"""The cache: contents by their digest, and entries by the key of what they were made from."""

import hashlib
import json
import os
import shutil


class Store:
    """Lies in ``folder``; has nothing until something is put."""

    def __init__(self, folder):
        self.objects = folder / "objects"
        self.entries = folder / "entries"

    def get(self, key):
        """Path to print of the outputs of an entry; None if it is not there, or not whole."""
        entry = self._read(key)
        if entry is None or not all(self._whole(digest) for digest, _ in entry["outputs"].values()):
            return None
        return entry["outputs"]

    def put(self, key, outputs, project_folder, used):
        """Keep the outputs, a dictionary of path to print, as they lie in the project."""
        self.objects.mkdir(parents=True, exist_ok=True)
        self.entries.mkdir(parents=True, exist_ok=True)
        for name, (digest, _) in outputs.items():
            if not self._whole(digest):
                (self.objects / digest).unlink(missing_ok=True)
                shutil.copyfile(project_folder / name, self.objects / digest)
        self._write(key, {"outputs": outputs, "used": used})

    def restore(self, outputs, project_folder):
        """Put the outputs of an entry into the project."""
        for name, (digest, executable) in outputs.items():
            path = project_folder / name
            path.unlink(missing_ok=True)
            path.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(self.objects / digest, path)
            os.chmod(path, 0o755 if executable else 0o644)

    def touch(self, key, used):
        """Note that an entry was used."""
        self._write(key, {**self._read(key), "used": used})

    def prune(self, keep):
        """Keep the entries that were used last; how many entries and contents were dropped."""
        known = {path.stem: self._read(path.stem) for path in self.entries.glob("*.json")}
        ordered = sorted(known, key=lambda key: known[key]["used"] if known[key] else -1)
        dropped = ordered[: max(0, len(ordered) - keep)]
        for key in dropped:
            (self.entries / f"{key}.json").unlink()
        left = [known[key] for key in ordered if key not in dropped and known[key]]
        needed = {digest for entry in left for digest, _ in entry["outputs"].values()}
        unused = [path for path in self.objects.glob("*") if path.name not in needed]
        for path in unused:
            path.unlink()
        return len(dropped), len(unused)

    def _whole(self, digest):
        path = self.objects / digest
        return path.is_file() and hashlib.sha256(path.read_bytes()).hexdigest() == digest

    def _read(self, key):
        try:
            return json.loads((self.entries / f"{key}.json").read_text("utf-8"))
        except (OSError, ValueError):
            return None

    def _write(self, key, entry):
        (self.entries / f"{key}.json").write_text(json.dumps(entry), "utf-8")
