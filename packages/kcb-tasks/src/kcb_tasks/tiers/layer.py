"""A tier as a layer: its operations, its blocks of the prompt, and its scripts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from kcb_core.family import Family
from kcb_core.task import Scenario, Tag
from kcb_core.tier import Service
from kcb_tasks.language import PYTHON, Language
from kcb_tasks.prompt import build_prompt
from kcb_tasks.scenarios.acts import join
from kcb_tasks.scenarios.contract import contract_acts
from kcb_tasks.scenarios.envelope import envelope_acts
from kcb_tasks.scenarios.material import Material
from kcb_tasks.scenarios.play import Play, Script, Stage, record
from kcb_tasks.tiers.protocol import Operations, Oracle

_EXAMPLE_IDS = (1, "b")


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceTier:
    """A :class:`kcb_core.tier.Tier` whose programs answer requests line by line."""

    name: str
    """Name of the tier, as it stands in task ids."""
    rank: int
    """Place among the tiers, from 0 for the lowest."""
    target_model_parameters: str
    """Size of the models that it is designed for; not calibrated."""
    blocks: tuple[str, ...]
    """Names of the protocol's blocks of the prompt, in order."""
    operations: Callable[[Family], Operations]
    """The operations that the oracle offers for a family."""
    scripts: tuple[Script, ...] = ()
    """What is played beyond the contract and the envelope."""
    joined: int
    """Most requests of a scenario on the contract or the envelope."""
    durable: bool = False
    """Whether state outlives a kill."""
    language: Language = PYTHON
    """What programs are written in."""

    @property
    def start(self) -> tuple[str, ...]:
        """The start command of a candidate, as words with placeholders."""
        return self.language.start_command(durable=self.durable)

    def prompt(self, family: Family) -> str:
        """All that a model is told."""
        return build_prompt(family, self.language, self.blocks, self.examples(family))

    def service(self, family: Family) -> Service:
        """A fresh oracle with an empty state."""
        return Oracle(self.operations(family), durable=self.durable)

    def examples(self, family: Family) -> Iterator[Scenario]:
        """The two examples of the prompt, as scenarios of one session and one request."""
        stage = self._stage(family, 0)
        for number, (case, name) in enumerate(zip(family.examples, _EXAMPLE_IDS, strict=True), 1):
            request = {"id": name, "op": "evaluate", "input": case.input}
            shown = Script(f"example-{number}", (Tag.CORE,), (partial(_send, request),))
            yield record(stage, shown)

    def scenarios(self, family: Family, seed: int) -> Iterator[Scenario]:
        """What a solution is judged by: the acts in chunks, then the scripts of the tier."""
        stage = self._stage(family, seed)
        acts = (
            *contract_acts(stage.material),
            *envelope_acts(stage.material, stage.operations),
        )
        for script in (*join(acts, self.joined), *self.scripts):
            yield record(stage, script)

    def _stage(self, family: Family, seed: int) -> Stage:
        return Stage(
            service=partial(self.service, family),
            operations=frozenset(self.operations(family)),
            durable=self.durable,
            material=Material(family, seed),
        )


def _send(request: dict[str, object], play: Play) -> None:
    play.send(request)
