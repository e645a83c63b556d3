"""The profile of a score over the shipped dataset."""

import msgspec
from msgspec.json import Decoder

from kcb_core.catalog import load_catalog, open_source
from kcb_core.dataset import open_dataset
from kcb_score.profile import TOPICS, topics_of


class Tagged(msgspec.Struct):
    """The tags of a scenario, without its sessions, which take minutes to read."""

    tags: tuple[str, ...]


class Scenarios(msgspec.Struct):
    """The scenarios of a task, as the text that its record holds."""

    acceptance_tests: str


def test_every_scenario_of_the_shipped_dataset_belongs_to_a_topic() -> None:
    """None is left out of the profile, and every topic has scenarios."""
    dataset = open_dataset(open_source(load_catalog(), "kcb").folder)
    record, scenarios = Decoder(Scenarios), Decoder(tuple[Tagged, ...])
    tasks = [
        scenarios.decode(record.decode(line).acceptance_tests)
        for file in dataset.manifest.files
        for line in (dataset.folder / file.path).read_bytes().splitlines()
    ]
    assert len(tasks) == len(tuple(dataset.task_ids))
    tags = {scenario.tags for task in tasks for scenario in task}
    assert () not in tags
    found = {topic for one in tags for topic in topics_of(one)}
    assert found == set(TOPICS.values())
