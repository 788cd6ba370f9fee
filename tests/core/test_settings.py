"""Where the debates are kept and how they run: flags beat the environment, the environment beats the secrets file."""

from pathlib import Path

import pytest

from debate_core.errors import InvalidSpec
from debate_core.settings import Settings, read_settings

NOWHERE = Path("/nowhere/secrets.toml")


def test_the_default_lies_in_the_data_folder_of_the_person(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("HOME", "/home/ada")
    at_home = "sqlite:////home/ada/.local/share/debate-room/debates.db"
    assert read_settings(environ={}, secrets=NOWHERE) == Settings(at_home, 120, "inline", offline=False)
    for relative in ("", "data"):
        assert read_settings(environ={"XDG_DATA_HOME": relative}, secrets=NOWHERE).database_url == at_home
    given = read_settings(environ={"XDG_DATA_HOME": "/data"}, secrets=NOWHERE)
    assert given.database_url == "sqlite:////data/debate-room/debates.db"


def test_flag_then_environment_then_secrets(tmp_path: Path):
    secrets = tmp_path / "secrets.toml"
    secrets.write_text('DEBATE_DB = "sqlite:///secret.db"\nDEBATE_TURN_DEADLINE_S = "30"\n[vendor]\nkey = "x"\n')
    assert read_settings(environ={}, secrets=secrets) == Settings(
        "sqlite:///secret.db", 30, "inline", offline=False, database_named=True
    )
    environ = {"DEBATE_DB": "sqlite:///env.db", "DEBATE_WORKER": "none", "SWARM_MOCK": "true"}
    assert read_settings(environ=environ, secrets=secrets) == Settings(
        "sqlite:///env.db", 30, "none", offline=True, database_named=True
    )
    assert read_settings(db="sqlite:///flag.db", environ=environ, secrets=secrets).database_url == "sqlite:///flag.db"


@pytest.mark.parametrize(
    ("name", "value", "allowed"),
    [
        ("DEBATE_TURN_DEADLINE_S", "soon", "a number of seconds from 1 to 86400"),
        ("DEBATE_TURN_DEADLINE_S", "0", "a number of seconds from 1 to 86400"),
        ("DEBATE_TURN_DEADLINE_S", "nan", "a number of seconds from 1 to 86400"),
        ("DEBATE_WORKER", "many", "inline or none"),
        ("SWARM_MOCK", "perhaps", "true or false"),
    ],
)
def test_a_malformed_value_is_named(name: str, value: str, allowed: str):
    with pytest.raises(InvalidSpec, match=f"^{name} must be {allowed}, not '{value}'$"):
        read_settings(environ={name: value}, secrets=NOWHERE)


def test_a_damaged_secrets_file(tmp_path: Path):
    secrets = tmp_path / "secrets.toml"
    secrets.write_text("DEBATE_DB = \n")
    with pytest.raises(InvalidSpec, match=r"secrets\.toml cannot be read"):
        read_settings(environ={}, secrets=secrets)
