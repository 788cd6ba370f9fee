"""Reports of a debate: facts derived once, words for them, files and figures made from both."""
