"""The code is right as it is, so it has to stay as it is."""

import hashlib
import unittest
from pathlib import Path

KNOWN = {
    "__init__.py": "0f9201c911bfdb84108ba7d3402568adf097687bf2980d7da81906788496e648",
    "intervals.py": "e3af2e4fd09ed319a11d1f9dffed2eedeb54b71552419b1d0b80938717acb98e",
    "planning.py": "bf7d809759a39dc3b52b6c7f8070130a4d38bcfc2d0b1702db0b77548d858c17",
    "text.py": "b8b77d1f64e0cc67437ba31031a8bf45455665d20cf21abf1e83ef2f271406e3",
}


class Source(unittest.TestCase):
    def test_nothing_has_changed(self):
        folder = Path(__file__).resolve().parent.parent / "spans"
        for name, digest in KNOWN.items():
            found = hashlib.sha256((folder / name).read_bytes()).hexdigest()
            self.assertEqual(found, digest, name)
