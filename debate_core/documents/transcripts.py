"""Reads transcripts of meetings: speakers in WebVTT and SRT cues, in chats, and in lines such as "Ann Lee: We keep it."

`transcript_text` converts a file with cues to paragraphs with speakers, without times, cue numbers and notes.
`read_meeting` reads who spoke when, and lists every line whose words it leaves out.
"""

import html
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import islice
from typing import NamedTuple

from debate_core.documents.section_names import is_field, kinds_of, normal_name, normal_names
from debate_core.names import name_key, visible_name
from debate_core.sentence import Sentence

_LINE_END = re.compile(r"\r\n|\r|\n")
PARAGRAPH_CHARS = 500
"""Maximum length of a paragraph; a longer speech continues in a new one after its sentence."""


_TIME = r"(?:\d{1,2}:)?\d{1,2}:\d\d[.,]\d{1,3}"
# The times of a cue: "00:00:03.120 --> 00:00:07.480 align:start"
_CUE = re.compile(rf"[ \t]*(?P<start>{_TIME})[ \t]*-->[ \t]*{_TIME}")
# Times that cannot be read: "00:00:xx,120 --> 00:07"
_DAMAGED_CUE = re.compile(r"[ \t]*\d[\w:.,;]{0,20}[ \t]*-->")
# The first line of a block without words: "WEBVTT - meeting", "NOTE made by hand"
_NO_CUE = re.compile(r"\ufeff?(?:WEBVTT|NOTE|STYLE|REGION)\b")
# "<v Ann Lee>", "<v.loud Ann>"
_VOICE = re.compile(r"<v(?:\.[^\s>]{0,100})?[ \t]+([^>]{1,100})>")
_TAG = re.compile(r"</?(?:v|c|i|b|u|ruby|rt|lang|font)(?:[.\s][^>]{0,100})?>|<\d\d:[\d:.]{4,12}>|\{\\an\d\}")
_HALF = r"[ \t\u00a0\u202f]?[AaPp]\.?[Mm]\b\.?"
_CLOCK = rf"\d{{1,2}}:\d\d(?::\d\d)?(?:[.,]\d{{1,3}})?(?:{_HALF})?"
# "12.03.24, " or "2024-03-12 " before the time of a message
_DATE = r"\d{1,4}[./-]\d{1,2}[./-]\d{1,4},?[ \t]+"
_WHEN = rf"[\[(]?(?:{_DATE})?{_CLOCK}[\])]?"
_TIME_OF_DAY = re.compile(rf"{_DATE}|\d{_HALF}")
# "[12.03.24, 10:15] " or "12/03/2024, 10:15 - ": a message of WhatsApp, or a notice such as "Bo joined"
_MESSAGE = re.compile(rf"[\u200e\ufeff]*(?:\[{_DATE}{_CLOCK}\]|{_DATE}{_CLOCK}[ \t]+[-–])[ \t]")
# A time alone in its line, as Slack writes it above further messages of one person
_TIME_ALONE = re.compile(rf"[ \t]*[\[(]?{_CLOCK}[\])]?[ \t]*$")
_NAME = r"[^\W\d_][\w.'’-]{0,30}(?: [^\W\d_][\w.'’-]{0,30}){0,5}(?: \([^()\n]{1,30}\))?"
_PHONE = r"\+\d[\d\u00a0 ()-]{6,24}\d"
# Before a speech: "Ann Lee: ", "**Ann:** ", "[00:12:03] Ann Lee: ", ">> Ann: ", "[12.03.24, 10:15] ~ Ann: "
_SPEAKS = re.compile(
    rf"[\u200e\ufeff]*[ \t]*(?:>>[ \t]*)?[*_]{{0,2}}(?:{_WHEN}[ \t]+(?:[-–][ \t]+)?(?:~[\u00a0\u202f ]?)?)?"
    rf"[*_]{{0,2}}(?P<name>{_NAME}|{_PHONE})"
    rf"(?:[ \t]+[\[(]{_CLOCK}[\])])?(?:[*_]{{0,2}}:|:[*_]{{0,2}})[ \t]+\u200e?(?=\S)"
)
# "Ann Lee   0:03" or "[00:03] Ann Lee", alone in its line
_TIME_BEHIND = re.compile(rf"[ \t]*[*_]{{0,2}}(?P<name>{_NAME})[*_]{{0,2}}[ \t]+[\[(]?{_CLOCK}[\])]?:?[ \t]*$")
_TIME_BEFORE = re.compile(
    rf"[ \t]*[\[(]?{_CLOCK}[\])]?[ \t]+(?:[-–][ \t]+)?[*_]{{0,2}}(?P<name>{_NAME})[*_]{{0,2}}:?[ \t]*$"
)
# "Ann Lee" and "  10:15 AM" below it, as a copy of Slack writes them
_NAME_ABOVE_TIME = re.compile(rf"^[ \t]*(?P<name>{_NAME})[ \t]*\n[ \t]*(?P<time>[\[(]?{_CLOCK}[\])]?)[ \t]*$", re.M)
_HAS_TIME = re.compile(rf"[^:]{{0,140}}?\b{_CLOCK}")
_NO_NAMES = "note|warning|example|hint|tip|todo|see|http|https|hinweis|beispiel"
# "## Options": ends the speech before it
_HEADING = re.compile(r" {0,3}#{1,6}[ \t]")
_SENTENCE_END = re.compile(r"[.?!…][\"'”’)]*$")


