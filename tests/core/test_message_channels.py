"""The operator's file of channels, and the settings that it names."""

import base64
import os
import subprocess
import sys
from pathlib import Path

import pytest

from debate_core.errors import InvalidSpec
from debate_core.host.messages.channels import MessageSettings, read_messages
from debate_core.host.settings import Settings, read_settings

SECRET = "whsec_" + base64.b64encode(bytes(range(32))).decode()
SLACK_URL = "https://hooks.slack.com/services/T0/B0/k3yk3yk3y"
FILE = """
[channels.team]
kind = "slack"
url_env = "DEBATE_SLACK_URL"
events = ["decided", "due"]
language = "de"

[channels.bus]
kind = "json"
url = "https://bus.example/hook"
secret_env = "DEBATE_HOOK_SECRET"

[channels.ada]
kind = "mail"
to = "ada@example.org"
person = "Ada Lovelace"
"""
ENVIRON = {
    "DEBATE_PUBLIC_URL": "https://debates.example",
    "DEBATE_SLACK_URL": SLACK_URL,
    "DEBATE_HOOK_SECRET": SECRET,
    "DEBATE_SMTP": "smtp://debates:p%40ss@mail.example:2525",
    "DEBATE_SMTP_FROM": "debates@example.org",
    "DEBATE_MESSAGES_ALLOW": "chat.internal, 10.0.0.5",
}


def settings_of(folder: Path, text: str = FILE, **environ: str) -> Settings:
    path = folder / "messages.toml"
    path.write_text(text, "utf-8")
    values = {**ENVIRON, "DEBATE_MESSAGES": str(path), **environ}
    return read_settings(environ=values, secrets=folder / "none.toml")


def messages_of(folder: Path, text: str = FILE, **environ: str) -> MessageSettings:
    settings = settings_of(folder, text, **environ)
    assert settings.messages_path is not None
    return read_messages(settings, settings.messages_path)


def test_channels_are_read_with_their_secrets(tmp_path: Path) -> None:
    read = messages_of(tmp_path)
    team, bus, ada = read.channels.values()
    assert (team.url, team.shown, team.spec.events, team.spec.language) == (
        SLACK_URL,
        "hooks.slack.com",
        ("decided", "due"),
        "de",
    )
    assert (bus.secret, len(bus.spec.events)) == (bytes(range(32)), 6)
    assert (ada.shown, ada.spec.person) == ("example.org", "Ada Lovelace")
    assert read.mail is not None
    assert (read.mail.host, read.mail.port, read.mail.user, read.mail.password) == (
        "mail.example",
        2525,
        "debates",
        "p@ss",
    )
    assert read.inside_hosts == {"chat.internal", "10.0.0.5"}


def test_secrets_are_in_no_repr(tmp_path: Path) -> None:
    shown = f"{messages_of(tmp_path)!r} {settings_of(tmp_path)!r}"
    for secret in ("k3yk3yk3y", SECRET, "p@ss", "p%40ss"):
        assert secret not in shown


def test_settings_of_messages_are_no_keys_of_model_servers(tmp_path: Path) -> None:
    assert not [name for name in settings_of(tmp_path).keys if "SLACK" in name or "HOOK" in name]


@pytest.mark.parametrize(
    ("text", "environ", "words"),
    [
        ("", {}, "channels"),
        ("[channels]", {}, "at least 1"),
        ("[channels.a]\nkind = 'fax'", {}, "kind"),
        ("[channels.a]\nkind = 'slack'", {}, "either url or url_env"),
        ("[channels.a]\nkind = 'slack'\nurl = 'https://a.example'\nurl_env = 'DEBATE_A'", {}, "either url or url_env"),
        ("[channels.a]\nkind = 'slack'\nurl_env = 'HOME'", {}, "url_env"),
        ("[channels.a]\nkind = 'slack'\nurl_env = 'DEBATE_A'", {}, "DEBATE_A, the address of a, is not set"),
        ("[channels.a]\nkind = 'slack'\nurl = 'ftp://a.example'", {}, "https://HOST/PATH"),
        ("[channels.a]\nkind = 'slack'\nurl = 'https://u:p@a.example/'", {}, "https://HOST/PATH"),
        ("[channels.a]\nkind = 'slack'\nurl = 'http://a.example'", {}, "must use https"),
        ("[channels.a]\nkind = 'json'\nurl = 'https://a.example'", {}, "needs secret_env"),
        (FILE, {"DEBATE_HOOK_SECRET": "whsec_c2hvcnQ="}, "24 to 64 bytes"),
        (FILE, {"DEBATE_HOOK_SECRET": "no"}, "24 to 64 bytes"),
        ("[channels.a]\nkind = 'slack'\nurl = 'https://a.example'\nevents = ['lunch']", {}, "events"),
        ("[channels.a]\nkind = 'mail'\nto = 'ada@example.org, eve@example.org'", {}, "one mail address"),
        ("[channels.a]\nkind = 'mail'\nto = \"\"\"a@b.c\nBcc: e@b.c\"\"\"", {}, "one mail address"),
        (FILE, {"DEBATE_SMTP": ""}, "DEBATE_SMTP, as in smtp://"),
        (FILE, {"DEBATE_SMTP": "http://mail.example"}, "DEBATE_SMTP, as in smtp://"),
        (FILE, {"DEBATE_SMTP_FROM": "Debates"}, "DEBATE_SMTP_FROM"),
        (FILE, {"DEBATE_PUBLIC_URL": ""}, "needs DEBATE_PUBLIC_URL"),
        ("[channels.a]\nkind = 'slack'\nurl = 'http://u:hunter2@chat.internal'", {}, "https://HOST/PATH"),
    ],
)  # fmt: skip
def test_unusable_file_is_refused_in_one_sentence(
    text: str, environ: dict[str, str], words: str, tmp_path: Path
) -> None:
    with pytest.raises(InvalidSpec) as told:
        messages_of(tmp_path, text, **environ)
    assert words in str(told.value)
    assert "\n" not in str(told.value)
    for secret in ("k3yk3yk3y", SECRET, "hunter2", "c2hvcnQ"):
        assert secret not in str(told.value)


def test_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InvalidSpec, match="cannot be read: No such file"):
        messages_of(tmp_path, DEBATE_MESSAGES=str(tmp_path / "none.toml"))


def test_allowed_host_takes_http(tmp_path: Path) -> None:
    read = messages_of(tmp_path, "[channels.a]\nkind = 'slack'\nurl = 'http://chat.internal/x'")
    assert read.channels["a"].url == "http://chat.internal/x"


def test_nothing_is_imported_without_channels(tmp_path: Path) -> None:
    """A host that sends nothing loads neither the sender nor a mail library."""
    program = (
        "import sys; from debate_core.host.host import open_host; from debate_core.host.settings import read_settings; "
        f"host = open_host(read_settings(db='sqlite:///{tmp_path / 'd.db'}')).start(); host.close(); "
        "print([n for n in sys.modules if n.startswith('debate_core.host.messages') or n == 'smtplib'])"
    )
    environ = {name: text for name, text in os.environ.items() if not name.startswith("DEBATE_")}
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=environ, check=True)
    assert done.stdout.strip() == "[]"
