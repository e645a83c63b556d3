"""The one-shot agent as an agent among others."""

from typing import Any, ClassVar

import pytest

from kcb_agents.one_shot import OneShot
from kcb_core.testing.agent_conformance import AgentConformance


class TestOneShot(AgentConformance):
    """It keeps what every agent keeps."""

    agent = OneShot()
    wrong_settings: ClassVar = {"base_url": "http://localhost/v1", "model": "m", "top": 1}

    @pytest.fixture(autouse=True)
    def _endpoint(self, script: Any, clock: Any) -> None:
        script.fails(409)
        script.says(reasoning="hm")
        self.agent = OneShot(clock)
        self.settings = {"base_url": script.url, "model": "m", "seed": 1, "max_tokens": 9}
