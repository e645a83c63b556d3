"""Any other text of the modules is taken for a fault."""

import hashlib
import unittest
from pathlib import Path

import foldline

FOLDER = Path(foldline.__file__).parent
DIGESTS = {
    "__init__.py": "0b87341c41347ce31a107129475683e4102c4a808d965f7ab7b145384806a957",
    "columns.py": "c2812678ca2cf49c03319324c87b9634dde83111a410e058f8e33d62a66e58c5",
    "layout.py": "7d6503099157b454e9bf63eb99e43ff29ead3af1c81ff6b6670e4c14c4ed4841",
    "lines.py": "f5e43be88cbc2387c5607c9192315dcb5a382cb6b5d91d04022fd7856a7a842d",
    "measure.py": "a5a70fbf8f0c9d24ad47e7c380b595f8ad2a2e1d3a42788d31e83e268be80cb5",
    "shorten.py": "5db869fb2711b400118783e08db552171399ca27142b22a2b44d53c1260fc12e",
    "words.py": "d9fed286312d68ddb3c5fd3eaf5ac15446d362be9965f4415fe82cec15300efc",
    "wrapping.py": "6525f69f9c98dfba662818ad8c87ec0aa8f4a5058915650b296acf2e00e075d8",
}


class Source(unittest.TestCase):
    def test_unchanged(self):
        for name, digest in DIGESTS.items():
            found = hashlib.sha256((FOLDER / name).read_bytes()).hexdigest()
            self.assertEqual(found, digest, name)


if __name__ == "__main__":
    unittest.main()
