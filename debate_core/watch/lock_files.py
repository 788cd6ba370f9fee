"""Versions of packages in lock files and manifests; one row of `READERS` for each kind of file."""

import json
import re
import tomllib
from collections.abc import Callable, Iterator
from fnmatch import fnmatchcase
from typing import NamedTuple

from debate_core.errors import InvalidSpec

Versions = Iterator[tuple[str, str]]
_REQUIREMENT = re.compile(r"([A-Za-z0-9][\w.-]*)(?:\[[^\]]*\])?\s*(?:[=~!<>]=?=?|\()\s*([^\s;,\\#)]+)")
"""`redis[hiredis]==5.0.1 ; python_version > "3.8"`."""
_NUMBER = re.compile(r"v?(\d+(?:\.\d+)*)(.*)", re.DOTALL)
_IN_RANGE = re.compile(r"\d[^\s,|<>=^~]*")
"""The first version of `^4.17.1`, and of `>=2,<3`."""
_PRERELEASE = re.compile(r"[-._]?(?:a|b|c|rc|alpha|beta|dev|pre|preview|snapshot|m)[-._]?\d*(?:$|[-.+])", re.IGNORECASE)
_YARN = re.compile(r'^"?(@?[^@"\s,]+)@[^\n]*:\n  version:? "?([^"\s]+)"?', re.MULTILINE)
_PNPM = re.compile(r"^  ['\"]?/?(@?[^@'\"\s(]{1,214}?)[@/](\d[^:('\"\s]{0,300})[:('\"]", re.MULTILINE)
"""`  /@babel/core@7.1.0(react@18.0.0):`, and `  lodash@4.17.21:`. A name has at most 214 characters (npm)."""
_GO_MOD = re.compile(r"^(?:require)?[ \t]*([\w./~-]+\.[\w./~-]+)[ \t]+(v\d\S*)", re.MULTILINE)
_GO_SUM = re.compile(r"^(\S+) (v\d\S*?) h1:", re.MULTILINE)
_GEM = re.compile(r"^    ([\w.-]+) \(([^)\s]+)\)$", re.MULTILINE)
_XML_FIELD = re.compile(r"<(groupId|artifactId|version)>([^<]{1,300})<")


def _requirements(text: str) -> Versions:
    for line in text.splitlines():
        if found := _REQUIREMENT.match(line.strip()):
            yield found[1], found[2]


def _toml_packages(text: str) -> Versions:
    read = tomllib.loads(text)
    for package in read.get("package") or read.get("packages") or ():
        yield package["name"], str(package.get("version", ""))


def _pyproject(text: str) -> Versions:
    read = tomllib.loads(text)
    project = read.get("project", {})
    groups = [project.get("dependencies", []), *project.get("optional-dependencies", {}).values()]
    for line in (line for group in groups for line in group):
        yield from _requirements(line)
    for name, version in read.get("tool", {}).get("poetry", {}).get("dependencies", {}).items():
        yield name, version if isinstance(version, str) else str(version.get("version", ""))


def _package_json(text: str) -> Versions:
    read = json.loads(text)
    for group in ("dependencies", "devDependencies", "peerDependencies", "optionalDependencies"):
        yield from read.get(group, {}).items()


def _package_lock(text: str) -> Versions:
    read = json.loads(text)
    for path, package in read.get("packages", {}).items():
        # Only the package that the project itself gets; others are copies for one of its dependencies.
        if path.startswith("node_modules/") and "/node_modules/" not in path:
            yield path.removeprefix("node_modules/"), package.get("version", "")
    if "packages" not in read:
        yield from ((name, package.get("version", "")) for name, package in read.get("dependencies", {}).items())


def _composer(text: str) -> Versions:
    read = json.loads(text)
    for package in [*read.get("packages", []), *read.get("packages-dev", [])]:
        yield package["name"], package["version"]


def _in_text(pattern: re.Pattern[str]) -> Callable[[str], Versions]:
    return lambda text: ((found[1], found[2]) for found in pattern.finditer(text))


def _pom(text: str) -> Versions:
    for part in text.split("<dependency>")[1:]:
        fields = {name: value.strip() for name, value in _XML_FIELD.findall(part.split("</dependency>")[0])}
        version = fields.get("version", "")
        if version.startswith("${"):
            name = version[2:-1]
            _, _, after = text.partition(f"<{name}>")
            version = after.partition("<")[0].strip()
        if version:
            yield fields.get("artifactId", ""), version
            yield f"{fields.get('groupId', '')}:{fields.get('artifactId', '')}", version


class LockFile(NamedTuple):
    """The name of a file, its reader, and its rank: a lock file comes before a manifest with ranges."""

    name: str
    read: Callable[[str], Versions]
    rank: int = 0


READERS = (
    LockFile("poetry.lock", _toml_packages),
    LockFile("uv.lock", _toml_packages),
    LockFile("pylock.toml", _toml_packages),
    LockFile("Cargo.lock", _toml_packages),
    LockFile("package-lock.json", _package_lock),
    LockFile("yarn.lock", _in_text(_YARN)),
    LockFile("pnpm-lock.yaml", _in_text(_PNPM)),
    LockFile("go.mod", _in_text(_GO_MOD)),
    LockFile("Gemfile.lock", _in_text(_GEM)),
    LockFile("composer.lock", _composer),
    LockFile("requirements*.txt", _requirements, 1),
    LockFile("pom.xml", _pom, 1),
    LockFile("go.sum", _in_text(_GO_SUM), 2),
    LockFile("pyproject.toml", _pyproject, 2),
    LockFile("package.json", _package_json, 2),
)


def reader_of(path: str) -> LockFile | None:
    """The reader of a file; None for a file of an unknown tool."""
    name = path.rsplit("/", 1)[-1]
    return next((reader for reader in READERS if fnmatchcase(name, reader.name)), None)


def versions_in(path: str, text: str) -> dict[str, list[str]]:
    """The versions of every package in a file, by `package_key`. InvalidSpec for a file in another form."""
    reader = reader_of(path)
    if reader is None:
        raise InvalidSpec("{path} is no lock file that is known here", path=path)
    found = dict[str, list[str]]()
    try:
        for name, version in reader.read(text):
            if exact := _IN_RANGE.search(version):
                found.setdefault(package_key(name), []).append(exact[0])
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise InvalidSpec("{path} cannot be read as such a file", path=path) from None
    return found


def package_key(name: str) -> str:
    """The name of a package in one spelling: `Ruamel_Yaml` and `ruamel-yaml` are one package."""
    return name.strip().casefold().replace("_", "-")


def version_key(version: str) -> tuple[tuple[int, ...], int]:
    """The order of versions: 1.9 < 1.10, 2.0rc1 < 2.0 = 2."""
    found = _NUMBER.match(version)
    if found is None:
        raise InvalidSpec("{version!r} is no version", version=version[:40])
    numbers = [int(part[:18]) for part in found[1].split(".")]
    while len(numbers) > 1 and numbers[-1] == 0:
        numbers.pop()
    return tuple(numbers), -1 if _PRERELEASE.match(found[2]) else 0
