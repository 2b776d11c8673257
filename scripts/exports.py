"""Opens every export of three models in its real reader and compares it with the model file.

Usage: exports.py BINDER FOLDER SOCKET, where SOCKET is the folder of PostgreSQL's socket, or empty
to leave PostgreSQL out. scripts/test-exports calls it.
"""

import json
import os
import random
import re
import struct
import subprocess
import sys
import time
import zlib
from pathlib import Path
from urllib.parse import unquote

import duckdb
import networkx
import numpy
import pandas
import pronto
import pyarrow.parquet
import pydot
import rdflib
import zstandard
from gensim.models import KeyedVectors
from safetensors.numpy import load_file

ROOT = Path(__file__).resolve().parent.parent
BINDER, FOLDER, SOCKET = str(Path(sys.argv[1]).resolve()), Path(sys.argv[2]), sys.argv[3]
ASKED = 1000
OTHER_TABLE = 'odd "name"'

# Names with characters that formats give a meaning to. Two are on a cycle, so that one becomes an
# alias. The model is trained with three words a code.
ODD_NAMES = r'''"hot dog",food
"say ""cheese""",food
"it's; DROP TABLE concepts; --",food
"back\slash",food
\N,food
\.,food
"tab	here","hot dog"
NULL,food
犬,"say ""cheese"""
a|b,"c|d 'e' \"
"c|d 'e' \",a|b
a|b,food
'''

# The same for labels, which can have line breaks.
ODD_LABELS = r"""@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:dog rdfs:subClassOf :animal ; rdfs:label "two\nlines\r, a\ttab and a \\"@en .
:cat rdfs:subClassOf :animal ; rdfs:label "\\N"@en .
:ant rdfs:subClassOf :animal ; rdfs:label "\\."@en .
:cow rdfs:subClassOf :animal ; rdfs:label "it's \"quoted\""@en .
"""


def binder(*arguments):
    return subprocess.run(
        [BINDER, *arguments], cwd=FOLDER, check=True, capture_output=True, text=True
    ).stdout


class Model:
    """A model as the safetensors package reads it, without any code of Binder."""

    def __init__(self, name):
        self.file = f"{name}.safetensors"
        tensors = load_file(FOLDER / self.file)
        self.codes = tensors["codes"]
        self.names = texts(tensors, "names", "name_offsets")
        labels = (
            unpacked(tensors["labels"], len(self.names))
            if "labels" in tensors
            else [""] * len(self.names)
        )
        self.labels = [label or None for label in labels]
        self.aliases = [[] for _ in self.names]
        if "aliases" in tensors:
            of = tensors["alias_concepts"]
            for alias, concept in zip(unpacked(tensors["aliases"], len(of)), of):
                self.aliases[concept].append(alias)
        self.signed = self.codes.view(numpy.int64)
        report = json.loads(binder("export", self.file, "-o", "bits.tsv", "--json"))
        self.bits = report["bits"]
        bits = numpy.unpackbits(self.codes.view(numpy.uint8), axis=1, bitorder="little")
        self.unpacked = bits[:, : self.bits]
        assert report["entities"] == len(self.names) and not bits[:, self.bits :].any()

    def rows(self):
        """(id, name, label, words as signed numbers), as a table has them, without the rank."""
        words = self.signed.tolist()
        return [(i, self.names[i], self.labels[i], *words[i]) for i in range(len(self.names))]

    def alias_rows(self):
        return [(alias, i) for i, aliases in enumerate(self.aliases) for alias in aliases]


def texts(tensors, name, offsets):
    text, at = tensors[name].tobytes(), tensors[offsets].tolist()
    return [text[start:end].decode() for start, end in zip(at, at[1:])]


def unpacked(tensor, count):
    raw = zstandard.decompress(tensor.tobytes())
    lengths, at, found = struct.unpack_from(f"<{count}I", raw), 4 * count, []
    for length in lengths:
        found.append(raw[at : at + length].decode())
        at += length
    return found


def export(model, file, *options):
    binder("export", model.file, "-o", file, *options)
    return FOLDER / file


