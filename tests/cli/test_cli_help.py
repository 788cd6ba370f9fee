"""Help of every command, with an example that runs as printed."""

import shlex

import pytest

from debate_core.__main__ import main
from debate_core.cli.flags import COMMANDS, PROGRAM, CliCommand, parser


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_help_ends_with_an_example_of_this_command(command: CliCommand, capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit) as ended:
        main([command.name, "--help"])
    assert ended.value.code == 0
    said = capsys.readouterr().out
    assert command.meaning in said
    assert said.endswith(f"example:\n  {PROGRAM} {command.example}\n")


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_the_example_is_taken_as_it_stands(command: CliCommand):
    assert parser().parse_args(shlex.split(command.example)).command == command.name


def test_the_first_example_is_a_debate_that_can_be_held(capsys: pytest.CaptureFixture[str]):
    # Undecided: the evidence panel votes by people's marks, and there are none.
    assert main(shlex.split(COMMANDS[0].example)) == 3
    assert "Undecided" in capsys.readouterr().out
