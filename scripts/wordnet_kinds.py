"""Lists what tells kinds from instances among WordNet's nouns, for `binder reproduce place`.

    python3 scripts/wordnet_kinds.py DICT OUTPUT

DICT is a WordNet `dict` folder. OUTPUT/wordnet-instances.txt gets the names of concepts whose
parents are all those of an instance, and, for concepts that also have others, name, tab, parent.
OUTPUT/wordnet-implied.tsv gets the pairs (child, parent) of kinds that follow from others.
"""

import sys
from functools import cache
from pathlib import Path


def entries(path):
    """The fields of every line but those of the licence, without the gloss."""
    for line in path.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith(" "):
            yield line.split(" | ")[0].split()


def senses(path):
    """The offsets of each lemma's synsets, in their order."""
    return {fields[0]: fields[-int(fields[2]):] for fields in entries(path)}


def synsets(folder):
    """Offset → (name, offsets of parents as a kind, offsets of parents as an instance)."""
    order = senses(folder / "index.noun")
    found = {}
    for fields in entries(folder / "data.noun"):
        offset, lemma = fields[0], fields[4].lower()
        start = 4 + 2 * int(fields[3], 16)
        count = int(fields[start])
        pointers = [fields[start + 1 + 4 * at:][:2] for at in range(count)]
        parents = {kind: [to for symbol, to in pointers if symbol == kind] for kind in ("@", "@i")}
        name = f"{lemma}.n.{order[lemma].index(offset) + 1:02}"
        found[offset] = (name, parents["@"], parents["@i"])
    return found


def main(folder, output):
    nouns = synsets(folder)

    @cache
    def above(offset):
        parents = nouns[offset][1]
        return frozenset(parents).union(*(above(parent) for parent in parents))

    instances, implied = [], []
    for name, kinds, instance_of in sorted(nouns.values()):
        if instance_of and not kinds:
            instances.append(name)
        elif instance_of:
            instances += [f"{name}\t{nouns[parent][0]}" for parent in instance_of]
        for parent in kinds:
            if any(parent in above(other) for other in kinds if other != parent):
                implied.append(f"{name}\t{nouns[parent][0]}")
    lines = {"wordnet-instances.txt": instances, "wordnet-implied.tsv": sorted(implied)}
    for file, text in lines.items():
        (output / file).write_text("".join(f"{line}\n" for line in text), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
