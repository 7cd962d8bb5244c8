from pathlib import Path

import pytest

from psygen.errors import SettingsFault
from psygen.settings import load_settings


def write(folder: Path, text: str) -> Path:
    (folder / "psygen.toml").write_text(text, encoding="utf-8")
    return folder


def test_flags_win_over_variables_over_file_over_defaults(tmp_path: Path) -> None:
    write(tmp_path, '[server]\nmodel = "file"\n[generate]\nquestions = 5\nseed = 1\n')
    found = load_settings(tmp_path, {"PSYGEN_MODEL": "env", "PSYGEN_SEED": "2"}, {"generate": {"seed": 3}})
    assert (found.server.model, found.generate.questions, found.generate.seed) == ("env", 5, 3)
    assert found.generate.lang == "zh"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[server]\nmodle = 'x'\n", "did you mean model?"),
        ("[sever]\nmodel = 'x'\n", "the tables are [generate], [server], [review]"),
        ("[generate]\nquestions = -1\n", "generate.questions"),
        ("[generate]\nengine = 'gpt'\n", "generate.engine"),
        ("model = 'x'\n", "stands outside any [table]"),
        ("[generate\n", "not valid TOML"),
    ],
)
def test_a_wrong_file_is_one_sentence_that_helps(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(SettingsFault) as error:
        load_settings(write(tmp_path, text), {})
    assert said in str(error.value)
    assert "psygen.toml" in str(error.value)


def test_a_wrong_variable_is_named(tmp_path: Path) -> None:
    with pytest.raises(SettingsFault, match="PSYGEN_QUESTIONS"):
        load_settings(tmp_path, {"PSYGEN_QUESTIONS": "many"})


def test_without_a_workspace_the_packaged_files_serve(tmp_path: Path) -> None:
    found = load_settings(tmp_path, {})
    assert found.database == tmp_path / "outputs" / "psygen.db"
    assert all((folder / "subjects.toml").is_file() for folder in found.concept_folders)


def test_a_workspaces_own_folders_come_first(tmp_path: Path) -> None:
    (tmp_path / "concepts").mkdir()
    assert len(load_settings(tmp_path, {}).concept_folders) == 1
    write(tmp_path, "")
    assert load_settings(tmp_path, {}).concept_folders[0] == tmp_path / "concepts"


def test_a_missing_folder_says_how_to_make_it(tmp_path: Path) -> None:
    with pytest.raises(SettingsFault, match="psygen init"):
        load_settings(tmp_path / "nowhere", {})
