"""Reads `cargo metadata` and fails if a package needs a later Rust than the one given."""

import json
import sys


def number(version):
    return tuple(int(part) for part in (version.split(".") + ["0"])[:3])


stated = sys.argv[1]
later = [
    f"{package['name']} {package['version']} needs Rust {package['rust_version']}"
    for package in json.load(sys.stdin)["packages"]
    if package["rust_version"] and number(package["rust_version"]) > number(stated)
]
if later:
    remedy = f"but Cargo.toml states {stated}; choose other versions, or state a later Rust"
    sys.exit("\n".join([*later, remedy]))
