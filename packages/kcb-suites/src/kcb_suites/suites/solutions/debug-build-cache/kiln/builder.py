"""Makes targets, or finds that it need not."""

from kiln.errors import TargetError
from kiln.fingerprint import differences, key_of, made_from, output_prints
from kiln.graph import in_order
from kiln.runner import remove_outputs, run_steps
from kiln.state import State
from kiln.store import Store

CACHE = ".kiln"


class Builder:
    """Makes the targets of one project, with the variables ``environ``."""

    def __init__(self, project, environ):
        self.project = project
        self.environ = environ
        self.store = Store(project.folder / CACHE)
        self.state = State(project.folder / CACHE)

    def build(self, names, keep_going=False):
        """Make targets and what they need; yield ``(word, target, reason)`` for each."""
        bad = set()
        for target in in_order(self.project.targets, names or list(self.project.targets)):
            if (bad and not keep_going) or bad.intersection(target.needs):
                bad.add(target.name)
                yield "skipped", target.name, ""
                continue
            try:
                yield self._make(target), target.name, ""
            except TargetError as error:
                remove_outputs(self.project.folder, target)
                bad.add(target.name)
                yield "failed", target.name, str(error)
        self.state.save()

    def why(self, name):
        """What changed since the target was last made, a line each."""
        before = self.state.last.get(name)
        if before is None:
            return ["never made"]
        now = made_from(self.project, self.project.targets[name], self.environ)
        return differences(before, now) or ["nothing changed"]

    def clean(self):
        """Remove all outputs."""
        for target in self.project.targets.values():
            remove_outputs(self.project.folder, target)

    def _make(self, target):
        folder = self.project.folder
        parts = made_from(self.project, target, self.environ)
        key = key_of(parts)
        outputs = self.store.get(key)
        if outputs is None:
            run_steps(folder, target, list(parts["inputs"]), self.environ)
            self.store.put(key, output_prints(folder, target), folder, self.state.tick())
            word = "built"
        else:
            word = "fresh" if output_prints(folder, target) == outputs else "restored"
            if word == "restored":
                self.store.restore(outputs, folder)
            self.store.touch(key, self.state.tick())
        self.state.last[target.name] = parts
        return word
