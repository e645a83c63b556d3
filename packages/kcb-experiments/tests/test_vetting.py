"""What agents cannot work with is refused when it is planned, by the agents themselves."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import kcb_agents.plugin
from kcb_core.catalog import Catalog, load_catalog
from kcb_core.errors import DeclarationError
from kcb_core.roles import DatasetSource
from kcb_core.testing.values import plugin_giving
from kcb_experiments.frozen import Experiment, freeze, read_experiment, store
from kcb_experiments.spec import Benchmark, Caps, Spec, Subject
from kcb_experiments.task_sets import Datasets

pytestmark = pytest.mark.workspace

FREE = {"base_url": "http://127.0.0.1:1/v1", "model": "m"}
FIRST, LAST = "toy-easy-001-x", "toy-easy-003-z"


class Untold:
    """An agent of a stranger's that cannot check what it is told."""

    name = "untold"
    version = "1"
    asks_model = True

    def generate(self, generation: object) -> Any:
        """Never called."""
        raise AssertionError


@pytest.fixture
def catalog(toy_dataset: Path) -> Catalog:
    """The agents of kcb-agents, and a stranger's."""
    source = DatasetSource(name="toy", folder=toy_dataset)
    toys = plugin_giving(agents=[Untold()], dataset_sources=[source], task_sources=[Datasets()])
    return load_catalog([("agents", kcb_agents.plugin), ("toys", toys)])


Freezing = Callable[..., Experiment]


@pytest.fixture
def frozen(catalog: Catalog, tmp_path: Path) -> Freezing:
    """Freezes an experiment of these subjects, of which each has a letter."""

    def made(*subjects: dict[str, Any], tasks: tuple[str, ...] = (FIRST, LAST)) -> Experiment:
        spec = Spec(
            name="small",
            benchmark=Benchmark(dataset="toy", tasks=tasks),
            subjects=tuple(Subject(name=n, **s) for n, s in zip("abc", subjects, strict=False)),
            budget=Caps(),
        )
        return freeze(spec, catalog, beside=tmp_path)

    return made


def script(agent: str = "one-shot", said: str = "hello") -> str:
    """A script of one reply."""
    return json.dumps(
        {"kind": "replay", "format": 1, "agent": agent, "replies": [{"content": said}]}
    )


@pytest.mark.parametrize(
    ("agent", "changes", "says"),
    [
        ("one-shot", {"settings": FREE | {"temprature": 0.2}}, "did you mean 'temperature'"),
        ("one-shot", {"settings": {"base_url": "http://a/v1"}}, "missing required field 'model'"),
        ("one-shot", {"settings": FREE | {"base_url": "localhost"}}, "localhost"),
        ("one-shot", {"settings": FREE | {"api": "opnai"}},
         "field 'api': Invalid enum value 'opnai'; known: anthropic, auto, ollama, openai, "
         "responses"),
        ("one-shot", {"options": {"max_turns": "8"}}, "no option 'max_turns'; it has none"),
        ("action-loop", {"options": {"max_turns": "8"}}, "no option 'max_turns'; did you mean "),
        ("action-loop", {"options": {"turns": "eight"}}, "'turns'"),
        ("coding", {"options": {"route": "bsh"}}, "value 'bsh'; known: "),
        ("command", {"options": {"program": "aidr"}}, "did you mean 'aider'"),
        ("command", {"options": {"program": "./mine.toml"}}, "mine.toml"),
        ("command", {"settings": FREE | {"temperature": 1.0}, "options": {"program": "aider"}},
         "the program itself decides on temperature; leave that out"),
        ("snippet", {"options": {}}, "missing required field 'code'"),
        ("one-shot", {"settings": FREE | {"api_key_env": "MY_KEY"}},
         "'settings.api_key_env' names the variable MY_KEY, which its cells do not receive; set "
         'credentials = ["MY_KEY"]'),
        ("one-shot", {"settings": FREE | {"api_key_env": "MY_KEY"}, "credentials": ("OTHER",)},
         'set credentials = ["OTHER", "MY_KEY"]'),
        ("one-shot", {"credentials": ("MY_KEY",)},
         "'credentials' names MY_KEY, and agent 'one-shot' would use it for nothing; set "
         'settings.api_key_env = "MY_KEY", or leave it out'),
        ("one-shot", {"settings": FREE | {"api_key_env": "MY_KEY"},
                      "credentials": ("MY_KEY", "MORE")}, "names MORE, and agent 'one-shot' would"),
        ("replay", {"options": {}}, "needs the option 'script'"),
        ("replay", {"options": {"script": "nowhere.toml"}}, "nowhere.toml: there is no such"),
    ],
)  # fmt: skip
def test_what_an_agent_cannot_work_with_is_refused_with_its_subject(
    frozen: Freezing, agent: str, changes: dict[str, Any], says: str
) -> None:
    """No cell is void, and none is charged, for a slip that could be seen beforehand."""
    with pytest.raises(DeclarationError) as caught:
        frozen({"agent": agent, "settings": FREE} | changes)
    assert str(caught.value).startswith("subject 'a': ")
    assert says in str(caught.value)


