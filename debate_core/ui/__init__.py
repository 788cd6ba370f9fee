"""The screen: the only package that imports streamlit. Pages call it; it knows no rules of a debate."""