def check_ranges(model, ranks, ranges):
    """The ranks are each there once, and the ranges of a concept have those that are below it."""
    assert sorted(ranks) == list(range(len(model.names)))
    of = {}
    for concept, low, high in ranges:
        of.setdefault(concept, []).append((low, high))
    asked = random.Random(1).sample(range(len(model.names)), min(ASKED, len(model.names)))
    for concept in asked:
        code = model.codes[concept]
        below = numpy.flatnonzero(((model.codes & code) == code).all(axis=1))
        listed = [rank for low, high in of[concept] for rank in range(low, high + 1)]
        assert sorted(listed) == sorted(ranks[i] for i in below), model.names[concept]


def unescaped(text):
    meanings = {"t": "\t", "n": "\n", "r": "\r", "0": "\0", "e": ""}
    return re.sub(r"\\(.)", lambda found: meanings.get(found[1], found[1]), text, flags=re.S)


def check_tsv(model):
    lines = export(model, "x.tsv").read_text(encoding="utf-8").split("\n")
    assert lines[0].split("\t") == ["id", "name", "label", "aliases", "bits"] and lines.pop() == ""
    for i, line in enumerate(lines[1:]):
        cells = line.split("\t")
        aliases = [unescaped(alias) for alias in re.findall(r"(?:[^|\\]|\\.)+", cells[3])]
        bits = "".join(map(str, model.unpacked[i]))
        assert [int(cells[0]), unescaped(cells[1]), unescaped(cells[2]) or None] == [
            i,
            model.names[i],
            model.labels[i],
        ]
        assert (aliases, cells[4]) == (model.aliases[i], bits)
    assert len(lines) == len(model.names) + 1


def check_npy(model):
    packed = numpy.load(export(model, "x.npy"))
    assert packed.dtype == numpy.uint64 and numpy.array_equal(packed, model.codes)
    with open(FOLDER / "x.names.txt", encoding="utf-8") as names:
        assert [unescaped(line.rstrip("\n")) for line in names] == model.names
    for line in (FOLDER / "x.sfv").read_text().splitlines():
        name, checksum = line.rsplit(" ", 1)
        assert zlib.crc32((FOLDER / name).read_bytes()) == int(checksum, 16), name
    unpacked = numpy.load(export(model, "x.npy", "--unpacked"))
    assert unpacked.dtype == numpy.uint8 and numpy.array_equal(unpacked, model.unpacked)


def check_word2vec(model):
    vectors = KeyedVectors.load_word2vec_format(export(model, "x.vec"))
    assert vectors.index_to_key == [re.sub(r"\s", "_", name) for name in model.names]
    assert numpy.array_equal(vectors.vectors, model.unpacked)


def check_parquet(model):
    for options, words in [([], model.codes), (["--signed"], model.signed)]:
        path = export(model, "x.parquet", *options)
        table = pyarrow.parquet.read_table(path)
        assert table.schema.metadata[b"bits"] == str(model.bits).encode()
        columns = [f"c{word}" for word in range(words.shape[1])]
        assert table.column_names == ["id", "name", "label", "aliases", *columns, "code", "rank"]
        ranges = pyarrow.parquet.read_table(path.with_suffix(".ranges.parquet"))
        assert ranges.column_names == ["concept", "low", "high"]
        rows = zip(*(ranges[column].to_pylist() for column in ranges.column_names))
        check_ranges(model, table["rank"].to_pylist(), rows)
        assert [str(table.schema.field(column).type) for column in columns] == [
            str(words.dtype)
        ] * len(columns)
        assert str(table.schema.field("id").type) == "uint32" and table["id"].to_pylist() == list(
            range(len(model.names))
        )
        assert (
            table["name"].to_pylist() == model.names and table["label"].to_pylist() == model.labels
        )
        assert table["aliases"].to_pylist() == model.aliases
        assert all(
            numpy.array_equal(table[column], words[:, word]) for word, column in enumerate(columns)
        )
        assert b"".join(table["code"].to_pylist()) == model.codes.tobytes()
        text = f"SELECT name, label, aliases, {', '.join(columns)}, code FROM '{path}' ORDER BY id"
        there = zip(
            model.names, model.labels, model.aliases, *words.T.tolist(), map(bytes, model.codes)
        )
        assert duckdb.execute(text).fetchall() == list(there)


