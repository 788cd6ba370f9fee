"""Settings of storage and operation: flags override the environment, which overrides the secrets file."""

import re
from decimal import Decimal
from pathlib import Path

import pytest

from debate_core.errors import InvalidSpec
from debate_core.host.daily_budget import DayLimit
from debate_core.host.settings import MonitorSettings, Settings, read_panel_file, read_settings
from debate_core.seats.providers.network import DIRECT, Network
from tests.wire.authority import Authority

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
        ("DEBATE_DRAIN_S", "-1", "a number of seconds from 0 to 86400"),
        ("DEBATE_WORKER", "many", "inline or none"),
        ("SWARM_MOCK", "perhaps", "true or false"),
        ("DEBATE_DAILY_CALLS", "ten", "a whole number from 0"),
        ("DEBATE_OWNER_DAILY_CALLS", "-1", "a whole number from 0"),
        ("DEBATE_DAILY_USD", "-0.5", "an amount in USD from 0, as in 20.50"),
        ("DEBATE_OWNER_DAILY_USD", "a lot", "an amount in USD from 0, as in 20.50"),
        ("DEBATE_LOG", "xml", "text or json"),
        ("DEBATE_METRICS_PORT", "70000", "a port from 1 to 65535"),
        ("DEBATE_METRICS_ADDRESS", "all", "an address in figures, as in 127.0.0.1 or 0.0.0.0"),
    ],
)
def test_a_malformed_value_is_named(name: str, value: str, allowed: str):
    with pytest.raises(InvalidSpec, match=f"^{name} must be {allowed}, not '{value}'$"):
        read_settings(environ={name: value}, secrets=NOWHERE)


def test_what_may_be_used_in_a_day():
    environ = {"DEBATE_DAILY_CALLS": "0", "DEBATE_DAILY_USD": "20.50", "DEBATE_OWNER_DAILY_CALLS": "7"}
    told = read_settings(environ=environ, secrets=NOWHERE)
    assert (told.daily, told.owner_daily) == (DayLimit(0, Decimal("20.50")), DayLimit(calls=7))


