"""Parts that every screen uses: safe text, badges, drafts, the session, words and the clock."""