def check_duckdb(model):
    database = duckdb.connect()
    database.execute(export(model, "duckdb.sql", "--dialect", "duckdb").read_text(encoding="utf-8"))
    rows = database.execute("SELECT * FROM concepts ORDER BY id").fetchall()
    assert [row[:-1] for row in rows] == model.rows()
    ranges = database.execute("SELECT concept, low, high FROM concepts_ranges").fetchall()
    check_ranges(model, [row[-1] for row in rows], ranges)
    assert sorted(database.execute("SELECT * FROM concepts_aliases").fetchall()) == sorted(
        model.alias_rows()
    )
    check_is_a(model, lambda text: database.execute(text).fetchone()[0])
    return database


def check_postgres(model):
    """The script with words, and the one with a column of bits in another table."""
    psql("DROP SCHEMA public CASCADE; CREATE SCHEMA public")
    by_words = export(model, "postgres.sql", "--dialect", "postgres")
    by_bits = export(
        model, "bits.sql", "--dialect", "postgres", "--bit-column", "--table", OTHER_TABLE
    )
    for script in [by_words, by_bits]:
        subprocess.run([*PSQL, "-f", script], check=True, capture_output=True)
    # As JSON, which brings every text through psql's output as it is.
    words = [f"c{word}" for word in range(model.codes.shape[1])]
    columns = ", ".join(f"to_json({column})" for column in ["id", "name", "label", *words])
    row = f"json_build_array(VARIADIC ARRAY[{columns}])"
    rows = psql(f"SELECT json_agg({row} ORDER BY id) FROM concepts")
    assert [tuple(row) for row in json.loads(rows)] == model.rows()
    ranks = json.loads(psql("SELECT json_agg(rank ORDER BY id) FROM concepts"))
    row = "json_build_array(concept, low, high)"
    check_ranges(model, ranks, json.loads(psql(f"SELECT json_agg({row}) FROM concepts_ranges")))
    row = "json_build_array(name, code)"
    codes = psql(f"SELECT json_agg({row} ORDER BY id) FROM {identifier(OTHER_TABLE)}")
    bits = ["".join(map(str, row)) for row in model.unpacked]
    assert json.loads(codes) == [list(row) for row in zip(model.names, bits)]
    for table in ["concepts_aliases", identifier(OTHER_TABLE + "_aliases")]:
        row = "json_build_array(alias, concept)"
        aliases = json.loads(psql(f"SELECT coalesce(json_agg({row}), '[]') FROM {table}"))
        assert sorted(map(tuple, aliases)) == sorted(model.alias_rows())
    truth = {"t": True, "f": False, "": None}
    check_is_a(model, lambda text: truth[psql(text)])
    check_is_a(
        model,
        lambda text: truth[psql(text.replace("is_a(", identifier(OTHER_TABLE + "_is_a") + "("))],
    )


def check_is_a(model, ask):
    """is_a by name, by alias, and for an unknown name."""
    draw = random.Random(2)
    called = [(name, i) for i, name in enumerate(model.names)] + model.alias_rows()
    for _ in range(10):
        (a, child), (b, parent) = draw.choice(called), draw.choice(called)
        code = model.codes[parent]
        assert ask(f"SELECT is_a({literal(a)}, {literal(b)})") == bool(
            ((model.codes[child] & code) == code).all()
        )
    for alias, concept in model.alias_rows():
        assert ask(f"SELECT is_a({literal(alias)}, {literal(model.names[concept])})") is True
    assert ask("SELECT is_a('nobody is called so', 'dog')") is None


PSQL = [*"psql -X -q -A -t -v ON_ERROR_STOP=1 -U postgres -d postgres -h".split(), SOCKET]


def psql(script):
    return subprocess.run(
        PSQL, input=script, check=True, capture_output=True, text=True, encoding="utf-8"
    ).stdout.rstrip("\n")


def literal(text):
    return "'" + text.replace("'", "''") + "'"


def identifier(name):
    return '"' + name.replace('"', '""') + '"'


def statement(title):
    """The statement of docs/sql.md whose first line is this comment."""
    blocks = re.findall(
        r"```sql\n-- (.*)\n([^`]*);\n```", (ROOT / "docs/sql.md").read_text(encoding="utf-8")
    )
    (text,) = [text for name, text in blocks if name == title]
    return text


def about(text, concept):
    """A statement about dogs, changed to ask about another concept."""
    assert "'dog.n.01'" in text
    return text.replace("'dog.n.01'", literal(concept))


