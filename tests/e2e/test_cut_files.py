"""A file is complete for everyone, even if the first client left before it arrived."""

import gzip
import socket
import urllib.request
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import streamlit as st

from tests.e2e.conftest import Server

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

STATIC = Path(st.__file__).parent / "static"


def test_a_phone_leaving_during_load_breaks_no_other_page(cold_server: Server):
    address = urlsplit(cold_server.url)
    # Enough of them for some to be asked of a server that is packing another one.
    files = {f"/static/js/{file.name}": file.read_bytes() for file in sorted(STATIC.glob("static/js/use*.js"))}
    assert len(files) > 5
    for path in files:
        with socket.create_connection((address.hostname, address.port)) as leaving:
            asked = f"GET {path} HTTP/1.1\r\nHost: {address.netloc}\r\nAccept-Encoding: gzip\r\n\r\n"
            leaving.sendall(asked.encode())
    for path, content in files.items():
        whole = urllib.request.Request(cold_server.url + path, headers={"Accept-Encoding": "gzip"})
        with urllib.request.urlopen(whole) as answer:
            assert answer.headers["Content-Encoding"] == "gzip"
            assert gzip.decompress(answer.read()) == content