def test_where_operators_are_told_of_a_process():
    environ = {
        "DEBATE_LOG": "json",
        "DEBATE_METRICS_PORT": "9464",
        "DEBATE_METRICS_ADDRESS": "0.0.0.0",
        "OTEL_EXPORTER_OTLP_ENDPOINT": "http://collector:4318/",
        "OTEL_EXPORTER_OTLP_HEADERS": "api-key=Zebrafink, x-tenant=a%20b",
        "OTEL_SERVICE_NAME": "debates",
    }
    told = read_settings(environ=environ, secrets=NOWHERE)
    monitor = MonitorSettings("json", 9464, "0.0.0.0", "http://collector:4318/v1/traces", service="debates")
    assert told.monitor == monitor
    assert told.monitor.spans_headers == {"api-key": "Zebrafink", "x-tenant": "a b"}
    assert "Zebrafink" not in repr(told) + repr(told.keys)
    own = {**environ, "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "https://traces/in"}
    assert read_settings(environ=own, secrets=NOWHERE).monitor.spans_url == "https://traces/in"
    for headers in ("Zebrafink", "a b=Zebrafink", "key=Zebra%0Afink", "key="):
        with pytest.raises(InvalidSpec, match=r"^OTEL_EXPORTER_OTLP_HEADERS must be a list of NAME=VALUE") as refused:
            read_settings(environ={"OTEL_EXPORTER_OTLP_HEADERS": headers}, secrets=NOWHERE)
        assert "Zebra" not in str(refused.value)


def test_a_damaged_secrets_file(tmp_path: Path):
    secrets = tmp_path / "secrets.toml"
    secrets.write_text("DEBATE_DB = \n")
    with pytest.raises(InvalidSpec, match=r"secrets\.toml cannot be read"):
        read_settings(environ={}, secrets=secrets)


def test_the_shipped_panels_unless_a_file_is_named(tmp_path: Path):
    shipped = read_panel_file(read_settings(environ={}, secrets=NOWHERE))
    assert {"balanced", "frontier", "economy", "one_family", "local_ollama"} <= {p.name for p in shipped.panels}
    assert shipped.as_of >= "2026-11-22"
    own = tmp_path / "own.toml"
    own.write_text('[lines.mine]\nprovider = "openai"\nmodel = "m"\ndialect = "responses"\n[families]\nm = "own"\n')
    settings = read_settings(environ={"DEBATE_PANELS": str(own)}, secrets=NOWHERE)
    assert settings.panels_path == own
    mine = read_panel_file(settings)
    assert [line.id for line in mine.lines] == ["mine"]
    assert mine.families == {**shipped.families, "m": "own"}
    own.write_text("[lines.mine]\n")
    with pytest.raises(InvalidSpec, match=rf"^{own}, line 1: lines\.mine: provider is missing$"):
        read_panel_file(settings)


def test_a_panel_file_that_cannot_be_read_is_named_at_once(tmp_path: Path):
    binary = tmp_path / "binary.toml"
    binary.write_bytes(b"\xff\xfe")
    cases = ((tmp_path / "none", "No such file"), (tmp_path, "Is a directory"), (binary, "it is not UTF-8 text"))
    for path, why in cases:
        with pytest.raises(InvalidSpec, match=f"^DEBATE_PANELS: {path} cannot be read: {why}"):
            read_settings(environ={"DEBATE_PANELS": str(path)}, secrets=NOWHERE)


def test_addresses_that_the_web_app_may_reach():
    given = {"DEBATE_BASE_URLS": " http://10.0.0.5:8000/v1/ , https://models.acme.test/v1,"}
    allowed = ("http://10.0.0.5:8000/v1", "https://models.acme.test/v1")
    assert read_settings(environ=given, secrets=NOWHERE).base_urls == allowed
    assert read_settings(environ={}, secrets=NOWHERE).base_urls == ()
    with pytest.raises(InvalidSpec, match=r"^DEBATE_BASE_URLS: the address 'acme' must be http://"):
        read_settings(environ={"DEBATE_BASE_URLS": "http://a.test,acme"}, secrets=NOWHERE)


def test_keys_are_kept_but_never_shown(tmp_path: Path):
    secrets = tmp_path / "secrets.toml"
    secrets.write_text('ACME_API_KEY = "from-secrets"\nOTHER_KEY = "o"\n[vendor]\nNESTED_KEY = "n"\n')
    environ = {"ACME_API_KEY": " from-environ\n", "EMPTY_KEY": "", "lower": "x"}
    settings = read_settings(environ=environ, secrets=secrets)
    assert settings.keys == {"ACME_API_KEY": "from-environ", "OTHER_KEY": "o"}
    assert "from-environ" not in repr(settings)


def test_the_link_secret_is_long_hidden_and_no_model_key():
    secret = "an example of thirty-two characters"
    settings = read_settings(environ={"DEBATE_SECRET": secret}, secrets=NOWHERE)
    assert settings.secret == secret
    assert secret not in repr(settings)
    assert "DEBATE_SECRET" not in settings.keys
    with pytest.raises(InvalidSpec, match=r"^DEBATE_SECRET must have at least 32 characters, not 5$"):
        read_settings(environ={"DEBATE_SECRET": "short"}, secrets=NOWHERE)


@pytest.mark.parametrize(
    ("given", "trusts"),
    [
        ({}, True),
        ({"DEBATE_HOST_CODE": "correct horse"}, True),
        ({"DEBATE_PUBLIC_URL": "https://room.example.org"}, False),
        ({"FORWARDED_ALLOW_IPS": "10.0.0.7"}, False),
        ({"FORWARDED_ALLOW_IPS": "*"}, False),
        ({"FORWARDED_ALLOW_IPS": " "}, True),
    ],
)
def test_public_address_or_proxy_ends_trust_in_loopback(given: dict[str, str], trusts: bool):
    assert read_settings(environ=given, secrets=NOWHERE).trusts_loopback is trusts


def test_where_phones_reach_the_server():
    given = {"DEBATE_PUBLIC_URL": "https://Room.example.org/"}
    assert read_settings(environ=given, secrets=NOWHERE).public_url == "https://room.example.org"
    with pytest.raises(InvalidSpec, match=r"^DEBATE_PUBLIC_URL: the address 'room' must be http://"):
        read_settings(environ={"DEBATE_PUBLIC_URL": "room"}, secrets=NOWHERE)


def network(**environ: str) -> Network:
    return read_settings(environ=environ, secrets=NOWHERE).network


def test_network_is_direct_unless_it_is_set():
    usual = {"HTTPS_PROXY": "http://usual:1", "NO_PROXY": "*", "SSL_CERT_FILE": "/nowhere"}
    assert network(**usual) == DIRECT
    assert network(**usual, DEBATE_TRUST_ENV="false") == DIRECT


def test_network_reads_its_settings(tmp_path: Path):
    ca_file = str(Authority(tmp_path).file)
    told = network(
        DEBATE_HTTPS_PROXY="proxy.example:8080", DEBATE_NO_PROXY=" .corp.example, 10.0.0.0/8 ,", DEBATE_CA_FILE=ca_file
    )
    assert told == Network("http://proxy.example:8080", (".corp.example", "10.0.0.0/8"), ca_file)


def test_usual_variables_count_with_trust_env(tmp_path: Path):
    ca_file = str(Authority(tmp_path).file)
    usual = {"https_proxy": "http://usual:1", "NO_PROXY": "a.example", "SSL_CERT_FILE": ca_file}
    assert network(**usual, DEBATE_TRUST_ENV="true") == Network("http://usual:1", ("a.example",), ca_file)
    own = network(**usual, DEBATE_TRUST_ENV="1", DEBATE_HTTPS_PROXY="http://own:2", DEBATE_NO_PROXY="b.example")
    assert (own.https_proxy, own.no_proxy) == ("http://own:2", ("b.example",))


@pytest.mark.parametrize(
    "proxy",
    [
        "socks5://proxy.example:1080",
        "http://",
        "http://ana:Kestrel@proxy.example:port",
        "http://proxy.example:0",
        "http://proxy.example/path",
        "http://proxy.example?x=Kestrel",
        "http://ana:Kes trel@proxy.example:8080",
        "http://ana:Kestr\u00e9l@proxy.example:8080",
    ],
)
@pytest.mark.parametrize("name", ["DEBATE_HTTPS_PROXY", "HTTPS_PROXY"])
def test_malformed_proxy_is_named_and_not_shown(name: str, proxy: str):
    with pytest.raises(InvalidSpec, match=f"^{name} must be the address of a proxy, as in http://") as refused:
        network(**{name: proxy}, DEBATE_TRUST_ENV="true")
    assert "Kes" not in str(refused.value)


def test_ca_file_that_cannot_be_used_is_named(tmp_path: Path):
    (tmp_path / "words.pem").write_text("no certificate", "utf-8")
    (tmp_path / "empty.pem").touch()
    (tmp_path / "half.pem").write_text(Authority(tmp_path).file.read_text("utf-8")[:200], "utf-8")
    for file, said in (
        ("missing.pem", "cannot be read: No such file or directory"),
        (".", "cannot be read: Is a directory"),
        ("words.pem", "holds no certificate in PEM form (-----BEGIN CERTIFICATE-----)"),
        ("empty.pem", "holds no certificate in PEM form (-----BEGIN CERTIFICATE-----)"),
        ("half.pem", "holds no certificate in PEM form (-----BEGIN CERTIFICATE-----)"),
    ):
        path = tmp_path / file
        with pytest.raises(InvalidSpec, match=f"^{re.escape(f'DEBATE_CA_FILE: {path} {said}')}$"):
            network(DEBATE_CA_FILE=str(path))


def test_trust_env_is_true_or_false():
    with pytest.raises(InvalidSpec, match=r"^DEBATE_TRUST_ENV must be true or false, not 'yes'$"):
        network(DEBATE_TRUST_ENV="yes")


@pytest.mark.parametrize(
    ("base_url", "no_proxy", "is_proxied"),
    [
        ("https://models.example/v1", (), True),
        ("https://models.example/v1", ("models.example",), False),
        ("https://models.example/v1", ("example",), False),
        ("https://models.example/v1", (".example",), False),
        ("https://models.example/v1", ("*.example",), False),
        ("https://models.example/v1", ("MODELS.example",), False),
        ("https://models.example/v1", ("dels.example", "other.example", "models.example:8443"), True),
        ("https://models.example:8443/v1", ("models.example:8443",), False),
        ("https://models.example/v1", ("models.example:443",), False),
        ("https://models.example/v1", ("*",), False),
        ("https://10.1.2.3/v1", ("10.0.0.0/8",), False),
        ("https://11.1.2.3/v1", ("10.0.0.0/8",), True),
        ("https://[fd00::7]/v1", ("fd00::/8",), False),
        ("https://[fd00::7]/v1", ("fd00::7",), False),
        ("https://[fd00::7]/v1", ("[fd00::7]",), False),
        ("https://[fd00::7]:8443/v1", ("[fd00::7]:8443",), False),
        ("https://127.0.0.1:8443/v1", (), False),
        ("https://localhost:8443/v1", (), False),
        ("http://models.example/v1", (), False),
    ],
)
def test_proxy_is_used_unless_the_address_is_excepted(base_url: str, no_proxy: tuple[str, ...], is_proxied: bool):
    proxy = "http://proxy.example:8080"
    assert Network(proxy, no_proxy).proxy_for(base_url) == (proxy if is_proxied else "")
