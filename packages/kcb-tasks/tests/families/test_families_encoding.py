"""The families about codecs and checksums: conformance, invariants, and wrong variants."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import islice

import pytest
from wrong_families import Mistake, mistakes

from kcb_core.codec import Json
from kcb_core.equality import same
from kcb_core.family import Family, answer, generated_inputs
from kcb_core.testing.conformance import FamilyConformance
from kcb_tasks.families.encoding import (
    bitfield_packing,
    check_digits,
    delta_varint,
    huffman_code,
    lzw_codec,
)

pytestmark = pytest.mark.families


class TestDeltaVarint(FamilyConformance):
    """What every family keeps."""

    family = delta_varint.FAMILY


class TestHuffmanCode(FamilyConformance):
    """What every family keeps."""

    family = huffman_code.FAMILY


class TestCheckDigits(FamilyConformance):
    """What every family keeps."""

    family = check_digits.FAMILY


class TestLzwCodec(FamilyConformance):
    """What every family keeps."""

    family = lzw_codec.FAMILY


class TestBitfieldPacking(FamilyConformance):
    """What every family keeps."""

    family = bitfield_packing.FAMILY


def _results(family: Family, **wanted: Json) -> Iterator[tuple[dict[str, Json], Json]]:
    """100 random inputs with a result, of those with these fields, and the results."""
    drawn = generated_inputs(family, 4_242, 1_500)
    chosen = (i for i in drawn if all(i.get(name) == value for name, value in wanted.items()))
    pairs = ((fields, answer(family, fields)) for fields in chosen)
    found = list(islice(((i, given["result"]) for i, given in pairs if "result" in given), 100))
    assert len(found) == 100
    yield from found


def test_a_list_has_one_encoding() -> None:
    """Decoding undoes encoding, and whatever is accepted is the encoding of its list."""
    family = delta_varint.FAMILY
    for fields, result in _results(family, op="encode"):
        decoded = answer(family, {"op": "decode", "hex": result["hex"]})["result"]
        counts = {"bytes": result["bytes"], "runs": result["runs"]}
        assert decoded == {"values": fields["values"], **counts}
    for fields, result in _results(family, op="decode"):
        encoded = answer(family, {"op": "encode", "values": result["values"]})["result"]
        assert encoded["hex"] == fields["hex"].lower()
        assert encoded["bytes"] == len(encoded["hex"]) // 2 == result["bytes"]
        assert encoded["runs"] == result["runs"]


def _fewest_bits(counts: list[int]) -> int:
    """The length of the shortest payload: the sum of the weights of all inner trees."""
    if len(counts) == 1:
        return counts[0]
    total = 0
    while len(counts) > 1:
        first, second, *rest = sorted(counts)
        total += first + second
        counts = [*rest, first + second]
    return total


def test_a_text_is_read_back_from_its_codes() -> None:
    """The codes are free of prefixes, complete, and as short as codes can be."""
    for fields, result in _results(huffman_code.FAMILY):
        codes = {symbol["code"]: symbol["char"] for symbol in result["symbols"]}
        assert not any(a != b and b.startswith(a) for a in codes for b in codes), (
            "a code is the start of another one"
        )
        if len(codes) > 1:
            assert sum(Fraction(1, 2 ** len(code)) for code in codes) == 1
        assert list(codes) == sorted(codes, key=lambda code: (len(code), code))
        row = "".join(f"{byte:08b}" for byte in bytes.fromhex(result["hex"]))
        assert len(row) == result["bits"] + result["padding"]
        text, code = "", ""
        for bit in row[: result["bits"]]:
            code += bit
            if code in codes:
                text, code = text + codes[code], ""
        assert text == fields["text"]
        assert result["bits"] == _fewest_bits([s["count"] for s in result["symbols"]])


def _without_check(scheme: str, full: str) -> str:
    return full[:2] + full[4:] if scheme == "iban" else full[:-1]


def test_a_completed_number_is_valid_and_a_changed_one_is_not() -> None:
    """All four schemes notice every single wrong digit."""
    family = check_digits.FAMILY
    for fields, result in _results(family):
        scheme, full = fields["scheme"], result["full"]
        valid = {**result, "valid": True}
        completed = {"op": "complete", "scheme": scheme, "value": _without_check(scheme, full)}
        assert answer(family, completed)["result"] == valid
        validated = {"op": "validate", "scheme": scheme}
        assert answer(family, {**validated, "value": result["formatted"]})["result"] == valid
        for place in range(2 if scheme == "iban" else 0, len(full)):
            if full[place].isdigit():
                digit = str((int(full[place]) + 1 + place % 9) % 10)
                changed = full[:place] + digit + full[place + 1 :]
                again = answer(family, {**validated, "value": changed})["result"]
                assert again["valid"] is False


def test_codes_give_the_text_back() -> None:
    """Encoder and decoder keep the same dictionary, and never need more codes than characters."""
    family = lzw_codec.FAMILY
    for fields, result in _results(family, op="encode"):
        back = answer(family, {**fields, "op": "decode", "codes": result["codes"]})["result"]
        assert back == {"text": fields["text"], "entries": result["entries"]}
        assert len(result["codes"]) <= len(fields["text"])
        assert result["entries"] <= fields.get("max_codes", 4_096)


def test_a_message_gives_the_values_back() -> None:
    """Packing and unpacking undo each other; for one byte both orders are the same."""
    family = bitfield_packing.FAMILY
    for fields, result in _results(family, op="pack"):
        back = answer(family, {**fields, "op": "unpack", "hex": result["hex"]})["result"]
        assert same(back, {"values": fields["values"], "bits": result["bits"]})
    for fields, result in _results(family, op="unpack"):
        packed = answer(family, {**fields, "op": "pack", "values": result["values"]})["result"]
        assert packed == {"hex": fields["hex"].lower(), "bits": result["bits"]}
    for number in range(256):
        byte = {"fields": [{"name": "a", "kind": "uint", "bits": 8}], "values": {"a": number}}
        for order in ("msb", "lsb"):
            packed = answer(family, {"op": "pack", "order": order, **byte})["result"]
            assert packed == {"hex": f"{number:02x}", "bits": 8}


_WRONG = {
    delta_varint: [
        ("if delta >= 0 else -2 * delta - 1", "if delta > 0 else -2 * delta - 1"),
        ("2 * delta if delta >= 0 else -2 * delta - 1", "2 * abs(delta) + (delta < 0)"),
        ("2 * delta if delta >= 0 else -2 * delta - 1", "int(2.0 * abs(delta) - (delta < 0))"),
        ("pairwise([0, *values])", "pairwise(values)"),
        ("-(sign + 1) // 2 if sign % 2", "-(sign // 2) if sign % 2"),
        ("else sign // 2", "else int(sign / 2)"),
        ("number += byte % 128 << 7 * length", "number = number * 128 + byte % 128"),
        ("if count > _MOST_VALUES", "if count >= _MOST_VALUES"),
        ("if count > _MOST_VALUES", "if count > _MOST_VALUES + 1"),
        ("_MOST_BYTES = 9", "_MOST_BYTES = 8"),
        ("_MOST_BYTES = 9", "_MOST_BYTES = 10"),
        ("(length > 1 and byte == 0)", "False"),
        ("(length > 1 and byte == 0)", "byte == 0"),
        ("0 < length <= count", "0 <= length <= count"),
        ("length <= count - len(values)", "length <= count"),
        ("or deltas[-1:] == [delta]", ""),
        ("or deltas[-1:] == [delta]", "or delta in deltas"),
        ("deltas[-1:] == [delta]", "(deltas or [0])[-1] == delta"),
        ("abs(value) > MAX_INTEGER", "abs(value) > MAX_INTEGER + 1"),
        ("abs(value) > MAX_INTEGER", "value > MAX_INTEGER"),
        (
            "if any(abs(value) > MAX_INTEGER for value in values)",
            "if abs(values[0]) > MAX_INTEGER",
        ),
        ("if self.at < len(self.stream):", "if self.at + 1 < len(self.stream):"),
        (
            'if not _HEX.fullmatch(operand):\n        raise DomainError("bad_hex")',
            "try:\n        bytes.fromhex(operand)\n    except ValueError:\n"
            "        raise DomainError('bad_hex') from None",
        ),
        ("[0-9A-Fa-f]", "[0-9a-f]"),
        ('"hex": stream.hex()', '"hex": stream.hex().upper()'),
        (
            "values += _run(",
            "self.at < len(self.stream) or len(values) + length >= count or self.varint()\n"
            "            values += _run(",
        ),
    ],
    huffman_code: [
        ("min(smallest, other_smallest)", "max(smallest, other_smallest)"),
        ("min(smallest, other_smallest)", "smallest"),
        ("min(smallest, other_smallest)", "chr(0x10FFFF)"),
        ("trees = [(count, char, char)", "trees = [(count, chr(0x10FFFF - ord(char)), char)"),
        ("(lengths[char], char))", "(lengths[char], -ord(char)))"),
        ("(lengths[char], char))", "(lengths[char], char.encode('utf-16-be')))"),
        ("(lengths[char], char))", "(lengths[char], list(lengths).index(char)))"),
        ("following <<= lengths[char] - before", "following <<= int(lengths[char] > before)"),
        ("-len(payload) % 8", "8 - len(payload) % 8"),
        ('padded = payload + "0" * padding', 'padded = "0" * padding + payload'),
        ('padded = payload + "0" * padding', 'padded = payload + "1" * padding'),
        ('"bits": len(payload)', '"bits": len(padded)'),
        ("len(counts) > _MOST_SYMBOLS", "len(counts) >= _MOST_SYMBOLS"),
        ("len(counts) > _MOST_SYMBOLS", "len(text) > _MOST_SYMBOLS"),
        ("_MOST_SYMBOLS = 256", "_MOST_SYMBOLS = 257"),
        (
            'text = fields["text"]',
            "text = __import__('unicodedata').normalize('NFC', fields['text'])",
        ),
        ("int(padded[at : at + 8], 2)", "int(padded[at : at + 8][::-1], 2)"),
    ],
    check_digits: [
        ("digits_of[::-2]]", "digits_of[::2]]"),
        ("sum(divmod(2 * digit, 10))", "2 * digit"),
        ("sum(divmod(2 * digit, 10))", "2 * digit % 10"),
        (
            "sum(digits_of[::2]) + 3 * sum(digits_of[1::2])",
            "3 * sum(digits_of[::2]) + sum(digits_of[1::2])",
        ),
        ("return str(-(sum(digits_of[::2])", "return str(10 - (sum(digits_of[::2])"),
        ("range(10, 1, -1)", "range(1, 10)"),
        ("range(10, 1, -1)", "range(2, 11)"),
        ('"0123456789X"[-total % 11]', '"0123456789X"[total % 11]'),
        ('"0123456789X"[-total % 11]', '"0123456789x"[-total % 11]'),
        ('f"{98 - int(digits) % 97:02}"', 'f"{98 - int(digits) % 97}"'),
        ('f"{98 - int(digits) % 97:02}"', 'f"{-int(digits) % 97 + 1:02}"'),
        ('f"{98 - int(digits) % 97:02}"', 'f"{(98 - int(digits) % 97) % 97:02}"'),
        ("{payload[2:]}{payload[:2]}00", "{payload}00"),
        ("{payload[2:]}{payload[:2]}00", "{payload[2:]}00{payload[:2]}"),
        (
            "number == full",
            "(number == full or (scheme == 'iban' and int(''.join("
            "str(int(c, 36)) for c in number[4:] + number[:4])) % 97 == 1))",
        ),
        ('op == "complete" or number == full', "number == full"),
        ('"[0-9]*[0-9X]?"', '"[0-9X]*"'),
        ('("complete", "isbn10"): "[0-9]*"', '("complete", "isbn10"): "[0-9]*[0-9X]?"'),
        ('"[A-Z]{2}[0-9]{2}[A-Z0-9]*"', '"[A-Z]{2}[A-Z0-9]*"'),
        ('"luhn"): "[0-9]*"', r'"luhn"): r"\d*"'),
        ('"luhn"): "[0-9]*"', '"luhn"): "[0-9]+"'),
        (
            'fields["value"].translate(_CLEAN)',
            'fields["value"].upper().replace(" ", "").replace("-", "")',
        ),
        ('fields["value"].translate(_CLEAN)', '"".join(fields["value"].split()).translate(_CLEAN)'),
        ('string.ascii_uppercase, " -")', 'string.ascii_uppercase, " ")'),
        ("2 <= len(number) <= 30", "1 <= len(number) <= 30"),
        ("2 <= len(number) <= 30", "2 <= len(number) <= 31"),
        ("2 <= len(number) <= 30", "2 <= len(number) < 30"),
        ('{"ean13": 13, "isbn10": 10}', '{"ean13": 12, "isbn10": 10}'),
        (
            'if scheme == "iban" and number[:2] not in _LENGTHS',
            'if scheme == "iban" and len(number) > 9 and number[:2] not in _LENGTHS',
        ),
        (
            "text[at : at + 4] for at in range(0, len(text), 4)",
            "text[max(0, at - 4) : at] for at in range(len(text) % 4 or 4, len(text) + 1, 4)",
        ),
        ('_grouped(full) if scheme == "iban" else full', "_grouped(full)"),
        ('"NO": 15', '"NO": 16'),
    ],
    lzw_codec: [
        (
            "elif self.resets:\n            self.start()",
            "elif self.resets:\n            self.start()\n            self.add(string)",
        ),
        ("elif self.resets:\n            self.start()", "elif self.resets:\n            pass"),
        ("elif self.resets:\n            self.start()", "else:\n            self.start()"),
        ("if len(self.strings) < self.most:", "if len(self.strings) < self.most - 1:"),
        ("if len(self.strings) < self.most:", "if len(self.strings) <= self.most:"),
        (
            "self.strings.append(string)\n",
            "self.strings.append(string)\n"
            "            if self.resets and len(self.strings) == self.most:\n"
            "                self.start()\n",
        ),
        (
            "dictionary.strings[code] if code < len(dictionary.strings) else parts[-1]",
            "dictionary.strings[code]",
        ),
        ("if code >= len(dictionary.strings):", "if code > len(dictionary.strings):"),
        (
            "known = dictionary.strings[code] if",
            "if len(dictionary.strings) == dictionary.most > code:\n"
            "                parts.append(dictionary.strings[code])\n"
            "                dictionary.add('')\n                continue\n"
            "            known = dictionary.strings[code] if",
        ),
        ("parts[-1] + known[0])", "parts[-1] + known[-1])"),
        (
            "dictionary.add(parts[-1] + known[0])",
            "parts[-1] + known[0] in dictionary.codes or dictionary.add(parts[-1] + known[0])",
        ),
        (
            'return "".join(parts)',
            'dictionary.add(parts[-1] * 2 if parts else "")\n    return "".join(parts)',
        ),
        ("if known else codes", "if codes else codes"),
        ("len(set(alphabet)) < len(alphabet)", "len(set(alphabet.lower())) < len(alphabet)"),
        ('len(alphabet) > fields["max_codes"]', 'len(alphabet) >= fields["max_codes"]'),
        (
            'if len(alphabet) > fields["max_codes"]:',
            'if op == "encode" and len(alphabet) > fields["max_codes"]:',
        ),
        (
            "if len(set(alphabet)) < len(alphabet):",
            "if len(alphabet) > fields['max_codes']:\n"
            "        raise DomainError('alphabet_too_large')\n"
            "    if len(set(alphabet)) < len(alphabet):",
        ),
        ("if operand is None", "if not operand"),
        ("not set(operand) <= set(alphabet)", "not set(operand[:1]) <= set(alphabet)"),
        ("Integer(2, 4_096),\n            4_096", "Integer(2, 4_096),\n            256"),
    ],
    bitfield_packing: [
        ('bits if order == "msb" else bits[::-1]', "bits"),
        (
            '"".join(_turned(_bits(values.get(p["name"], 0), p["bits"]), order) for p in parts)',
            '"".join(_bits(values.get(p["name"], 0), p["bits"]) for p in parts)',
        ),
        ("_value(int(_turned(written, order), 2), part)", "_value(int(written, 2), part)"),
        ('row += "0" * (-len(row) % 8)', 'row = "0" * (-len(row) % 8) + row'),
        ('row += "0" * (-len(row) % 8)', 'row += "0" * (8 - len(row) % 8)'),
        ('return f"{value % 2**width:0{width}b}"', 'return f"{abs(value):0{width}b}"'),
        ("return number if _fits(number, part) else", "return number if True else"),
        ("lowest <= value < lowest", "lowest < value < lowest"),
        ("lowest <= value < lowest", "lowest <= value <= lowest"),
        ("lowest = -(count // 2) if", "lowest = 1 - count // 2 if"),
        ("value < lowest + count", "value < count"),
        (
            'isinstance(values[name], bool) != (part["kind"] == "flag")',
            "not isinstance(values[name], bool) and part['kind'] == 'flag'",
        ),
        (
            'isinstance(values[name], bool) != (part["kind"] == "flag")',
            "isinstance(values[name], bool) and part['kind'] != 'flag'",
        ),
        ("zeros = row[bits:]", "zeros = ''"),
        ("zeros += written", "pass"),
        ("len(row) != bits + -bits % 8", "len(row) < bits"),
        ("len(row) != bits + -bits % 8", "len(row) // 8 != bits // 8 + 1"),
        ('for part in parts if part["kind"] != "reserved"}', "for part in parts}"),
        (
            'len({part["name"] for part in parts}) < len(parts)',
            'len(n := [p["name"] for p in parts if p["kind"] != "reserved"]) > len(set(n))',
        ),
        (
            'part["kind"] == "flag" and part["bits"] != 1',
            'part["kind"] == "flag" and part["bits"] > 8',
        ),
        ("return number == 1", "return number"),
        ("if not values.keys() <= named.keys():", "if values.keys() > named.keys():"),
        (
            "if not values.keys() <= named.keys():",
            "if not named.keys() <= values.keys():\n        raise DomainError('missing_value')\n"
            "    if not values.keys() <= named.keys():",
        ),
        ("[0-9A-Fa-f]", "[0-9a-f]"),
        (
            "if not _HEX.fullmatch(text):",
            'if len(text) % 2 or set(text.lower()) - set("0123456789abcdef \\n"):',
        ),
        ('"bits": bits}\n    return', '"bits": bits + -bits % 8}\n    return'),
    ],
}

MISTAKES = mistakes(_WRONG)


@pytest.mark.parametrize("mistake", MISTAKES, ids=str)
def test_mistakes_are_caught(mistake: Mistake) -> None:
    """Golden case, boundaries and 24 drawn inputs tell a plausible mistake from the rules."""
    assert mistake.is_caught()
