"""The executor that every machine has keeps what every executor keeps."""

import pytest

from kcb_experiments.engine.process_executor import ProcessExecutor
from kcb_experiments.testing.executor_conformance import ExecutorConformance

pytestmark = pytest.mark.workspace


class TestConformance(ExecutorConformance):
    """What every executor keeps."""

    executor = ProcessExecutor()
