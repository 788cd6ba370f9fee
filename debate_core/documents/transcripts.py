"""Reads transcripts of meetings: speakers in WebVTT and SRT cues, and in lines such as "Ann Lee: We keep it."

`transcript_text` converts a file with cues to paragraphs with speakers, without times, cue numbers and notes.
"""

import html
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import islice

from debate_core.documents.section_names import is_field, kinds_of, normal_name, normal_names

PARAGRAPH_CHARS = 500
"""Maximum length of a paragraph; a longer speech continues in a new one after its sentence."""


_TIME = r"(?:\d{1,2}:)?\d{1,2}:\d\d[.,]\d{1,3}"
# The times of a cue: "00:00:03.120 --> 00:00:07.480 align:start"
_CUE = re.compile(rf"[ \t]*{_TIME}[ \t]*-->[ \t]*{_TIME}")
# "<v Ann Lee>", "<v.loud Ann>"
_VOICE = re.compile(r"<v(?:\.[^\s>]{0,100})?[ \t]+([^>]{1,100})>")
_TAG = re.compile(r"</?(?:v|c|i|b|u|ruby|rt|lang|font)(?:[.\s][^>]{0,100})?>|<\d\d:[\d:.]{4,12}>|\{\\an\d\}")
_CLOCK = r"\d{1,2}:\d\d(?::\d\d)?(?:[.,]\d{1,3})?"
_NAME = r"[^\W\d_][\w.'’-]{0,30}(?: [^\W\d_][\w.'’-]{0,30}){0,3}(?: \([^()\n]{1,30}\))?"
# Before a speech: "Ann Lee: ", "**Ann:** ", "[00:12:03] Ann Lee: ", ">> Ann: "
_SPEAKS = re.compile(
    rf"[ \t]*(?:>>[ \t]*)?[*_]{{0,2}}(?:[\[(]?{_CLOCK}[\])]?[ \t]+(?:[-–][ \t]+)?)?[*_]{{0,2}}(?P<name>{_NAME})"
    rf"(?:[ \t]+[\[(]{_CLOCK}[\])])?(?:[*_]{{0,2}}:|:[*_]{{0,2}})[ \t]+(?=\S)"
)
# "Ann Lee   0:03" or "[00:03] Ann Lee", alone in its line
_TIME_BEHIND = re.compile(rf"[ \t]*[*_]{{0,2}}(?P<name>{_NAME})[*_]{{0,2}}[ \t]+[\[(]?{_CLOCK}[\])]?:?[ \t]*$")
_TIME_BEFORE = re.compile(
    rf"[ \t]*[\[(]?{_CLOCK}[\])]?[ \t]+(?:[-–][ \t]+)?[*_]{{0,2}}(?P<name>{_NAME})[*_]{{0,2}}:?[ \t]*$"
)
_HAS_TIME = re.compile(rf"[^:]{{0,140}}?\b{_CLOCK}")
_NO_NAMES = "note|warning|example|hint|tip|todo|see|http|https|hinweis|beispiel"
_SENTENCE_END = re.compile(r"[.?!…][\"'”’)]*$")


def transcript_text(text: str) -> str:
    """Convert a WebVTT or SRT file to paragraphs `Ann Lee: Her words.`; empty for any other text.

    Consecutive cues of one speaker form one speech, whose sentences continue from cue to cue.
    """
    if not is_transcript(text):
        return ""
    paragraphs = []
    for speaker, pieces in _speeches(_spoken_words(list(_payloads(text)))):
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


def _payloads(text: str) -> Iterator[str]:
    """The words of each cue: the lines from its times to the next empty one."""
    lines: list[str] | None = None
    for line in (*text.splitlines(), ""):
        if _CUE.match(line):
            lines = []
        elif line.strip():
            if lines is not None:
                lines.append(line.strip())
        elif lines is not None:
            yield " ".join(lines)
            lines = None


def _spoken_words(payloads: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The speaker and the words of every cue; a cue without a name continues the speech."""
    speakers = known_speakers([_TAG.sub("", payload) for payload in payloads])
    speaker = ""
    for payload in payloads:
        before, *voices = _VOICE.split(payload)
        for voice, said in (("", before), *zip(voices[::2], voices[1::2], strict=True)):
            words = " ".join(html.unescape(_TAG.sub("", said)).split()).removeprefix(">> ").removeprefix("- ")
            named = speaker_of(words, speakers)
            if voice:
                speaker = " ".join(html.unescape(voice).split())
            elif named:
                speaker, words = named[0], words[named[1] :]
            if words:
                yield speaker, words


def speaker_of(line: str, speakers: Collection[str]) -> tuple[str, int] | None:
    """The speaker that a line names, and the start of the words: the end of the line if it is only a name."""
    found = _name_in(line)
    return (found["name"], found.end()) if found and found["name"] in speakers else None


def known_speakers(lines: Sequence[str]) -> frozenset[str]:
    """The speakers of a conversation in these lines: two or more people, at least one of them twice.

    A list of terms is no conversation: one line in four must name a speaker, and three in five if only one speaks
    twice. Lines with a time before or after the name need neither.
    """
    found = [_name_in(line) for line in lines]
    named = [name for name in found if name and _may_be_person(name["name"])]
    names = Counter(name["name"] for name in named)
    have_times = all(_HAS_TIME.match(name.string) for name in named)
    n_filled = sum(bool(line.strip()) for line in lines)
    return frozenset(names) if _is_conversation(names, n_filled, have_times=have_times) else frozenset()


def _is_conversation(names: Counter[str], n_lines: int, *, have_times: bool) -> bool:
    n_repeated = sum(times > 1 for times in names.values())
    if names.total() <= 2 or len(names) < 2 or n_repeated == 0:
        return False
    least_share = Fraction(1, 4) if n_repeated > 1 else Fraction(3, 5)
    return have_times or names.total() >= least_share * n_lines


def _name_in(line: str) -> re.Match[str] | None:
    return _SPEAKS.match(line) or _TIME_BEHIND.match(line) or _TIME_BEFORE.match(line)


def _may_be_person(name: str) -> bool:
    """Return False for a term: "When to use", "Status", "Note"."""
    words = name.partition(" (")[0].split()
    is_term = is_field(name) or bool(kinds_of(name)) or normal_name(name) in normal_names(_NO_NAMES)
    return words[0][0].isupper() and words[-1][0].isupper() and not is_term
