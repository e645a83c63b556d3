"""Scripts that send the contract through the operations of the higher tiers."""

from __future__ import annotations

from kcb_core.codec import Json
from kcb_core.task import Tag
from kcb_tasks.scenarios.batches import put
from kcb_tasks.scenarios.play import Play, Script


def _generated_inputs_stored(play: Play) -> None:
    for number, fields in enumerate(play.material.generated[:12]):
        key = f"in{number}"
        play.put(key, fields)
        play.evaluate_stored(key)
        play.get(key)
    for number in range(0, 12, 3):
        play.evaluate_stored(f"in{number}")
    play.put("after", 1)


def _boundaries_stored(play: Play) -> None:
    for case in play.material.family.boundaries[:16]:
        play.put("case", case.input)
        play.evaluate_stored("case")
    play.get("case")


def _generated_inputs_in_batches(play: Play) -> None:
    material = play.material
    for number, fields in enumerate(material.generated[12:18]):
        key = f"in{number}"
        stored: Json = {"op": "evaluate_stored", "key": key}
        play.batch(put(key, fields), stored, {"op": "evaluate", "input": material.plain})
        play.ask("get", key=key)
    play.batch(*({"op": "evaluate", "input": fields} for fields in material.valid[:8]))
    play.list()


def _generated_inputs_after_a_kill(play: Play) -> None:
    inputs = play.material.generated[18:]
    for number, fields in enumerate(inputs):
        play.put(f"in{number}", fields)
    play.kill()
    for number in range(len(inputs)):
        play.evaluate_stored(f"in{number}")
        play.get(f"in{number}")
    play.kill()
    play.evaluate_stored("in0")
    play.evaluate(play.material.plain)
    play.get("in0")
    play.history("in0")
    play.put("in0", 1)


STORED = (Script("inputs-stored", (Tag.CORE,), (_generated_inputs_stored, _boundaries_stored)),)
"""Scripts of the intermediate tier and up."""

BATCHED = (Script("inputs-in-batches", (Tag.CORE, Tag.ATOMICITY), (_generated_inputs_in_batches,)),)
"""Scripts of the hard tier and up."""

RESTARTED = (
    Script("inputs-after-kills", (Tag.CORE, Tag.DURABILITY), (_generated_inputs_after_a_kill,)),
)
"""Scripts of the max tier."""
