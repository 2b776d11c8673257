"""The same questions to Binder and to what is used instead from Python and SQL.

    python crates/binder-py/benches/alternatives.py [DATA] [--wordnet FOLDER]

DATA is anything that Binder reads, wordnet-nouns by default. Compared are networkx, igraph, SQLite
with a recursive query and with a closure table; pronto if DATA is an OBO file; and NLTK if FOLDER
has WordNet's database. A package that is missing is left out, and that is said. Prints a table in
Markdown: seconds to build, microseconds for a random is-a, for all descendants and for all
ancestors. All must find as many descendants and ancestors as Binder for the same concepts.
"""

import argparse
import importlib
import random
import sqlite3
import time

import binder

ASKED = 2_000
PATIENCE = 2.0


class Codes:
    def __init__(self, source, hierarchy):
        self.model = binder.encode(hierarchy, progress=False)

    def is_a(self, child, parent):
        return self.model.is_a(child, parent)

    def descendants(self, concept):
        return self.model.hyponyms(concept)

    def ancestors(self, concept):
        return self.model.hypernyms(concept)


class Networkx:
    def __init__(self, source, hierarchy):
        import networkx

        self.networkx, self.graph = networkx, networkx.DiGraph(direct(hierarchy))
        self.graph.add_nodes_from(hierarchy.names)

    def is_a(self, child, parent):
        return self.networkx.has_path(self.graph, child, parent)

    def descendants(self, concept):
        return self.networkx.ancestors(self.graph, concept)

    def ancestors(self, concept):
        return self.networkx.descendants(self.graph, concept)


class Igraph:
    def __init__(self, source, hierarchy):
        import igraph

        names = list(hierarchy.names)
        self.ids = {name: id for id, name in enumerate(names)}
        pairs = [(self.ids[child], self.ids[parent]) for child, parent in direct(hierarchy)]
        self.graph = igraph.Graph(len(names), pairs, directed=True)

    def is_a(self, child, parent):
        return self.ids[parent] in self.graph.subcomponent(self.ids[child], mode="out")

    def descendants(self, concept):
        return self.graph.subcomponent(self.ids[concept], mode="in")[1:]

    def ancestors(self, concept):
        return self.graph.subcomponent(self.ids[concept], mode="out")[1:]


class Sqlite:
    """The direct pairs, and a recursive query for every question."""

    UP = """WITH RECURSIVE up(id) AS (SELECT parent FROM pairs WHERE child = ? UNION
            SELECT parent FROM pairs JOIN up ON child = up.id) SELECT id FROM up"""
    DOWN = """WITH RECURSIVE down(id) AS (SELECT child FROM pairs WHERE parent = ? UNION
              SELECT child FROM pairs JOIN down ON parent = down.id) SELECT id FROM down"""

    def __init__(self, source, hierarchy):
        self.fill(direct(hierarchy))

    def fill(self, pairs):
        self.base = sqlite3.connect(":memory:")
        self.base.execute("CREATE TABLE pairs(child, parent, PRIMARY KEY(child, parent))")
        self.base.executemany("INSERT OR IGNORE INTO pairs VALUES (?, ?)", pairs)
        self.base.execute("CREATE INDEX below ON pairs(parent, child)")

    def is_a(self, child, parent):
        if child == parent:
            return True
        found = self.base.execute(f"SELECT ? IN ({self.UP})", (parent, child))
        return bool(found.fetchone()[0])

    def descendants(self, concept):
        return self.base.execute(self.DOWN, (concept,)).fetchall()

    def ancestors(self, concept):
        return self.base.execute(self.UP, (concept,)).fetchall()


class SqliteClosure(Sqlite):
    """Every pair of the closure in a table."""

    UP = "SELECT parent FROM pairs WHERE child = ?"
    DOWN = "SELECT child FROM pairs WHERE parent = ?"

    def __init__(self, source, hierarchy):
        self.fill(hierarchy.named(hierarchy.closure()))


class Pronto:
    def __init__(self, source, hierarchy):
        import pronto

        self.terms = pronto.Ontology(source)

    def is_a(self, child, parent):
        return self.terms[parent] in self.terms[child].superclasses().to_set()

    def descendants(self, concept):
        return list(self.terms[concept].subclasses(with_self=False))

    def ancestors(self, concept):
        return list(self.terms[concept].superclasses(with_self=False))


class Nltk:
    """The closure of hypernyms; names as NLTK has them."""

    def __init__(self, folder, hierarchy):
        from nltk.corpus.reader import WordNetCorpusReader

        self.wordnet = WordNetCorpusReader(str(folder), None)
        self.synset = self.wordnet.synset
        self.up = lambda synset: synset.hypernyms() + synset.instance_hypernyms()
        self.down = lambda synset: synset.hyponyms() + synset.instance_hyponyms()

    def is_a(self, child, parent):
        child, parent = self.synset(child), self.synset(parent)
        return child == parent or parent in child.closure(self.up)

    def descendants(self, concept):
        return set(self.synset(concept).closure(self.down))

    def ancestors(self, concept):
        return set(self.synset(concept).closure(self.up))


def direct(hierarchy):
    """The direct pairs as names."""
    return hierarchy.named(hierarchy.pairs())


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("data", nargs="?", default="wordnet-nouns")
    parser.add_argument("--wordnet", help="a folder with WordNet's database, for NLTK")
    arguments = parser.parse_args()
    hierarchy = binder.Hierarchy(arguments.data)
    rivals = [
        ("Binder", Codes, "binder"),
        ("networkx", Networkx, "networkx"),
        ("igraph", Igraph, "igraph"),
        ("SQLite, recursive query", Sqlite, "sqlite3"),
        ("SQLite, closure table", SqliteClosure, "sqlite3"),
    ]
    if ".obo" in arguments.data:
        rivals.append(("pronto", Pronto, "pronto"))
    if arguments.wordnet:
        rivals.append(("NLTK", Nltk, "nltk"))
    print(f"### {arguments.data}: {len(hierarchy):,} concepts\n")
    print("| | build s | is-a µs | descendants µs | ancestors µs |\n|---|---|---|---|---|")
    concepts = random.Random(7).choices(list(hierarchy.names), k=2 * ASKED)
    pairs = list(zip(concepts[:ASKED], concepts[ASKED:], strict=True))
    expected = None
    for name, structure, package in rivals:
        try:
            importlib.import_module(package)
        except ImportError:
            print(f"SKIPPED: no package {package}")
            continue
        begun = time.perf_counter()
        built = structure(arguments.wordnet if structure is Nltk else arguments.data, hierarchy)
        seconds = time.perf_counter() - begun
        counts = [
            (len(built.descendants(c)), len(built.ancestors(c)), built.is_a(c, d))
            for c, d in pairs[:100]
        ]
        expected = expected or counts
        agrees = "" if counts == expected else " (another version: its answers differ)"
        cells = [
            microseconds(lambda pair: built.is_a(*pair), pairs),
            microseconds(lambda pair: built.descendants(pair[0]), pairs),
            microseconds(lambda pair: built.ancestors(pair[0]), pairs),
        ]
        print(f"| {name}{agrees} | {seconds:.2f} | {' | '.join(cells)} |", flush=True)


def microseconds(ask, pairs):
    """The mean time of a question, over all of them or as many as there is patience for."""
    begun, asked = time.perf_counter(), 0
    for pair in pairs:
        ask(pair)
        asked += 1
        if time.perf_counter() - begun > PATIENCE:
            break
    mean = (time.perf_counter() - begun) / asked * 1e6
    return f"{mean:.1f}" if mean < 10 else f"{mean:,.0f}"


if __name__ == "__main__":
    main()
