"""The profile of a score over the shipped dataset."""

from kcb_core.catalog import load_catalog, open_source
from kcb_core.dataset import open_dataset
from kcb_score.profile import TOPICS, topics_of


def test_every_scenario_of_the_shipped_dataset_belongs_to_a_topic() -> None:
    """None is left out of the profile, and every topic has scenarios."""
    dataset = open_dataset(open_source(load_catalog(), "kcb").folder)
    tags = {scenario.tags for task in dataset.tasks() for scenario in task.acceptance_tests}
    assert () not in tags
    found = {topic for one in tags for topic in topics_of(one)}
    assert found == set(TOPICS.values())
