"""Find claims in a text that the panel agreed on the decision, sentence by sentence.

Consensus protocols of machines, denials, conditions, questions and agreement on a single point do not match. Knows
nothing of the count.
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
"""People who can agree, as opposed to nodes of a cluster."""
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
    # unanimous; no one objected
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
"""Phrases that claim agreement on the decision only if an option follows."""
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
"""Consensus of machines, or of people outside the debate."""
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
"""Search window for an option after such a phrase; bounds the time for sentences with many phrases."""


@dataclass(frozen=True, slots=True)
class AgreementTold:
    """A phrase that claims agreement on the decision. `everybody`: unanimity, not just the panel."""

    words: str
    everybody: bool


@dataclass(frozen=True, slots=True)
class _WholeSentence:
    """A sentence with its clauses and negations, found once so that the time is linear in its length."""

    clauses: Sequence[int]
    """Starts of clauses."""
    denials: Sequence[int]
    """Ends of words of negation."""
    supposed_from: int | None
    """End of the first word that makes the rest hypothetical or reported."""

    @classmethod
    def of(cls, text: str) -> "_WholeSentence":
        clauses = [0, *(found.end() for found in _CLAUSE_END.finditer(text))]
        denials = [found.end() for found in _DENIED.finditer(text)]
        supposed = _SUPPOSED.search(text)
        return cls(clauses, denials, supposed.end() if supposed else None)

    def takes_back(self, match: re.Match[str]) -> bool:
        """True if the clause before or within the match negates it, or the sentence is hypothetical from there on."""
        # "No one objected" contains its own negation.
        end = match.start() if match.re is _EVERYBODY else match.end()
        clause = self.clauses[bisect_right(self.clauses, match.start()) - 1]
        is_denied = bisect_right(self.denials, clause) < bisect_right(self.denials, end)
        is_supposed = self.supposed_from is not None and self.supposed_from <= match.end()
        return is_denied or is_supposed


def agreements_told(text: str, options: Sequence[str]) -> Iterator[AgreementTold]:
    """Yield every phrase of the text that claims agreement.

    Agreement on a point ("both agree that it is slow") counts only if an option is named.
    """
    for sentence in _SENTENCE_END.split(text):
        if sentence.rstrip().endswith("?") or _OTHERS.search(sentence):
            continue
        found = [match for pattern in (_EVERYBODY, _PANEL, _ON_AN_OPTION) for match in pattern.finditer(sentence)]
        if not found:
            continue
        around = _WholeSentence.of(sentence)
        for match in found:
            behind = sentence[match.end() : match.end() + BEHIND_CHARS]
            if not around.takes_back(match) and _is_claimed(match, behind, options):
                yield AgreementTold(match.group(), everybody=match.re is _EVERYBODY)


def _is_claimed(match: re.Match[str], behind: str, options: Sequence[str]) -> bool:
    if _DENIED_BEHIND.match(behind) or _NONE_BEHIND.match(behind):
        return False
    needs_option = match.re is _ON_AN_OPTION or _ON_A_POINT.match(behind)
    return not needs_option or named_option(behind, options) is not None
