"""Pasted lists of people, as spreadsheets and people write them. A wrong line is named, and no person is added."""

import pytest

from debate_core.errors import InvalidSpec
from debate_core.host.access.people_list import ListedPerson, PersonRow, list_line, read_list, read_rows, row_line


def test_lines_csv_and_what_a_spreadsheet_copies():
    text = (
        "name, role, weight\r\n"
        "Ana Ruiz\r\n"
        "\r\n"
        '"Brandt, Ben", Judge\r\n'
        "Çağla\tvoter\t2\r\n"
        "Dee; observer\r\n"
        "=Eve(), voter, 3, room\r\n"
    )
    assert read_list(text) == (
        ListedPerson("Ana Ruiz", "voter", "panel", 1),
        ListedPerson("Brandt, Ben", "judge", None, 1),
        ListedPerson("Çağla", "voter", "panel", 2),
        ListedPerson("Dee", "observer", None, 1),
        ListedPerson("=Eve()", "voter", "room", 3),
    )


@pytest.mark.parametrize("name", ["Ana Ruiz", "Ruiz, Ana", "a;b", 'Jo "J" Ray', '"Jo"', "O'Neil", "=Eve()"])
def test_a_person_written_as_a_line_is_read_back(name: str):
    for who in (ListedPerson(name), ListedPerson(name, "judge", None, 2), ListedPerson(name, "voter", "room", 3)):
        assert read_list(list_line(who)) == (who,)
    assert list_line(ListedPerson("Ana Ruiz", "judge", None, 2)) == "Ana Ruiz, judge, 2"
    assert list_line(ListedPerson("Ana Ruiz", "judge", None)) == "Ana Ruiz, judge"
    assert list_line(ListedPerson("Ana Ruiz")) == "Ana Ruiz"
    assert list_line(ListedPerson("Ana Ruiz", "voter", "room"), votes_in="room") == "Ana Ruiz"


def test_every_wrong_line_is_named():
    text = "Ana\n, judge\nBen, king\nCid, voter, many\nDee, voter, 0\nEve, voter, 1, all\nFay,voter,1,room,x\nANA\n"
    with pytest.raises(InvalidSpec) as error:
        read_list(text + "x" * 81)
    assert str(error.value).splitlines() == [
        "line 2: a name is missing: a line has name, role, weight, electorate",
        "line 3: 'king' is no role: write one of facilitator, moderator, debater, judge, synthesiser, approver, "
        "voter, observer",
        "line 4: the weight 'many' is no whole number from 1 to 100",
        "line 5: the weight '0' is no whole number from 1 to 100",
        "line 6: 'all' is no electorate: write named or room, or leave it out",
        "line 7: 5 fields: a line has name, role, weight, electorate",
        "line 8: 'ANA' is in line 1 too: give one of them another name",
        "line 9: the name has 81 characters: at most 80",
    ]


def test_empty_and_too_long():
    with pytest.raises(InvalidSpec, match=r"^the list is empty: write one person per line"):
        read_list("name, role\n\n")
    with pytest.raises(InvalidSpec, match=r"^the list has 201 people: at most 200 are allowed$"):
        read_list("\n".join(f"Person {n}" for n in range(201)))
    with pytest.raises(InvalidSpec, match=r"^line 1: it has 5000 characters: at most 500 are allowed$"):
        read_list("x" * 5000)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Mara Feld <mara@example.org>\nJon Adler <jon@example.org>", ["Mara Feld", "Jon Adler"]),
        ("Mara Feld <mara@example.org>; Jon Adler <jon@example.org>", ["Mara Feld", "Jon Adler"]),
        ("Feld, Mara <mara@example.org>; Adler, Jon <jon@example.org>", ["Feld, Mara", "Adler, Jon"]),
        ('"Feld, Mara" <mara@example.org>', ["Feld, Mara"]),
        ("Mara Feld (mara@example.org)\nJon Adler mailto:jon@example.org", ["Mara Feld", "Jon Adler"]),
        ("Mara Feld, mara@example.org\nJon Adler;jon@example.org", ["Mara Feld", "Jon Adler"]),
        ("name,email,role\nMara Feld,mara@example.org,voter", ["Mara Feld"]),
        ("E-Mail;Name\nmara@example.org;Mara Feld", ["Mara Feld"]),
        ("First name,Last name,Email\nMara,Feld,mara@example.org", ["Mara Feld"]),
        ("\tName\tDepartment\n1\tMara Feld\tSales", ["Mara Feld"]),
    ],
)
def test_address_is_no_part_of_a_name(text: str, names: list[str]):
    assert [person.name for person in read_list(text)] == names


