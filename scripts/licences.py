"""Reads `cargo metadata` and checks every dependency against deny.toml: licence, source, wildcards.

It is the part of `cargo deny check licenses bans sources` that matters here, offline and in a
second. CI runs cargo-deny itself too.
"""

import json
import re
import sys
import tomllib
from collections import Counter
from pathlib import Path

CRATES_IO = "registry+https://github.com/rust-lang/crates.io-index"
RULES = tomllib.loads((Path(__file__).parent.parent / "deny.toml").read_text(encoding="utf-8"))


def allows(expression, allowed):
    """Whether an SPDX expression can be met with the allowed licences."""
    tokens = re.findall(r"\(|\)|[^\s()]+", expression.replace("/", " OR "))

    def any_of():
        met = all_of()
        while tokens[:1] == ["OR"]:
            tokens.pop(0)
            met = all_of() or met
        return met

    def all_of():
        met = one()
        while tokens[:1] == ["AND"]:
            tokens.pop(0)
            met = one() and met
        return met

    def one():
        token = tokens.pop(0)
        if token == "(":
            met = any_of()
            tokens.pop(0)
            return met
        if tokens[:1] == ["WITH"]:
            tokens.pop(0)
            # An exception only gives more rights.
            return f"{token} WITH {tokens.pop(0)}" in allowed or token in allowed
        return token in allowed

    return any_of()


def problems(package):
    """What deny.toml does not allow about a package."""
    name = f"{package['name']} {package['version']}"
    allowed = set(RULES["licenses"]["allow"])
    for exception in RULES["licenses"].get("exceptions", []):
        if exception["crate"] == package["name"]:
            allowed.update(exception["allow"])
    licence = package["license"]
    if not licence:
        yield f"{name}: states no licence"
    elif not allows(licence, allowed):
        yield f"{name}: {licence} is not allowed"
    # A package without a source is a folder of this repository.
    if package["source"] not in (None, CRATES_IO):
        yield f"{name}: comes from {package['source']}"
    if package["source"] is None:
        for dependency in package["dependencies"]:
            if dependency["req"] == "*" and not dependency.get("path"):
                yield f"{name}: takes any version of {dependency['name']}"


def main():
    packages = json.load(sys.stdin)["packages"]
    found = [problem for package in packages for problem in problems(package)]
    if found:
        sys.exit("\n".join([*found, "choose another dependency, or allow it in deny.toml"]))
    versions = Counter(package["name"] for package in packages)
    twice = sum(count > 1 for count in versions.values())
    print(f"{len(packages)} packages, {twice} in several versions: all licences are allowed")


main()
