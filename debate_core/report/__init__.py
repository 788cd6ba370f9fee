"""What a debate says: facts derived once, words for them, files and figures made from both."""
