"""Keeps the running debates of this process and everything they need from outside: stores, files, people."""