def test_every_subject_with_a_fault_is_named(frozen: Freezing) -> None:
    """Whoever mends one need not come back for the next."""
    wrong = {"agent": "one-shot", "settings": FREE, "options": {"turns": "8"}}
    with pytest.raises(DeclarationError, match=r"subject 'a': .*; subject 'c': ") as caught:
        frozen(wrong, {"agent": "one-shot", "settings": FREE}, wrong)
    assert "subject 'b'" not in str(caught.value)


def test_what_is_right_is_taken(frozen: Freezing) -> None:
    """With the key declared once as a setting and once as a credential; and of strangers all."""
    keyed = {"settings": FREE | {"api_key_env": "K"}, "credentials": ("K",)}
    code = {"agent": "snippet", "options": {"code": "pass"}, "credentials": ("ANY",)}
    odd = {"agent": "untold", "settings": {"x": 1}, "options": {"y": "2"}, "credentials": ("Z",)}
    made = frozen({"agent": "one-shot", **keyed}, code, odd)
    assert [arm.contents for arm in made.arms] == [{}, {}, {}]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (script(agent="oneshot"), "field 'agent': Invalid enum value 'oneshot'; known: "
         "action-loop, coding, one-shot"),
        ('{"kind": "replay", "format": 1, "agent": "coding"}', "either 'replies' or 'actions'"),
        ("{", "one.json"),
    ],
    ids=["agent", "nothing", "json"],
)  # fmt: skip
def test_a_broken_script_is_refused(frozen: Freezing, tmp_path: Path, text: str, says: str) -> None:
    """With the file, the field and what may stand there."""
    path = tmp_path / "one.json"
    path.write_text(text)
    with pytest.raises(DeclarationError) as caught:
        frozen({"agent": "replay", "options": {"script": str(path)}})
    assert says in str(caught.value)
    assert f"subject 'a': {path}" in str(caught.value)


def test_an_option_goes_to_the_loop_that_a_script_goes_through(
    frozen: Freezing, tmp_path: Path
) -> None:
    """The options of a replay are those of what it replays."""
    path = tmp_path / "one.json"
    path.write_text(script())
    told = {"agent": "replay", "options": {"script": str(path), "turns": "9"}}
    with pytest.raises(DeclarationError, match="agent 'one-shot' has no option 'turns'"):
        frozen(told)
    path.write_text(script(agent="coding"))
    assert frozen(told)


def test_a_changed_script_is_another_experiment(frozen: Freezing, tmp_path: Path) -> None:
    """Its answers are all that its results depend on, so that they are frozen by their digest."""
    path = tmp_path / "one.json"
    path.write_text(script())
    told = {"agent": "replay", "options": {"script": str(path)}}
    made = frozen(told)
    assert store(made, tmp_path)
    assert read_experiment(tmp_path) == made
    assert not store(frozen(told), tmp_path)
    path.write_text(script(said="bye"))
    changed = frozen(told)
    assert changed.sha256 != made.sha256
    with pytest.raises(
        DeclarationError, match=r"subjects 'a'\.content of options\.script: \"[0-9a-f]"
    ):
        store(changed, tmp_path)


def test_of_a_folder_of_scripts_only_those_of_the_tasks_count(
    frozen: Freezing, tmp_path: Path
) -> None:
    """One for each task; another one in the folder changes nothing."""
    folder = tmp_path / "scripts"
    folder.mkdir()
    told = {"agent": "replay", "options": {"script": str(folder)}}
    (folder / f"{FIRST}.json").write_text(script())
    with pytest.raises(DeclarationError, match=f"no script for '{LAST}'"):
        frozen(told)
    made = frozen(told, tasks=(FIRST,))
    assert list(made.arms[0].contents) == [f"script/{FIRST}.json"]
    (folder / f"{LAST}.json").write_text("broken")
    assert frozen(told, tasks=(FIRST,)) == made


def test_a_changed_declaration_of_a_program_is_another_experiment(
    frozen: Freezing, tmp_path: Path
) -> None:
    """It says what is run and how, and lies outside of the spec."""
    path = tmp_path / "mine.toml"
    path.write_text('format = 1\nname = "mine"\nargv = ["true"]\n')
    told = {"agent": "command", "settings": FREE, "options": {"program": str(path)}}
    before = frozen(told)
    assert list(before.arms[0].contents) == ["program"]
    path.write_text('format = 1\nname = "mine"\nargv = ["false"]\n')
    assert frozen(told).sha256 != before.sha256
