"""What families with one plausible mistake are made of; the test modules of families share it.

A mistake is a passage in the source of a family's module, and what stands there instead.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from kcb_core.codec import Json
from kcb_core.equality import same
from kcb_core.family import Family, answer, generated_inputs
from kcb_core.tier import Service
from kcb_tasks.build import SHIPPED_SEED
from kcb_tasks.scenarios.material import GENERATED


@dataclass(frozen=True, slots=True)
class Mistake:
    """One passage of a family's source, and what stands there by mistake."""

    module: ModuleType
    right: str
    wrong: str
    name: str = ""
    """What is mistaken, where the passages do not say it."""

    def __str__(self) -> str:
        slug = self.module.__name__.rpartition(".")[2].replace("_", "-")
        return f"{slug}: {self.name or self.right + ' -> ' + self.wrong}"

    def family(self) -> Family:
        """The family with the mistake."""
        source = Path(str(self.module.__file__)).read_text(encoding="utf-8")
        assert self.right in source, f"{self.module.__name__} has no passage {self.right!r}"
        variant = ModuleType("variant")
        sys.modules["variant"] = variant
        try:
            code = compile(source.replace(self.right, self.wrong), "variant", "exec")
            exec(code, variant.__dict__)
        finally:
            del sys.modules["variant"]
        family: Family = variant.FAMILY
        return family

    def is_caught(self) -> bool:
        """Whether golden case, boundaries and the drawn inputs of the dataset show it."""
        right: Family = self.module.FAMILY
        wrong = self.family()
        inputs = [case.input for case in (right.golden, *right.boundaries)]
        inputs += generated_inputs(right, SHIPPED_SEED, GENERATED)
        return not all(same(answer(right, i), _attempt(wrong, i)) for i in inputs)


class Failing(Service):
    """A service that answers with what no answer is where a mistake makes it fail."""

    def __init__(self, service: Service) -> None:
        self._service = service

    def answer(self, line: str) -> Json:
        try:
            return self._service.answer(line)
        except Exception as error:  # noqa: BLE001 - a mistake may show in any way
            return {"raised": type(error).__name__}

    def kill(self) -> None:
        self._service.kill()


def mistakes(passages: Mapping[ModuleType, Iterable[tuple[str, str]]]) -> list[Mistake]:
    """The mistakes of some modules, each a right passage and a wrong one."""
    return [Mistake(module, *pair) for module, pairs in passages.items() for pair in pairs]


def named_mistakes(module: ModuleType, passages: Mapping[str, Mapping[str, str]]) -> list[Mistake]:
    """The mistakes of a module: under each right passage the wrong ones by name."""
    return [
        Mistake(module, right, wrong, name)
        for right, by_name in passages.items()
        for name, wrong in by_name.items()
    ]


def _attempt(family: Family, fields: dict[str, Json]) -> Json:
    """An answer, or the name of the exception that a mistake may raise instead."""
    try:
        return answer(family, fields)
    except Exception as error:  # noqa: BLE001 - a mistake may show in any way
        return {"raised": type(error).__name__}
