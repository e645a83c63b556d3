"""Decodes reports quickly, and as strictly as the strict reader: a quarter of a million are many.

msgspec is twenty times as quick as :func:`kcb_core.codec.parse`, but lets two names stand twice in
one object. So what it decoded is encoded again: if the two texts hold equally many colons, no
member was lost on the way, since text inside strings comes through whole. Whatever differs in any
way is left to the strict reader, which also words what is wrong.
"""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np

from kcb_core.codec import MAX_DEPTH
from kcb_core.limits import Limits
from kcb_core.report import REPORT_KIND, REPORT_VERSION, TaskReport

_WholeLimits = msgspec.defstruct(
    "_WholeLimits",
    [(field.name, field.type) for field in msgspec.structs.fields(Limits)],
    bases=(Limits,),
    frozen=True,
    kw_only=True,
)
# Limits are written with their defaults. One that is left out would come back as a member more,
# and could make up for a name that stands twice; so here each must be there.
WholeReport = msgspec.defstruct(
    "WholeReport", [("limits", _WholeLimits)], bases=(TaskReport,), frozen=True, kw_only=True
)
"""A report that leaves out no limit; encoded, it has no member that its text has not."""

_DECODER: msgspec.json.Decoder[TaskReport] = msgspec.json.Decoder(WholeReport)
_ENCODER = msgspec.json.Encoder()
_PACKER = msgspec.msgpack.Encoder()
_COLON = ord(":")


def decode_quickly(data: bytes) -> TaskReport | None:
    """The report that these bytes are, or nothing if only the strict reader can tell.

    What it gives is what ``decode_kind`` gives for the same bytes.
    """
    try:
        report = _DECODER.decode(data)
        again = _ENCODER.encode(report)
        _PACKER.encode(report)  # refuses integers beyond 64 bits, which may be too long to be read
    except (msgspec.MsgspecError, ValueError, OverflowError, RecursionError):
        return None
    if report.kind != REPORT_KIND or report.report_version != REPORT_VERSION:
        return None
    if _colons(data) != _colons(again) or _escapes_a_colon(data):
        return None
    return report if _shallow(report.run_record) else None


def _colons(data: bytes) -> int:
    return int(np.count_nonzero(np.frombuffer(data, np.uint8) == _COLON))


def _escapes_a_colon(data: bytes) -> bool:
    """Whether a string may hold an escaped colon, which would be counted wrongly."""
    place = data.find(rb"\u003")
    while place >= 0:
        if data[place + 5 : place + 6] in b"aA":
            return True
        place = data.find(rb"\u003", place + 1)
    return False


def _shallow(record: dict[str, Any]) -> bool:
    """Whether the one part of a report that may nest at will has few brackets."""
    if not record:
        return True
    text = _ENCODER.encode(record)
    return text.count(b"[") + text.count(b"{") < MAX_DEPTH // 2
