"""The shipped families: one module each, ``<category>/<slug>.py``, with one constant ``FAMILY``.

A family is its rules and nothing else; prompts, scenarios and datasets are made elsewhere.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator, Mapping

from kcb_core.errors import DuplicateNameError
from kcb_core.family import Family


def discover() -> tuple[Family, ...]:
    """Every shipped family, by number.

    Raises:
        DuplicateNameError: two modules declare the same number or the same slug.
    """
    return in_order({name: importlib.import_module(name).FAMILY for name in _modules()})


def in_order(declared: Mapping[str, Family]) -> tuple[Family, ...]:
    """Families by number, after a check that no two share their number or their slug.

    Args:
        declared: the families, each under the name of the module that declares it.

    Raises:
        DuplicateNameError: two of them share their number or their slug.
    """
    owners: dict[tuple[str, str], str] = {}
    for module, family in declared.items():
        for noun, name in (("family number", f"{family.number:03d}"), ("family", family.slug)):
            owner = owners.setdefault((noun, name), module)
            if owner != module:
                raise DuplicateNameError(noun, name, (owner, module))
    return tuple(sorted(declared.values(), key=lambda family: family.number))


def _modules() -> Iterator[str]:
    """The full names of the modules that hold one family each."""
    for found in pkgutil.walk_packages(__path__, prefix=f"{__name__}."):
        if not found.ispkg:
            yield found.name
