"""Debates for the browser tests: scripted seats at a pace at which a person can act between two words."""

import json

SENTENCES = [f"Sentence {n} weighs what a change of the store would cost us." for n in range(1, 9)]
PHASES = ("proposal", "critique", "revision", "consensus")
SOURCE = {
    "id": "E1",
    "title": "Load test",
    "text": "The primary handled nine thousand writes per second for one hour without any lag on its replicas.",
}


def _said(seat: dict[str, str], sentences: int) -> dict[str, str]:
    return {"rationale": " ".join([f"{seat['id']} speaks.", *SENTENCES[:sentences]]), "vote": seat["stance"]}


def _script(question: str, *, long: tuple[str, ...] = PHASES, people: tuple[str, ...] = ()) -> str:
    """Two seats who say eight sentences in these phases and one in the others."""
    seats = [{"id": "ana", "stance": "migrate"}, {"id": "ben", "stance": "stay"}]
    seats += [{"id": p, "occupant": "human", "stance": "stay"} for p in people]
    turns = [
        {"seat": s["id"], "phase": phase, "content": _said(s, 8 if phase in long else 1), "repeat": True}
        for s in seats
        if "occupant" not in s
        for phase in PHASES
    ]
    return json.dumps(
        {
            "question": question,
            "options": ["migrate", "stay"],
            "protocol": "bounded_vote",
            "settings": {"rounds": 1, "threshold": 2 + len(people)},
            "seats": seats,
            "sources": [SOURCE],
            "turns": turns,
        }
    )


ALL: dict[str, tuple[str, int]] = {
    "stream": (_script("Does it stream?", long=("proposal",)), 120),
    "late": (_script("Does it live when its script is late?", long=()), 400),
    "reload": (_script("Does it survive a reload?"), 250),
    "two": (_script("Do two browsers agree?", long=("proposal",)), 400),
    "clicks": (_script("Do clicks land?"), 40),
    "person": (_script("Can a person take part?", people=("eva",)), 400),
    "quiet": (_script("Who is asked first?", people=("eva",)), 0),
}
"""Script and characters per second, by the name a test asks for."""
