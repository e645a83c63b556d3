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
        ordered = in_order(self.project.targets, names or list(self.project.targets))
        plan = [(target, self._look(target)) for target in ordered]
        for target, parts in plan:
            if target.name == "again":
                parts = self._look(target)
            if (bad and not keep_going) or bad.intersection(target.needs):
                yield "skipped", target.name, ""
                continue
            try:
                yield self._make(target, parts), target.name, ""
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

    def _look(self, target):
        """What the target is made from, or why that cannot be said."""
        try:
            return made_from(self.project, target, self.environ)
        except TargetError as error:
            return error

    def _make(self, target, parts):
        if isinstance(parts, TargetError):
            raise parts
        folder = self.project.folder
        key = key_of(folder, parts)
        if target.name == "join":
            key = key_of(folder, {**parts, "steps": [parts["inputs"]]})
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