def test_columns_stand_in_any_order():
    listed = read_list("role,name,e-mail,weight\njudge,Mara Feld,mara@example.org,2\n,Jon Adler,,3")
    assert listed == (ListedPerson("Mara Feld", "judge", None, 2), ListedPerson("Jon Adler", "voter", "panel", 3))
    assert read_list("Mara Feld <mara@example.org>, judge, 2") == (ListedPerson("Mara Feld", "judge", None, 2),)


def test_an_address_alone_is_refused_with_the_reason():
    with pytest.raises(InvalidSpec, match=r"^line 2: an e-mail address is not a name: write .* everyone will see$"):
        read_list("Mara Feld\n<jon@example.org>")
    with pytest.raises(InvalidSpec, match=r"^line 1: an e-mail address is not a name"):
        read_list("jon@example.org")


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("Ana\n\nBo, Jury", (PersonRow("Ana"), PersonRow("Bo", "judge"))),
        ("Rolle;Name\nJury;Bo\nking;Cy", (PersonRow("Bo", "judge"), PersonRow("Cy", "king"))),
        ("Ana <ana@example.org>; Bo <bo@example.org>", (PersonRow("Ana"), PersonRow("Bo"))),
        ('"Ruiz, Ana", voter, 2, named', (PersonRow("Ruiz, Ana", "voter", "2", "named"),)),
        ("Ana, boss, many, x, y", (PersonRow("Ana", "boss", "many", "x, y"),)),
        ("ana@example.org", (PersonRow("ana@example.org"),)),
        (", judge", (PersonRow("", "judge"),)),
    ],
)
def test_rows_keep_what_cannot_be_read(text: str, rows: tuple[PersonRow, ...]):
    """A line written from a row gives the same row."""
    assert read_rows(text) == rows
    assert read_rows("\n".join(map(row_line, rows))) == rows


@pytest.mark.parametrize(
    "table",
    [
        "| Name | Role |\n|------|:----:|\n| Ruiz, Ana | judge |\n| **Bo** | voter |\n",
        "Name | Role\n--- | ---\nRuiz, Ana | judge\nBo | voter\n",
        "| Ruiz, Ana | judge |\n| Bo |\n",
    ],
)
def test_rows_of_a_markdown_table_are_people(table: str):
    assert read_list(table) == (ListedPerson("Ruiz, Ana", "judge", None), ListedPerson("Bo"))
    assert [row.name for row in read_rows(table)] == ["Ruiz, Ana", "Bo"]


@pytest.mark.parametrize("name", ["Ana | ACME", "|Ana|", "|a|b|", "---|---"])
def test_a_name_with_bars_is_read_back(name: str):
    for who in (ListedPerson(name), ListedPerson(name, "judge", None, 2)):
        assert read_list(list_line(who)) == (who,)


@pytest.mark.parametrize("line", ["Jon: judge", "Jon (judge)", "Jon - judge", "Jon – Jury"])
def test_a_role_behind_a_name_is_its_role(line: str):
    assert read_list(line) == (ListedPerson("Jon", "judge", None),)


@pytest.mark.parametrize("name", ["Ann (she/her)", "Bo-Ray", "Bo - Ray", "Kim: Lead"])
def test_other_words_behind_a_name_belong_to_it(name: str):
    assert read_list(name) == (ListedPerson(name),)


def test_a_name_that_ends_with_a_role_stays_one_name():
    assert read_list(list_line(ListedPerson("Jon: judge"))) == (ListedPerson("Jon: judge"),)


def test_a_voter_in_german_votes_like_one_in_english():
    assert read_list("Mara, stimmberechtigt") == read_list("Mara, voter") == (ListedPerson("Mara"),)
