"""JSON Schemas of stored documents, and what may change in them.

Within a version only optional fields are added, so that old readers still work; anything else needs
a new version. Source: JSON Schema 2020-12.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import msgspec

from kcb_core.codec import Json, encode, parse

DIALECT = "https://json-schema.org/draft/2020-12/schema"

_NULL = {"type": "null"}
_WORDS = ("title", "description")
"""Parts of a schema that say nothing about a document."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Published:
    """A kind of stored document whose schema is published."""

    kind: str
    """What the document says that it is."""
    type: type[msgspec.Struct]
    version: int
    field: str = "format"
    """The field with the version."""
    stamped: bool = True
    """Whether documents say their kind and version; what only people write need not."""


def schema_of(published: Published) -> Json:
    """The JSON Schema of one kind of document, for its newest version.

    It is stricter than the reader in one place: a field without a value is left out, and ``null``
    is not allowed for it.
    """
    made = _without_null(parse(encode(msgspec.json.schema(published.type))))
    if not published.stamped:
        return {"$schema": DIALECT, **made}
    document = made["$defs"][published.type.__name__]
    fixed = {"kind": {"const": published.kind}, published.field: {"const": published.version}}
    document["properties"] = fixed | {
        name: of for name, of in document["properties"].items() if name not in fixed
    }
    if "kind" in published.type.__struct_fields__:  # a run record need not say that it is one
        document["required"] = [*fixed, *(n for n in document["required"] if n not in fixed)]
    return {"$schema": DIALECT, **made}


def breaking_changes(old: Json, new: Json) -> tuple[str, ...]:
    """What an old reader of documents would stumble over, one line each; none if all is additive.

    Every difference breaks but for a new optional field: a closed list of words that grows does
    too, since an old reader refuses the new word, and so does another default, since an omitted
    field then means something else.

    Args:
        old: the JSON Schema that was published.
        new: the one that is to be, with the same version.
    """
    return tuple(_breaks(_inlined(old, old), _inlined(new, new), "document"))


def _breaks(old: Json, new: Json, path: str) -> Iterator[str]:
    if not isinstance(old, dict) or not isinstance(new, dict):
        if old != new:
            yield f"{path}: {old!r} became {new!r}"
        return
    apart = {"properties", "required"}
    for key in sorted((old.keys() | new.keys()) - apart):
        yield from _breaks(old.get(key), new.get(key), f"{path}: {key}")
    before, after = old.get("properties", {}), new.get("properties", {})
    needed_before, needed_after = set(old.get("required", ())), set(new.get("required", ()))
    for name, of in before.items():
        if name not in after:
            yield f"{path}: field '{name}' was removed"
        elif (name in needed_before) != (name in needed_after):
            yield f"{path}: field '{name}' became {_need(name in needed_after)}"
        else:
            yield from _breaks(of, after[name], f"{path}.{name}")
    for name in sorted(needed_after - before.keys()):
        yield f"{path}: the new field '{name}' is required"


def _need(required: bool) -> str:
    return "required" if required else "optional"


def _inlined(value: Json, whole: Json) -> Json:
    """A schema without references and words; no document of ours holds itself."""
    if isinstance(value, list):
        return [_inlined(one, whole) for one in value]
    if not isinstance(value, dict):
        return value
    if "$ref" in value:
        return _inlined(whole["$defs"][value["$ref"].removeprefix("#/$defs/")], whole)
    return {
        key: {name: _inlined(of, whole) for name, of in member.items()}
        if key == "properties"
        else _inlined(member, whole)
        for key, member in value.items()
        if key not in (*_WORDS, "$defs", "$schema")
    }


def _without_null(value: Json) -> Json:
    """A schema in which an optional field may be left out and must not be null."""
    if isinstance(value, list):
        return [_without_null(one) for one in value if one != _NULL]
    if not isinstance(value, dict):
        return value
    members = {
        key: _without_null(member)
        for key, member in value.items()
        if not (key == "default" and member is None)
    }
    choices = members.get("anyOf")
    if isinstance(choices, list) and len(choices) == 1:
        del members["anyOf"]
        members |= choices[0]
    return members
