"""Hosts the debates of this process, with everything they need from outside: stores, files, people."""
