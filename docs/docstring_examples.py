"""Makes code blocks of the examples in docstrings, wherever they stand in the text."""

import re
from typing import Any

import griffe

#: From the first prompt to the next empty line.
_EXAMPLE = re.compile(r"(?:^ *>>> .*\n?(?:^(?! *>>> ) *\S.*\n?|^ *>>> .*\n?)*)", re.M)


def _fenced(example: re.Match[str]) -> str:
    return f"```pycon\n{example[0].rstrip()}\n```\n"


class DocstringExamples(griffe.Extension):
    """Wraps them in fences before the pages are made."""

    def on_instance(self, *, obj: griffe.Object, **_: Any) -> None:
        if obj.docstring:
            obj.docstring.value = _EXAMPLE.sub(_fenced, obj.docstring.value)
