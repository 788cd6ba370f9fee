"""The rules of a debate as pure functions of the state: who speaks, when it stops, what wins, what is refused."""
