"""The toy family keeps what every family keeps."""

from kcb_core.testing.conformance import FamilyConformance
from kcb_core.testing.toy import AMOUNTS


class TestAmounts(FamilyConformance):
    """Its mean is a float, so that tests meet one."""

    family = AMOUNTS
    floats = True