class Utterance(NamedTuple):
    """Consecutive words of one speaker."""

    speaker: str
    text: str
    line: int
    """The first line of the file with these words, counted from 1."""
    start_s: int | None
    """Seconds from the beginning of the meeting, as the file gives them; None = not given or not readable."""


class UnreadLine(NamedTuple):
    """A line that is left out or only partly read, and the reason."""

    line: int
    why: Sentence


@dataclass(frozen=True, slots=True)
class Meeting:
    """The utterances of a transcript in order, and the lines that are left out or only partly read."""

    utterances: tuple[Utterance, ...] = ()
    unread: tuple[UnreadLine, ...] = ()

    @property
    def speakers(self) -> tuple[str, ...]:
        """The speakers in the order of their first words."""
        return tuple(dict.fromkeys(utterance.speaker for utterance in self.utterances))


NO_MEETING = Meeting()

_UNNAMED = Sentence("no speaker is named for it")
_REPEATED = Sentence("it repeats the cue before it, as rolling captions do")
_NO_WORDS = Sentence("it has no words")
_NOT_IN_CUE = Sentence("it belongs to no cue")
_TIMES_DAMAGED = Sentence("the times of this cue cannot be read, and its words are kept")


def read_meeting(text: str) -> Meeting:
    """Read the utterances of a file with cues, or of lines that name their speakers; empty for any other text.

    Spellings of one name are one speaker, who keeps the first spelling.
    """
    has_cues = is_transcript(text)
    unread: list[UnreadLine] = []
    spellings: dict[str, str] = {}
    speeches: list[tuple[Utterance, list[str]]] = []
    for words in _words_in_cues(text, unread) if has_cues else _words_in_lines(text, unread):
        named = visible_name(words.speaker)[:80].strip()
        speaker = spellings.setdefault(name_key(named), named)
        if not speaker:
            unread.append(UnreadLine(words.line, _UNNAMED))
        elif speeches and speeches[-1][0].speaker == speaker:
            speeches[-1][1].append(words.text)
        else:
            speeches.append((words._replace(speaker=speaker), [words.text]))
    between = " " if has_cues else "\n"
    utterances = tuple(first._replace(text=between.join(pieces)) for first, pieces in speeches)
    return Meeting(utterances, tuple(sorted(unread)) if utterances else ())


def _words_in_cues(text: str, unread: list[UnreadLine]) -> Iterator[Utterance]:
    """The words of every cue with its speaker; a cue that its speaker repeats at once is left out."""
    before = ("", "")
    cues = list(_cues(text, unread))
    unread += [UnreadLine(cue.line, _NO_WORDS) for cue in cues if not cue.words]
    for speaker, words, cue in _spoken_words(cues):
        if speaker and (speaker, words) == before:
            unread.append(UnreadLine(cue.line + 1, _REPEATED))
        else:
            yield Utterance(speaker, words, cue.line + 1, cue.start_s)
        before = (speaker, words)


def _words_in_lines(text: str, unread: list[UnreadLine]) -> Iterator[Utterance]:
    """The words of every line with its speaker: a line without a name continues the speech, a heading ends it.

    A time alone in its line has no words. A line that may have another speaker is added to `unread`.
    """
    lines = _names_beside_times(_LINE_END.sub("\n", text)).split("\n")
    speakers = known_speakers(lines)
    if not speakers:
        return
    speech = Utterance("", "", 0, None)
    for number, line in enumerate(lines, start=1):
        named = speaker_of(line, speakers)
        if named:
            speech = Utterance(named[0], "", number, _clock_s(line[: named[1]]))
        elif _HEADING.match(line):
            speech = Utterance("", "", number, None)
        words = line[named[1] if named else 0 :].strip()
        if words and not _TIME_ALONE.match(line):
            yield speech._replace(text=words, line=number)
        other = None if named or not speech.speaker else _name_in(line)
        if other and _may_be_person(other["name"]):
            unread.append(UnreadLine(number, _may_be_other(other["name"], speech.speaker)))


