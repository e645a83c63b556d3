"""How a project was made."""

import json
from pathlib import Path

import pytest

from kcb_core.codec import decode, encode
from kcb_core.errors import DataError, DeclarationError
from kcb_core.run_record import Cost, RunRecord, Sampling, Usage, missing_fields, read_making

TOML = """
model_name = "modell-é"
seed = 7
tools = []
hand_corrected = false

[sampling]
temperature = 0.2

[usage]
input_tokens = 10
reasoning_tokens = 0
"""

RECORD = RunRecord(
    model_name="modell-é",
    seed=7,
    tools=(),
    hand_corrected=False,
    sampling=Sampling(temperature=0.2),
    usage=Usage(input_tokens=10, reasoning_tokens=0),
)


def test_record_may_be_written_as_toml_or_json(tmp_path: Path) -> None:
    """People write the one and programs the other; editors may put a mark before both."""
    (tmp_path / "r.toml").write_text("\ufeff" + TOML, encoding="utf-8")
    (tmp_path / "r.json").write_bytes(b"\xef\xbb\xbf" + encode(RECORD))
    assert read_making(tmp_path / "r.toml").record == RECORD
    assert read_making(tmp_path / "r.json").record == RECORD
    assert read_making(tmp_path / "r.json").source_sha256 == ""


@pytest.mark.parametrize(
    ("project", "sha256"), [({"sha256": "5c" * 32}, "5c" * 32), ({}, ""), (None, "")]
)
def test_record_may_stand_in_what_generate_keeps(
    tmp_path: Path, project: object, sha256: str
) -> None:
    """The digest shows later whether the project was changed since."""
    document = {"run_record": {"seed": 7}, "project": project, "anything": 1}
    (tmp_path / "g.json").write_text(json.dumps(document))
    making = read_making(tmp_path / "g.json")
    assert making.record == RunRecord(seed=7)
    assert making.source_sha256 == sha256


def test_what_is_not_known_is_listed_and_left_out() -> None:
    """Nothing is guessed: zero tokens and unknown tokens are two answers."""
    assert decode(encode(RunRecord(seed=0)), dict[str, int], source="r") == {"seed": 0}
    missing = missing_fields(RECORD)
    assert missing[:2] == ("model_version", "parameters")
    known = {"model_name", "seed", "tools", "hand_corrected", "sampling", "usage"}
    whole = {name for name in missing if "." not in name}
    assert whole == {*RunRecord.__struct_fields__} - known - {"toolchain_sha256"}


def test_only_an_external_agent_has_a_toolchain_so_it_is_never_missing() -> None:
    """Of an empty record everything else is."""
    names = [name for name in RunRecord.__struct_fields__ if name != "toolchain_sha256"]
    assert list(missing_fields(RunRecord())) == names


def test_what_is_missing_in_a_known_part_is_named_one_by_one() -> None:
    """A provider that states no cache tokens has not stated zero; a flag is no number to miss."""
    record = RunRecord(
        usage=Usage(input_tokens=1, output_tokens=0, cache_read_tokens=0),
        cost=Cost(dollars=0.5),
    )
    parts = [name for name in missing_fields(record) if "." in name]
    assert parts == ["usage.cache_write_tokens", "usage.reasoning_tokens"]


def test_record_holds_what_a_comparison_needs() -> None:
    """What a comparison needs to know, name by name: none may be taken out."""
    assert set(RunRecord.__struct_fields__) >= {
        *("model_name", "model_version", "parameters", "quantization", "chat_template"),
        *("context_tokens", "sampling", "seed", "agent", "agent_version", "tools"),
        *("usage", "cost", "wall_s", "host", "budget"),
        *("interventions", "retries", "hand_corrected"),
        *("seen_tasks", "memory_reset", "workspace_reset"),
    }
    classes = [name for name in Usage.__struct_fields__ if name.endswith("_tokens")]
    assert classes == [
        *("input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens"),
        "reasoning_tokens",
    ]


def test_dollars_with_an_unknown_part_are_a_lower_bound() -> None:
    """A total that silently leaves out what has no price looks cheap."""
    with pytest.raises(ValueError, match="lower_bound"):
        Cost(dollars=1.0, unpriced=("model-x",))
    assert Cost(dollars=1.0, unpriced=("model-x",), lower_bound=True).lower_bound is True


def test_record_may_say_that_it_is_one(tmp_path: Path) -> None:
    """Then kind and format are held against what this version reads, and are no unknown fields."""
    (tmp_path / "r.toml").write_text('kind = "run-record"\nformat = 1\nseed = 7')
    assert read_making(tmp_path / "r.toml").record == RunRecord(seed=7)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("r.toml", "sead = 7", "Object contains unknown field 'sead'; did you mean 'seed'?"),
        ("r.toml", "[sampling]\ntemprature = 1", "field 'sampling': Object contains unknown field "
         "'temprature'; did you mean 'temperature'?"),
        ("r.toml", "seed = 'x'", "field 'seed': Expected 'int', got 'str'"),
        ("r.toml", "seed = ", "Invalid value"),
        ("r.json", '{"seed": NaN}', "field 'seed': NaN is not JSON"),
        ("r.json", '{"run_record": {"sead": 1}}', "run_record: Object contains unknown field"),
        ("r.toml", "seed = nan", "the number nan is not finite"),
        ("r.toml", "wall_s = 1e999", "the number 1e999 is not finite"),
        ("r.toml", f"seed = {'9' * 5000}", "Exceeds the limit"),
        ("r.toml", f"seed = {'[' * 5000}", "nested too deeply"),
        ("r.toml", "[usage]\ninput_tokens = -1", "field 'usage.input_tokens': Expected 'int' >= 0"),
        ("r.toml", "[cost]\ndollars = 1\nunpriced = ['x']", "field 'cost': with something"),
        ("r.toml", 'kind = "score"', "field 'kind': 'score' is not 'run-record'"),
        ("r.toml", 'kind = "run-record"', "field 'format': None is not known"),
        ("r.toml", 'kind = "run-record"\nformat = 2', "field 'format': 2 is not known, this "
         "version reads 1; upgrade kcb-core"),
        ("r.json", "[]", "Expected 'object', got 'array'"),
    ],
)  # fmt: skip
def test_wrong_record_is_named_by_file_and_field(
    tmp_path: Path, name: str, text: str, message: str
) -> None:
    """A field that was mistyped would otherwise count as not known."""
    (tmp_path / name).write_text(text)
    with pytest.raises(DataError) as caught:
        read_making(tmp_path / name)
    assert str(caught.value).startswith(f"{tmp_path / name}: ")
    assert message in str(caught.value)


def test_record_in_another_encoding_is_refused(tmp_path: Path) -> None:
    """TOML is UTF-8; anything else would change the model's name."""
    (tmp_path / "r.toml").write_bytes('model_name = "é"'.encode("latin-1"))
    with pytest.raises(DataError, match="can't decode byte"):
        read_making(tmp_path / "r.toml")
    with pytest.raises(DeclarationError, match="No such file"):
        read_making(tmp_path / "nowhere.toml")
