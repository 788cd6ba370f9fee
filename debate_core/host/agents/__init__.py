"""Questions of programs: an inbox for people, and signed answers. No program starts, votes, reveals or hurries."""
