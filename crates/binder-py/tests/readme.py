"""Runs the Python session of a README as a new user would, and compares the output.

    python readme.py README.md [INTERPRETER …]
"""

import os
import re
import subprocess
import sys
import tempfile


def main(readme, *interpreter):
    text = open(readme, encoding="utf-8").read()
    session, printed = re.search(r"```python\n(.*?)```\n+```text\n(.*?)```", text, re.S).groups()
    with tempfile.TemporaryDirectory() as folder:
        utf8 = {**os.environ, "PYTHONIOENCODING": "utf-8"}
        run = subprocess.run(
            [*(interpreter or [sys.executable]), "-c", session],
            cwd=folder,
            capture_output=True,
            text=True,
            encoding="utf-8",
            env=utf8,
        )
    if (run.returncode, run.stdout, run.stderr) != (0, printed, ""):
        sys.exit(f"the session of {readme} printed\n{run.stdout}{run.stderr}\nand not\n{printed}")


main(*sys.argv[1:])
