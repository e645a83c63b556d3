"""The role of a tier."""

from types import SimpleNamespace

from kcb_core.tier import Tier


def test_tier_is_whatever_has_its_parts() -> None:
    """A stranger's tier inherits nothing; what lacks a part is refused when it is registered."""
    names = ("name", "rank", "target_model_parameters", "start", "prompt", "service", "examples")
    parts = dict.fromkeys(names, print)
    assert isinstance(SimpleNamespace(**parts, scenarios=print), Tier)
    assert not isinstance(SimpleNamespace(**parts), Tier)
