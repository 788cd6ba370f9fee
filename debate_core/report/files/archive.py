"""Several files as one zip file. The same files give the same bytes: no time of writing is in it."""

import io
import zipfile
from collections.abc import Mapping

_READABLE = 0o644 << 16
"""The place of Unix permissions; without any, `unzip` makes files that no one may read."""


def zip_file(files: Mapping[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as pack:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name)
            entry.external_attr = _READABLE
            pack.writestr(entry, data, zipfile.ZIP_DEFLATED)
    return packed.getvalue()