def _may_be_other(name: str, speaker: str) -> Sentence:
    return Sentence("{name} is named once, without a time: the words stay with {speaker}", name=name, speaker=speaker)


def _names_beside_times(text: str) -> str:
    """The text with each name above a time moved down beside it.

    A word above the time of a further message is no name: a name is there twice, or below an empty line.
    """
    names = Counter(found["name"] for found in _NAME_ABOVE_TIME.finditer(text))

    def moved(found: re.Match[str]) -> str:
        is_first = text[max(0, found.start() - 2) : found.start()] in ("", "\n", "\n\n")
        return f"\n{found['name']} {found['time']}" if is_first or names[found["name"]] > 1 else found[0]

    return _NAME_ABOVE_TIME.sub(moved, text)


def _clock_s(text: str) -> int | None:
    """The first time in a text in seconds: `[00:01:02] Ann: ` is 62; None without one, or for a time of day."""
    found = re.search(_CLOCK, text)
    if found is None or _TIME_OF_DAY.search(text):
        return None
    seconds = 0
    for part in re.split(r"[.,]", found[0])[0].split(":"):
        seconds = 60 * seconds + int(part)
    return seconds


def transcript_text(text: str) -> str:
    """Convert a WebVTT or SRT file to paragraphs `Ann Lee: Her words.`; empty for any other text.

    Consecutive cues of one speaker form one speech, whose sentences continue from cue to cue.
    """
    if not is_transcript(text):
        return ""
    paragraphs = []
    spoken = ((speaker, words) for speaker, words, _cue in _spoken_words(list(_cues(text, []))))
    for speaker, pieces in _speeches(spoken):
        words = " ".join(pieces)
        paragraphs.append(f"{speaker}: {words}" if speaker else words)
    return "\n\n".join(paragraphs)


def _speeches(cues: Iterable[tuple[str, str]]) -> list[tuple[str, list[str]]]:
    """(speaker, words of the cues) of each paragraph."""
    speeches: list[tuple[str, list[str]]] = []
    for speaker, words in cues:
        pieces = speeches[-1][1] if speeches and speeches[-1][0] == speaker else []
        if not pieces or (sum(map(len, pieces)) > PARAGRAPH_CHARS and _SENTENCE_END.search(pieces[-1])):
            speeches.append((speaker, [words]))
        elif pieces[-1] != words:  # captions that roll repeat their last line
            pieces.append(words)
    return speeches


def is_transcript(text: str) -> bool:
    """Return True if a text begins as a WebVTT or SRT file does: a document may show cues as an example."""
    filled = list(islice(filter(None, map(str.strip, text.splitlines())), 2))
    return any(map(_CUE.match, filled)) or "".join(filled[:1]).startswith("WEBVTT")


class _Cue(NamedTuple):
    """The lines of a cue with their tags, and the line of its times."""

    words: str
    line: int
    start_s: int | None


@dataclass(slots=True)
class _CueBlock:
    """The lines of a file from one cue to the next; `cue` is None before the first and after an empty line."""

    cue: _Cue | None = None
    words: list[str] = field(default_factory=list)
    outside: list[int] = field(default_factory=list)
    """Lines with words that are in no cue; the last one may be the number of the next cue."""
    is_note: bool = False

    def add(self, number: int, line: str) -> None:
        """Add a line with words: to the cue, or outside of it unless it belongs to a note."""
        if self.cue:
            self.words.append(line.strip())
        elif self.is_note or _NO_CUE.match(line):
            self.is_note = True
        else:
            self.outside.append(number)

    def finished(self, *, before_cue: bool = False) -> Iterator[_Cue]:
        """The cue with its words, if there is one; drops the number of a cue that follows without an empty line."""
        if self.cue is None:
            return
        has_number = before_cue and self.words and self.words[-1].isdecimal()
        yield self.cue._replace(words="\n".join(self.words[:-1] if has_number else self.words))


