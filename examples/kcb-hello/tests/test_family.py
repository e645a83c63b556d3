"""What every family owes, inherited from the house."""

from kcb_core.testing.conformance import FamilyConformance
from kcb_hello.family import FAMILY


class TestGreeting(FamilyConformance):
    """The house's own checks of a family."""

    family = FAMILY