def quoted(name):
    """A name as `binder query` takes it on a line."""
    return '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'


def expected(model, questions):
    """What `binder query` answers to (question, concept)."""
    batch = FOLDER / "questions.txt"
    batch.write_text(
        "".join(f"{question} {quoted(concept)}\n" for question, concept in questions),
        encoding="utf-8",
    )
    answers = [
        json.loads(line)
        for line in binder("query", model.file, "--batch", batch, "--json").splitlines()
    ]
    assert [(answer["question"], answer["concept"]) for answer in answers] == questions
    assert all(answer["count"] == len(answer["concepts"]) for answer in answers)
    return [sorted(answer["concepts"]) for answer in answers]


def check_statements(model, database):
    """docs/sql.md's statements about 1,000 concepts, in both databases, against `binder query`."""
    concepts = random.Random(1).sample(model.names, ASKED)
    questions = [
        (question, concept) for concept in concepts for question in ["hypernyms", "hyponyms"]
    ]
    answers = expected(model, questions)
    texts = [about(statement(question), concept) for question, concept in questions]
    tables = duckdb.connect(str(FOLDER / "parquet.duckdb"))
    with_files = statement("from Parquet").replace("nouns.parquet", str(FOLDER / "nouns.parquet"))
    tables.execute(with_files)
    for engine in [database, tables]:
        assert [
            sorted(name for (name,) in engine.execute(text).fetchall()) for text in texts
        ] == answers
    (common,) = expected_join(model, "dog.n.01", "cat.n.01")
    assert database.execute(statement("lowest common hypernyms")).fetchall() == [(common,)]
    assert database.execute(statement("is-a")).fetchall() == [(True,)]
    check_items(model, concepts, lambda script: database.execute(script).fetchall())
    if not SOCKET:
        return
    # With the parts of a statement's answer as one line of JSON.
    names = "SELECT coalesce(json_agg(answer.name), '[]')"
    lines = psql(";\n".join(f"{names} FROM ({text}) answer" for text in texts))
    assert [sorted(json.loads(line)) for line in lines.split("\n")] == answers
    bits = statement("hyponyms with one column of bits").replace(
        "concepts ", identifier(OTHER_TABLE) + " "
    )
    below = [about(bits, concept) for concept in concepts[:100]]
    lines = psql(";\n".join(f"{names} FROM ({text}) answer" for text in below))
    assert [sorted(json.loads(line)) for line in lines.split("\n")] == answers[1:200:2]
    assert (psql(statement("is-a")), psql(statement("lowest common hypernyms"))) == ("t", common)
    check_items(
        model,
        concepts,
        lambda script: [
            tuple(json.loads(line)) for line in psql(script_as_json(script)).split("\n")
        ],
    )


def script_as_json(script):
    *before, last = script.split(";\n")
    return ";\n".join([*before, f"SELECT json_build_array(name, items) FROM ({last}) answer"])


def expected_join(model, a, b):
    """The lowest common hypernyms: what has just the bits in common, or else the nearest above."""
    answer = json.loads(binder("query", model.file, "join", a, b, "--json"))
    return answer["named"] or answer["nearest_above"]


def check_items(model, concepts, ask):
    """Counts of items by concept; every concept of the model has one item."""
    asked = concepts[:20]
    values = ", ".join(f"({literal(concept)})" for concept in asked)
    script = ";\n".join(
        [
            "CREATE TEMPORARY TABLE items AS SELECT name AS concept FROM concepts",
            "CREATE TEMPORARY TABLE questions (name text)",
            f"INSERT INTO questions VALUES {values}",
            statement("items of each kind"),
        ]
    )
    below = expected(model, [("hyponyms", concept) for concept in asked])
    assert dict(ask(script)) == {concept: len(names) + 1 for concept, names in zip(asked, below)}