def _cues(text: str, unread: list[UnreadLine]) -> Iterator[_Cue]:
    """Every cue: the lines from its times to the next empty one. Adds other lines with words to `unread`."""
    block = _CueBlock()
    for number, line in enumerate((*_LINE_END.split(text), ""), start=1):
        times = _CUE.match(line)
        if times or _DAMAGED_CUE.match(line):
            yield from block.finished(before_cue=True)
            unread += [UnreadLine(other, _NOT_IN_CUE) for other in block.outside if other != number - 1]
            if not times:
                unread.append(UnreadLine(number, _TIMES_DAMAGED))
            block = _CueBlock(_Cue("", number, _clock_s(times["start"]) if times else None))
        elif not line.strip():
            yield from block.finished()
            block = _CueBlock(outside=block.outside)
        else:
            block.add(number, line)
    unread += [UnreadLine(other, _NOT_IN_CUE) for other in block.outside]


def _spoken_words(cues: Sequence[_Cue]) -> Iterator[tuple[str, str, _Cue]]:
    """The speaker and the words of every cue; a cue without a name continues the speech."""
    said_in = [_speeches_in(_TAG.sub("", cue.words)) for cue in cues]
    speakers = known_speakers([words for speeches in said_in for words in speeches])
    speaker = ""
    for cue in cues:
        before, *voices = _VOICE.split(cue.words)
        for voice, said in (("", before), *zip(voices[::2], voices[1::2], strict=True)):
            for number, speech in enumerate(_speeches_in(html.unescape(_TAG.sub("", said)))):
                words = speech
                named = speaker_of(words, speakers)
                if voice and number == 0:
                    speaker = " ".join(html.unescape(voice).split())
                elif named:
                    speaker, words = named[0], words[named[1] :]
                if words:
                    yield speaker, words, cue


def _speeches_in(lines: str) -> list[str]:
    """The lines of a cue joined, apart from each that may begin with another name: "- Ann: Yes", "- Bo: No"."""
    speeches: list[str] = []
    for line in lines.split("\n"):
        words = " ".join(line.split())
        bare = words.removeprefix(">> ").removeprefix("- ")
        if speeches and not _SPEAKS.match(bare):
            speeches[-1] = f"{speeches[-1]} {words}".strip()
        else:
            speeches.append(bare)
    return speeches


def speaker_of(line: str, speakers: Collection[str]) -> tuple[str, int] | None:
    """The speaker that a line names, and the start of the words: the end of the line if it is only a name.

    "" for a notice in a chat, which belongs to no speaker: "12/03/2024, 10:17 - Bo joined".
    """
    found = _name_in(line)
    if found and found["name"] in speakers:
        return found["name"], found.end()
    return ("", 0) if speakers and _MESSAGE.match(line) else None


def known_speakers(lines: Sequence[str]) -> frozenset[str]:
    """The speakers of a conversation in these lines: two or more people, at least one of them twice.

    A list of terms is no conversation: one line in four must name a speaker, and three in five if only one speaks
    twice. Lines with a time before or after the name need neither; beside them, a name without a time is a speaker if
    it is there twice.
    """
    found = [_name_in(line) for line in lines]
    named = [name for name in found if name and _may_be_person(name["name"])]
    names = Counter(name["name"] for name in named)
    timed = Counter(name["name"] for name in named if _HAS_TIME.match(name.string))
    if _is_conversation(timed, 0):
        return frozenset(name for name, times in names.items() if name in timed or times > 1)
    n_filled = sum(bool(line.strip()) for line in lines)
    return frozenset(names) if _is_conversation(names, n_filled) else frozenset()


def _is_conversation(names: Counter[str], n_lines: int) -> bool:
    n_repeated = sum(times > 1 for times in names.values())
    if names.total() <= 2 or len(names) < 2 or n_repeated == 0:
        return False
    least_share = Fraction(1, 4) if n_repeated > 1 else Fraction(3, 5)
    return names.total() >= least_share * n_lines


def _name_in(line: str) -> re.Match[str] | None:
    if ":" not in line:
        return None  # each of the three forms has a colon, and most lines of a document have none
    return _SPEAKS.match(line) or _TIME_BEHIND.match(line) or _TIME_BEFORE.match(line)


def _may_be_person(name: str) -> bool:
    """Return False for a term: "When to use", "Status", "Note"."""
    words = name.partition(" (")[0].split()
    is_term = is_field(name) or bool(kinds_of(name)) or normal_name(name) in normal_names(_NO_NAMES)
    # Scripts such as Chinese have no capitals.
    has_capitals = not any(word[0].islower() for word in (words[0], words[-1]))
    return has_capitals and not is_term
