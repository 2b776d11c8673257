#!/usr/bin/env python3
"""Compares binder with networkx on random hierarchies.

Each hierarchy is written as an edge list and read by binder. networkx works out what is true of
it, and each answer of `info`, `encode`, `eval`, `add`, `query --batch` and `split` must agree.
False pairs of codes under a budget of bits are counted here once more, from the exported codes.

attacks/oracle makes an environment with networkx and starts this.
"""

import csv
import io
import json
import random
import sys
import tempfile
from pathlib import Path

import networkx as nx

from support import finish, must, parser, prepare, rounds, run

ODD = [
    "hot dog", "it's", 'say "cheese"', "back\\slash", "a|b", "a & b", "!not", "(x)", "#hash", "犬",
    "e\u0301", "é", "Straße", "STRASSE", "😀", "مرحبا",
    "NULL", "\\N", "-5", "--help", "-", "0", "1", "-0",
    "1e3", "x" * 300, "a,b", "'; DROP TABLE x; --", "\u200b", "%41", "<b>", "child", "parent",
    "toy", "a.n.01", "A.N.01", "😀 😀", "..", "/", "~", "$HOME", "*",
]


class Wrong(Exception):
    """binder and networkx disagree."""


def same(what, ours, theirs):
    if ours != theirs:
        raise Wrong(f"{what}: binder says {ours!r}, networkx says {theirs!r}")


# Graphs: an edge leads from the child to the parent.


def tree(rng, n):
    return [(child, rng.randrange(child)) for child in range(1, n)]


def layered(rng, n):
    width = rng.randint(2, 6)
    edges = []
    for child in range(width, n):
        layer = child // width
        for parent in range((layer - 1) * width, layer * width):
            if rng.random() < 0.4:
                edges.append((child, parent))
    return edges or [(1, 0)]


def chain(rng, n):
    edges = [(child, child - 1) for child in range(1, n)]
    return edges + [tuple(sorted(rng.sample(range(n), 2), reverse=True)) for _ in range(3)]


def diamonds(rng, n):
    edges, top = [], 0
    for base in range(1, n - 2, 3):
        edges += [(base, top), (base + 1, top), (base + 2, base), (base + 2, base + 1)]
        top = base + 2 if rng.random() < 0.7 else top
    return edges or [(1, 0)]


def star(rng, n):
    edges = [(child, 0) for child in range(1, n)]
    return edges if rng.random() < 0.5 else [(b, a) for a, b in edges]


def disconnected(rng, n):
    edges, base = [], 0
    while base < n:
        size = rng.randint(2, 8)
        edges += [(base + child, base + rng.randrange(child)) for child in range(1, size)]
        base += size
    return edges


def dag(rng, n):
    share = rng.choice([0.05, 0.2, 0.6])
    pairs = [(b, a) for b in range(n) for a in range(b) if rng.random() < share]
    return pairs or [(1, 0)]


