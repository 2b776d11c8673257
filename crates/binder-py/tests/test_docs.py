"""Every block of code in the pages for Python runs, and prints what stands below it."""

import contextlib
import io
import os
import pathlib
import re
import subprocess

import pytest

from conftest import ROOT

DOCS = ROOT / "docs"
PAGES = [DOCS / "python.md", *sorted((DOCS / "tutorials").glob("*.md"))]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.M | re.S)


def blocks(page, *kinds):
    found = BLOCK.findall(page.read_text(encoding="utf-8"))
    return [(kind, text) for kind, text in found if kind in kinds]


@pytest.mark.parametrize("page", [p for p in PAGES if blocks(p, "python")], ids=lambda p: p.stem)
def test_python(page, tmp_path, monkeypatch):
    for package in ("pandas", "pyarrow", "duckdb", "sklearn"):
        pytest.importorskip(package)
    monkeypatch.chdir(tmp_path)
    told, names = blocks(page, "python", "text"), {}
    for at, (kind, code) in enumerate(told):
        if kind == "text":
            continue
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(code, page.name, "exec"), names)
        following = told[at + 1] if at + 1 < len(told) else ("", "")
        wanted = following[1] if following[0] == "text" else ""
        assert printed.getvalue() == wanted, code


@pytest.mark.parametrize("page", [p for p in PAGES if blocks(p, "sh")], ids=lambda p: p.stem)
def test_shell(page, command, tmp_path):
    folder = pathlib.Path(os.environ["BINDER_COMMAND"]).parent
    path = f"{folder}{os.pathsep}{os.environ['PATH']}"
    script = "set -euo pipefail\n" + "\n".join(text for _, text in blocks(page, "sh"))
    run = subprocess.run(
        ["bash", "-c", script],
        cwd=tmp_path,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stdout + run.stderr


def test_links_lead_somewhere():
    for page in [*DOCS.glob("*.md"), *(DOCS / "tutorials").glob("*.md")]:
        text = BLOCK.sub("", page.read_text(encoding="utf-8"))
        for link in re.findall(r"\]\(([^)#\s]+)[^)]*\)", text):
            if not re.match(r"\w+:", link):
                assert (page.parent / link).exists(), f"{page.name}: {link}"
