"""Where a text says that the panel agreed on the decision: by its words, sentence by sentence.

Consensus among machines, denials, conditions, questions and agreement on a single point are no such claims. It does
not know what was counted.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from debate_core.engine.option_names import named_option

_PEOPLE = (
    r"(?:panel|group|team|room|committee|board|council|jury|debate|(?:debat|speak|panelli?|participa|memb|exper|sea|vot|judg)\w*"
    r"|sides?|parties|people|everybody|everyone|we|they|all|both)"
)
"""Who can agree: not the nodes of a cluster."""
_AGREES = r"(?:agree|agrees|agreed|concur|concurs|concurred|converge|converges|converged)"
_BACKS = (
    r"(?:support|back|favour|favor|endorse|prefer|want|accept|choose|recommend|voted)\w*"
    r"|(?:came|come|comes) (?:together|round|down)|signed up|signed off|settled|ended up"
)
_HAVE = r"(?:(?:have|has|are|were|is|was|now|then|all|both|finally|soon|fully|clearly|thus|therefore|also) ){0,4}"
_ALL = (
    rf"(?:(?:all|both|every|each)(?: (?:of|the|our|\w+)){{0,3}}? {_PEOPLE}(?: of the \w+)?|all|both|everybody|everyone)"
)
_EVERYBODY = re.compile(
    # unanimous; nobody objected
    r"\bunanim\w+"
    r"|\b(?:nobody|no one|none of them) (?:\w+ )?(?:objects?|objected|oppose[sd]?|disagree[sd]?|dissent(?:s|ed)?)\b"
    rf"|\b{_ALL} {_HAVE}{_AGREES}\b"  # all three debaters agree; every participant agreed; we all agree
    # by common accord; with one voice; of one mind; without dissent
    r"|\b(?:by|with|in|of) (?:common|mutual|general|one|full) (?:accord|consent|voice|mind)\b"
    r"|\b(?:without|with no) (?:an?y? )?(?:dissent\w*|objections?|opposition)\b(?! (?:from|by|to)\b)",
    re.I,
)
_PANEL = re.compile(
    rf"\b{_PEOPLE} {_HAVE}(?:{_AGREES}|settled on)\b"  # the panel agreed
    r"|\bit (?:was|is|has been) agreed\b|\bthe agreed (?:decision|outcome|answer|position|option)\b"
    r"|\b(?:in (?:full|broad|complete)|by) agreement\b"
    r"|\bthere (?:is|was) (?:an? )?(?:\w+ )?agreement\b"
    # reached agreement; agreement was reached
    r"|\b(?:reached|reaches|came to|found) (?:an? |full |broad )*(?:agreement|consensus)\b"
    r"|\b(?:agreement|consensus) (?:was|is|has been) (?:reached|found)\b"
    # there was a clear consensus; a consensus emerged; consensus for release; by consensus
    r"|\bthere (?:is|was) (?:an? )?(?:\w+ )?consensus\b"
    r"|\b(?:by|in|reached|find|found) consensus\b"
    r"|\b(?:(?:have|has) )?(?:all )?(?:come|came) to the same (?:conclusion|answer)\b"
    r"|\bconsensus(?=:| (?:for|on|around|behind|emerged|emerges|formed|decision|view|answer|recommendation)\b"
    r"| (?:is|was) (?:to|that|for|clear)\b)",
    re.I,
)
_ON_AN_OPTION = re.compile(
    # all members support; the sides came together
    rf"\b{_ALL} {_HAVE}(?:{_BACKS})\b|\b{_PEOPLE} {_HAVE}(?:came|come|comes) (?:together|round)\b|\bcommon ground\b",
    re.I,
)
"""What tells of agreement on the decision only if an option is named behind it."""
_DENIED = re.compile(
    r"\b(?:no|not|never|without|lacks?|lack of|lacking|absence of|fail\w*|neither|nor|little|scant|scarce\w*|hardly|"
    r"barely|far from|short of|nowhere near|anything but)\b|n['’]t\b",
    re.I,
)
_SUPPOSED = re.compile(
    r"\b(?:if|unless|until|before|whether|could|would|should|must|may|might|need(?:s|ed)?|ask(?:s|ed)?|seek|try|aim|hope\w*|"
    r"claim(?:s|ed)?|say(?:s)?|said)\b",
    re.I,
)
_OTHERS = re.compile(
    r"\b(?:raft|paxos|byzantine|nakamoto|etcd|zookeeper|blockchain|distributed|clusters?|quorum|nodes?|replicas?|shards?"
    r"|(?:scientific|industry|medical|expert|academic) consensus|consensus in the literature"
    r"|consensus (?:algorithm|protocol|group|module|layer|mechanism|round|log|library|service|latency|engine|system"
    r"|problem|rule))\b",
    re.I,
)
"""Talk of machines, or of people who sit in no debate."""
_ON_A_POINT = re.compile(
    r"^\s*(?:only |just |merely )?(?:that|on|about|with|regarding|which|over|as to|the|an?|its|their|our|this|these)\b",
    re.I,
)
# `Consensus: none.`, `Agreement - not yet`, `Unanimous: no`
_NONE_BEHIND = re.compile(
    r"^[^.:;!?\w]*(?:on [^.:;!?]{1,80})?\s*[:–—-]\s*(?:still )?(?:none|no|not|nothing|never|n/a|zero|nil"
    r"|absent|missing|lacking|open|pending|unclear|unknown|failed|split|far off|out of reach|yet to)\b",
    re.I,
)
_DENIED_BEHIND = re.compile(
    r"^\s+(?:(?:was|is|has) not|(?:is|seems|remains) (?:out of|unlikely|elusive|missing)|to (?:disagree|differ))\b"
)
_SENTENCE_END = re.compile(r"(?<=[.!?;])\s+|\n+")
_CLAUSE_END = re.compile(r"[,:–—]\s")


BEHIND_CHARS = 500
"""How far behind such words an option is looked for: of many such words in one sentence each looks anew."""


@dataclass(frozen=True, slots=True)
class AgreementTold:
    """The words in which a text says that the decision was agreed, and whether by everybody or by the panel."""

    words: str
    everybody: bool


@dataclass(frozen=True, slots=True)
class _WholeSentence:
    """One sentence, and the places in it that take back what follows; they are looked for once, however long it is."""

    text: str
    clauses: Sequence[int]
    """Where its clauses begin."""
    denials: Sequence[int]
    """Where its words of denial end."""
    supposed_from: int | None
    """Where the first words end from which on all is supposed, or said by others."""

    @classmethod
    def of(cls, text: str) -> "_WholeSentence":
        """As it is read."""
        clauses = [0, *(found.end() for found in _CLAUSE_END.finditer(text))]
        denials = [found.end() for found in _DENIED.finditer(text)]
        supposed = _SUPPOSED.search(text)
        return cls(text, clauses, denials, supposed.end() if supposed else None)

    def takes_back(self, match: re.Match[str]) -> bool:
        """True if something before these words, or in them, denies or only supposes what they tell."""
        # "Nobody objected" denies nothing.
        end = match.start() if match.re is _EVERYBODY else match.end()
        clause = self.clauses[bisect_right(self.clauses, match.start()) - 1]
        is_denied = bisect_right(self.denials, clause) < bisect_right(self.denials, end)
        is_supposed = self.supposed_from is not None and self.supposed_from <= match.end()
        return is_denied or is_supposed


def agreements_told(text: str, options: Sequence[str]) -> Iterator[AgreementTold]:
    """Every place where the text says it.

    Agreement on a point ("both agree that it is slow") is none on the decision, unless it names an option.
    """
    for sentence in _SENTENCE_END.split(text):
        if sentence.rstrip().endswith("?") or _OTHERS.search(sentence):
            continue
        found = [match for pattern in (_EVERYBODY, _PANEL, _ON_AN_OPTION) for match in pattern.finditer(sentence)]
        if not found:
            continue
        around = _WholeSentence.of(sentence)
        for match in found:
            if _is_told(around, match, options):
                yield AgreementTold(match.group(), everybody=match.re is _EVERYBODY)


def _is_told(sentence: _WholeSentence, match: re.Match[str], options: Sequence[str]) -> bool:
    behind = sentence.text[match.end() : match.end() + BEHIND_CHARS]
    if sentence.takes_back(match) or _DENIED_BEHIND.match(behind) or _NONE_BEHIND.match(behind):
        return False
    needs_option = match.re is _ON_AN_OPTION or _ON_A_POINT.match(behind)
    return not needs_option or named_option(behind, options) is not None