def check_snippets(model):
    """The Python of docs/export.md."""
    for file in ["nouns.tsv", "nouns.npy", "nouns.vec", "nouns.parquet"]:
        export(model, file)
    os.chdir(FOLDER)
    found = {}
    for snippet in re.findall(
        r"```python\n(.*?)```", (ROOT / "docs/export.md").read_text(encoding="utf-8"), flags=re.S
    ):
        exec(snippet, found)
        if "hyponyms" in found and "checked" not in found:
            above, below = expected(model, [("hypernyms", "dog.n.01"), ("hyponyms", "dog.n.01")])
            assert sorted(found["hypernyms"]) == sorted([*above, "dog.n.01"])
            assert sorted(found["hyponyms"]) == sorted([*below, "dog.n.01"])
            found["checked"] = True
    assert found["bits"] == dict(
        zip(model.names, ("".join(map(str, row)) for row in model.unpacked))
    )
    assert (
        numpy.array_equal(found["codes"], model.codes[:, 0])
        and (found["puppy"] * found["dog"]).any()
        and found["checked"]
    )


def check_hierarchy():
    """WordNet's verbs in every notation: concepts, pairs, synonyms and definitions as others read
    them."""

    def write(file, notation):
        binder("export", "wordnet-verbs", "-o", file, "--format", notation)
        return str(FOLDER / file)

    lines = Path(write("verbs.edges", "edges")).read_text().splitlines()
    pairs = {tuple(line.split("\t")) for line in lines}
    pairs = {(child, parent) for child, parent in pairs if child != parent}
    about = json.loads(binder("info", "wordnet-verbs", "--json"))
    counts = about["entities"], about["synonyms"], about["definitions"]
    assert len(pairs) == about["direct"]

    graph = networkx.read_graphml(write("verbs.graphml", "graphml"))
    assert set(graph.edges) == pairs and len(graph) == counts[0]
    dot = pydot.graph_from_dot_file(write("verbs.dot", "dot"))[0]
    assert len(dot.get_edges()) == len(pairs)

    records = json.loads(Path(write("verbs.json", "json")).read_text())
    assert {(one["id"], parent) for one in records for parent in one["parents"]} == pairs
    table = pandas.read_csv(write("verbs.csv", "csv"), keep_default_na=False)
    assert {(a, b) for a, b in zip(table["id"], table["parent"]) if b} == pairs
    filled = [int((table[column] != "").sum()) for column in ["synonym", "definition"]]
    assert (table["id"].nunique(), *filled) == counts

    terms = list(pronto.Ontology(write("verbs.obo", "obo")).terms())
    above = lambda term: term.superclasses(distance=1, with_self=False)
    assert {(term.id, parent.id) for term in terms for parent in above(term)} == pairs
    carried = sum(len(term.synonyms) for term in terms), sum(bool(term.definition) for term in terms)
    assert (len(terms), *carried) == counts

    triples = rdflib.Graph().parse(write("verbs.ttl", "ttl"))
    name = lambda iri: unquote(str(iri).removeprefix("urn:binder:"))
    classes = triples.subject_objects(rdflib.RDFS.subClassOf)
    assert {(name(child), name(parent)) for child, parent in classes} == pairs
    synonym = rdflib.URIRef("http://www.geneontology.org/formats/oboInOwl#hasExactSynonym")
    found = [
        (None, rdflib.RDF.type, rdflib.OWL.Class),
        (None, synonym, None),
        (None, rdflib.SKOS.definition, None),
    ]
    assert tuple(len(list(triples.triples(pattern))) for pattern in found) == counts


def main():
    (FOLDER / "odd.csv").write_text(ODD_NAMES, encoding="utf-8")
    (FOLDER / "labels.ttl").write_text(ODD_LABELS, encoding="utf-8")
    binder("train", "odd.csv", "--cycles", "merge", "--bits", "130", "-o", "odd.safetensors")
    binder("encode", "labels.ttl", "-o", "labels.safetensors")
    timed("encode WordNet's nouns", binder, "encode", "wordnet-nouns", "-o", "nouns.safetensors")
    odd, labels, nouns = map(Model, ["odd", "labels", "nouns"])
    postgres = [check_postgres] if SOCKET else []
    for check in [check_tsv, check_npy, check_word2vec, check_parquet, check_duckdb, *postgres]:
        check(odd)
        check(labels)
        timed(check.__name__, check, nouns)
    timed("check_hierarchy", check_hierarchy)
    timed("check_snippets", check_snippets, nouns)
    timed("check_statements", check_statements, nouns, check_duckdb(nouns))


def timed(what, work, *arguments):
    started = time.perf_counter()
    result = work(*arguments)
    print(f"{what}: {time.perf_counter() - started:.1f} s", flush=True)
    return result


main()
