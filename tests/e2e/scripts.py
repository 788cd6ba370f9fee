"""Debates for the browser tests: scripted seats at a pace at which a person can act between two words."""

import json

LONG = " ".join(f"Sentence {n} weighs what a change of the store would cost us." for n in range(1, 9))
SOURCE = {
    "id": "E1",
    "title": "Load test",
    "text": "The primary handled nine thousand writes per second for one hour without any lag on its replicas.",
}


def _script(question: str, *, people: tuple[str, ...] = ()) -> str:
    seats = [{"id": "ana", "stance": "migrate"}, {"id": "ben", "stance": "stay"}]
    seats += [{"id": p, "occupant": "human", "stance": "stay"} for p in people]
    turns = [
        {"seat": s["id"], "content": {"rationale": f"{s['id']} speaks. {LONG}", "vote": s["stance"]}, "repeat": True}
        for s in seats
        if "occupant" not in s
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
    "stream": (_script("Does it stream?"), 120),
    "reload": (_script("Does it survive a reload?"), 250),
    "two": (_script("Do two browsers agree?"), 400),
    "clicks": (_script("Do clicks land?"), 40),
    "person": (_script("Can a person take part?", people=("eva",)), 400),
    "quiet": (_script("Who is asked first?", people=("eva",)), 0),
}
"""Script and characters per second, by the name a test asks for."""