def crowns(rng, n):
    """Bipartite, everything below all but one: what takes the most bits."""
    half = max(2, n // 4)
    return [(half + i, j) for i in range(half) for j in range(half) if i != j]


def cyclic(rng, n):
    edges = dag(rng, n)
    return edges + [(rng.randrange(n), rng.randrange(n)) for _ in range(rng.randint(1, 4))]


SHAPES = [tree, layered, chain, diamonds, star, disconnected, dag, crowns, cyclic]


class Truth:
    """What networkx says of a list of pairs of names."""

    def __init__(self, pairs):
        graph = nx.DiGraph()
        for child, parent in pairs:
            graph.add_nodes_from([child, parent])
            if child != parent:
                graph.add_edge(child, parent)
        merged = nx.condensation(graph)
        self.part = merged.graph["mapping"]
        self.members = {part: merged.nodes[part]["members"] for part in merged}
        self.cycles = sum(len(members) > 1 for members in self.members.values())
        self.direct = nx.transitive_reduction(nx.DiGraph(merged.edges))
        self.direct.add_nodes_from(merged)
        self.above = {part: nx.descendants(self.direct, part) for part in self.direct}
        self.below = {part: nx.ancestors(self.direct, part) for part in self.direct}
        self.closure = {(child, parent) for child in self.above for parent in self.above[child]}
        self.parts = sorted(self.direct)

    def of(self, names):
        """Parts by name."""
        return [self.part[name] for name in names]

    def is_a(self, child, parent):
        return child == parent or parent in self.above[child]

    def lowest(self, parts):
        return {part for part in parts if not any(part in self.above[other] for other in parts)}

    def highest(self, parts):
        return {part for part in parts if not any(part in self.below[other] for other in parts)}

    def common_above(self, parts):
        return set.intersection(*({part} | self.above[part] for part in parts))

    def common_below(self, parts):
        return set.intersection(*({part} | self.below[part] for part in parts))

    def info(self):
        direct, closure = self.direct.number_of_edges(), len(self.closure)
        parents = [self.direct.out_degree(part) for part in self.parts]
        return {
            "entities": len(self.parts),
            "direct": direct,
            "indirect": closure - direct,
            "closure": closure,
            "roots": parents.count(0),
            "leaves": sum(self.direct.in_degree(part) == 0 for part in self.parts),
            "depth": nx.dag_longest_path_length(self.direct),
            "multi_parent": sum(count > 1 for count in parents),
            "cycles": self.cycles,
        }


class Round:
    """One hierarchy and everything that is asked about it."""

    def __init__(self, binder, folder, rng, counts):
        self.binder, self.folder, self.rng, self.counts = binder, Path(folder), rng, counts
        shape = rng.choice(SHAPES)
        self.shape = shape.__name__
        edges = shape(rng, rng.randint(3, 60))
        numbers = sorted({number for edge in edges for number in edge})
        odd = rng.sample(ODD, min(len(ODD), len(numbers) // 2)) if rng.random() < 0.7 else []
        named = dict(zip(rng.sample(numbers, len(numbers)), odd))
        names = {number: named.get(number, f"n{number}") for number in numbers}
        self.pairs = [(names[child], names[parent]) for child, parent in edges]
        rng.shuffle(self.pairs)
        self.truth = Truth(self.pairs)
        self.reading = ["--cycles", "merge"] if shape is cyclic else []
        self.data = self.write("data", self.pairs)

    def write(self, name, pairs):
        """An edge list, as TSV or CSV; with a header, so that the first pair is never taken for
        one."""
        kind = self.rng.choice(["tsv", "csv"])
        path = self.folder / f"{name}.{kind}"
        if kind == "csv":
            text = io.StringIO()
            csv.writer(text, lineterminator="\n").writerows([("child", "parent"), *pairs])
            path.write_text(text.getvalue(), encoding="utf-8")
        else:
            lines = [f"{child}\t{parent}\n" for child, parent in [("child", "parent"), *pairs]]
            path.write_text("".join(lines), encoding="utf-8")
        return path.name

    def json(self, *command, reads=True):
        reading = [*self.reading, "--header", "--columns", "1,2"] if reads else []
        done = must([self.binder, *command, *reading, "--json"], self.folder)
        return json.loads(done)

    def check(self):
        self.check_info()
        effort = self.rng.choice(["fast", "normal"])
        codes = self.check_encode("exact.safetensors", "--effort", effort)
        self.check_budget(len(next(iter(codes.values()))))
        self.check_questions("exact.safetensors", self.truth, codes)
        self.check_add(codes)
        self.check_split()

    def check_info(self):
        told = self.json("info", self.data)
        for name, wanted in self.truth.info().items():
            same(f"info's {name}", told[name], wanted)

    def codes(self, model, truth):
        """The codes by part, from the export, as strings of 0 and 1."""
        text = must([self.binder, "export", model, "-o", "-", "--format", "tsv"], self.folder)
        rows = [line.split("\t") for line in text.split("\n")[1:-1]]
        codes = dict(zip(truth.of(unescaped(row[1]) for row in rows), (row[4] for row in rows)))
        same("the exported concepts", sorted(codes), truth.parts)
        return codes

    def check_encode(self, model, *options):
        told = self.json("encode", self.data, "-o", model, *options)
        codes = self.codes(model, self.truth)
        self.check_counts("encode", told, self.truth, codes)
        if "--bits" not in options:
            same("encode's false pairs", told["fp"], 0)
        judged = self.json("eval", model, "--against", self.data)
        self.check_counts("eval", judged, self.truth, codes)
        return codes

    def check_counts(self, what, told, truth, codes):
        """What is said of all pairs, against the codes counted here."""
        numbers = {part: int(code or "0", 2) for part, code in codes.items()}
        positive = {
            (child, parent)
            for child in numbers
            for parent in numbers
            if child != parent and numbers[child] & numbers[parent] == numbers[parent]
        }
        wanted = {
            "tp": len(positive & truth.closure),
            "fp": len(positive - truth.closure),
            "fn": 0,
        }
        for name, number in wanted.items():
            same(f"{what}'s {name}", told[name], number)
        same(f"{what}: missed pairs", truth.closure - positive, set())

    def check_budget(self, exact):
        bits = self.rng.randint(1, max(1, exact))
        self.check_encode("budget.safetensors", "--bits", str(bits), "--effort", "fast")

    def check_add(self, codes):
        """New concepts below random ones, and below each other."""
        grown, parents, pairs = list(self.pairs), [name for pair in self.pairs for name in pair], []
        for number in range(self.rng.randint(1, 6)):
            name = f"new {number}"
            for parent in {self.rng.choice(parents) for _ in range(self.rng.randint(1, 3))}:
                pairs.append((name, parent))
            parents.append(name)
        truth = Truth(grown + pairs)
        told = self.json("add", "exact.safetensors", "--pairs", self.write("more", pairs),
                         "-o", "grown.safetensors")
        grown = self.codes("grown.safetensors", truth)
        self.check_counts("add", told, truth, grown)
        same("add's false pairs", told["fp"], 0)
        for part, code in codes.items():
            name = next(iter(self.truth.members[part]))
            now = grown[truth.part[name]]
            same(f"the bits of {name!r} after add", (now[: len(code)]), code)
        self.check_questions("grown.safetensors", truth, grown)

    def check_questions(self, model, truth, codes):
        names = sorted(truth.part)
        questions = [self.question(names) for _ in range(40)]
        lines = "".join(question_line(words) + "\n" for words in questions)
        (self.folder / "questions").write_text(lines, encoding="utf-8")
        done = run([self.binder, "query", model, "--batch", "questions", "--json"], self.folder)
        if done.returncode != 0:
            raise Wrong(f"query --batch: {done.stderr}")
        answers = [json.loads(line) for line in done.stdout.split("\n")[:-1]]
        same("the number of answers", len(answers), len(questions))
        for words, answer in zip(questions, answers):
            self.counts["questions"] += 1
            try:
                JUDGES[words[0]](truth, codes, [truth.part[name] for name in words[1:]], answer)
            except Wrong as wrong:
                raise Wrong(f"{model}: {question_line(words)!r}: {wrong}") from None

    def question(self, names):
        kind = self.rng.choice(list(JUDGES))
        count = {"meet": self.rng.randint(1, 4), "join": self.rng.randint(1, 4)}.get(kind)
        count = count or (1 if kind in ONE else 2)
        return (kind, *(self.rng.choice(names) for _ in range(count)))

    def check_split(self):
        """The protocol: sizes, what is disjoint, what holds what, and that negatives are none."""
        told = self.json("split", self.data, "-o", "parts", "--seed", str(self.rng.randrange(99)))
        lists = {file[:-4]: self.pairs_of(self.folder / "parts" / file) for file in told["files"]}
        for file, count in told["files"].items():
            same(f"{file}'s lines", count, len(lists[file[:-4]]))
        truth, direct = self.truth, set(self.truth.direct.edges)
        indirect = truth.closure - direct
        share = lambda percentage: (len(indirect) * percentage + 50) // 100
        same("test's size", len(lists["test"]), share(5))
        same("valid's size", len(lists["valid"]), min(share(5), len(indirect) - share(5)))
        held_out = set(lists["test"]) | set(lists["valid"])
        same("test and valid, disjoint", len(held_out), len(lists["test"]) + len(lists["valid"]))
        same("held-out pairs that are not indirect", held_out - indirect, set())
        smaller = set()
        for percentage in (0, 10, 25, 50):
            train = set(lists[f"train_{percentage}"])
            same(f"train_{percentage}'s size", len(train), len(direct) + share(percentage))
            same(f"train_{percentage}'s pairs without the closure", train - truth.closure, set())
            same(f"train_{percentage} lacks direct pairs", direct - train, set())
            same(f"train_{percentage} has held-out pairs", train & held_out, set())
            same(f"train_{percentage} lacks pairs of a smaller one", smaller - train, set())
            smaller = train
        for name in ("test", "valid"):
            self.check_negatives(lists[name], lists[f"{name}_neg"])

    def check_negatives(self, positives, negatives):
        """Up to five others for each side of each positive, in order, none of them is-a."""
        truth, at = self.truth, 0
        for child, parent in positives:
            children = [c for c in truth.parts if not truth.is_a(c, parent)]
            parents = [p for p in truth.parts if not truth.is_a(child, p)]
            sides = [[(c, parent) for c in children], [(child, p) for p in parents]]
            for possible in sides:
                count = min(5, len(possible))
                drawn = set(negatives[at : at + count])
                same("negatives of a side, each once", len(drawn), count)
                same("negatives that are none", drawn - set(possible), set())
                at += count
        same("the number of negatives", len(negatives), at)

    def pairs_of(self, path):
        lines = path.read_text(encoding="utf-8").split("\n")[:-1]
        return [tuple(self.truth.of(line.split("\t"))) for line in lines]


def unescaped(name):
    """A name as the TSV export writes it: see docs/export.md."""
    marks = {"t": "\t", "n": "\n", "r": "\r", "\\": "\\"}
    out, left = "", iter(name)
    for char in left:
        out += marks.get(following := next(left), following) if char == "\\" else char
    return out


def question_line(words):
    """A line for --batch: names in quotes, and behind -- because they may begin with a dash."""
    kind, *names = words
    if kind == "pair":
        return "\t".join(names)
    quoted = ['"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"' for name in names]
    option = " --nearest" if kind.endswith("nearest") else ""
    return f"{kind.removesuffix('-nearest')}{option} -- {' '.join(quoted)}"


# What each answer must be, given the truth, the codes and the concepts asked about.


def judge_is_a(truth, codes, parts, answer):
    same("is-a", answer["is_a"], truth.is_a(*parts))


def judge_list(truth, answer, wanted):
    same("the count", answer["count"], len(wanted))
    same("the concepts", sorted(truth.of(answer["concepts"])), sorted(wanted))


def judge_hypernyms(truth, codes, parts, answer):
    judge_list(truth, answer, truth.above[parts[0]])


def judge_hyponyms(truth, codes, parts, answer):
    judge_list(truth, answer, truth.below[parts[0]])


def judge_parents(truth, codes, parts, answer):
    judge_list(truth, answer, set(truth.direct.successors(parts[0])))


def judge_children(truth, codes, parts, answer):
    judge_list(truth, answer, set(truth.direct.predecessors(parts[0])))


def judge_code(truth, codes, answer, bits):
    """What holds of every derived code, by the codes: its name, what is above and below it."""
    same("the bits", set(answer["bits"]), bits)
    sets = {part: ones(code) for part, code in codes.items()}
    above = {part for part in sets if sets[part] <= bits}
    below = {part for part in sets if sets[part] >= bits}
    same("named", set(truth.of(answer["named"])), above & below)
    same("nearest above", set(truth.of(answer["nearest_above"])), truth.lowest(above))
    same("the count", answer["count"], len(below))
    same("below", set(truth.of(answer["below"])), below)
    same("most general below", set(truth.of(answer["most_general_below"])), truth.highest(below))


def ones(code):
    return {bit for bit, digit in enumerate(code) if digit == "1"}


def judge_meet(truth, codes, parts, answer):
    same("meet", set(truth.of(answer["below"])), truth.common_below(parts))
    judge_code(truth, codes, answer, set.union(*(ones(codes[part]) for part in parts)))


def judge_join(truth, codes, parts, answer):
    lowest = truth.lowest(truth.common_above(parts))
    same("join", set(truth.of(answer["nearest_above"])), lowest)
    judge_code(truth, codes, answer, set.intersection(*(ones(codes[part]) for part in parts)))


def judge_complement(truth, codes, parts, answer):
    mine = ones(codes[parts[0]])
    apart = {part for part in codes if not ones(codes[part]) & mine}
    same("shares no attribute", set(truth.of(answer["shares_no_attribute"])), apart)
    same("the count", answer["count"], len(apart))
    disjoint = {part for part in codes if not truth.common_below([part, parts[0]])}
    same("disjoint", answer["disjoint_count"], len(disjoint))
    same("the most general disjoint", set(truth.of(answer["disjoint"])), truth.highest(disjoint))


def judge_explain(truth, codes, parts, answer):
    child, parent = parts
    same("explain", answer["is_a"], truth.is_a(child, parent))
    missing = ones(codes[parent]) - ones(codes[child])
    same("missing bits", {bit["bit"] for bit in answer["missing"]}, missing)
    lowest = truth.lowest(truth.common_above(parts))
    same("lowest common", set(truth.of(answer["lowest_common_hypernyms"])), lowest)
    chain = truth.of(answer["chain"])
    if truth.is_a(child, parent):
        same("the ends of the chain", (chain[0], chain[-1]), (child, parent))
        for step in zip(chain, chain[1:]):
            same("a step of the chain", truth.direct.has_edge(*step), True)
    else:
        same("the chain", chain, [])


ONE = {"hypernyms", "hyponyms", "hypernyms-nearest", "hyponyms-nearest", "complement"}
JUDGES = {
    "is-a": judge_is_a,
    "pair": judge_is_a,
    "hypernyms": judge_hypernyms,
    "hyponyms": judge_hyponyms,
    "hypernyms-nearest": judge_parents,
    "hyponyms-nearest": judge_children,
    "meet": judge_meet,
    "join": judge_join,
    "complement": judge_complement,
    "explain": judge_explain,
}


def main():
    options = parser(__doc__, 30, "hierarchies")
    options.add_argument("--only", type=int, help="only this hierarchy, and print its pairs")
    args = options.parse_args()
    binder, counts, wrong = prepare(args), {"hierarchies": 0, "questions": 0}, 0
    for number in rounds(args) if args.only is None else [args.only]:
        counts["hierarchies"] += 1
        rng = random.Random(f"{args.seed} {number}")
        with tempfile.TemporaryDirectory(prefix="binder-attack-") as folder:
            this = Round(binder, folder, rng, counts)
            try:
                this.check()
            except (Wrong, AssertionError, KeyError) as problem:
                wrong += 1
                print(f"--seed {args.seed} --only {number}, {this.shape}: {problem!r}", flush=True)
            if args.only is not None:
                print(this.pairs)
    asked = f"{counts['hierarchies']:,} hierarchies, {counts['questions']:,} questions"
    finish(f"{asked}: {wrong} wrong", wrong)


if __name__ == "__main__":
    sys.exit(main())
