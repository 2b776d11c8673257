"""Facts about concepts in Parquet, and what each question must answer.

A fact has the rank of its concept, the code of its concept, and an amount. `facts` is in random
order, `sorted` in order of rank; both are folders of files with ten million rows at most.
"""

import numpy
import pyarrow
import pyarrow.parquet

ROWS = 10_000_000
ROW_GROUP = 1 << 20
ASKED = 8


class Facts:
    def __init__(self, folder, count):
        self.folder = folder
        concepts = pyarrow.parquet.read_table(folder / "concepts.parquet").sort_by("rank")
        self.words = sorted(name for name in concepts.column_names if name[0] == "c" and name[1:].isdigit())
        assert self.words == ["c0"], "the statements here are for codes of one word; see docs/sql.md"
        self.names = concepts["name"].to_pylist()
        self.ids = concepts["id"].to_numpy()
        self.codes = concepts["c0"].to_numpy()
        ranges = pyarrow.parquet.read_table(folder / "concepts.ranges.parquet")
        self.ranges = numpy.stack([ranges[name].to_numpy() for name in ("concept", "low", "high")], 1)
        self.tally, self.amounts = self.write(count)
        self.asked = self.questions()

    def write(self, count):
        """Writes both folders; how many facts and how much each concept has, by rank."""
        draw = numpy.random.default_rng(1)
        concepts = len(self.codes)
        tally = numpy.zeros(concepts, numpy.int64)
        for at in range(0, count, ROWS):
            ranks = draw.integers(concepts, size=min(ROWS, count - at), dtype=numpy.int32)
            tally += numpy.bincount(ranks, minlength=concepts)
            self.part("facts", at // ROWS, ranks)
        ends = tally.cumsum()
        for at in range(0, count, ROWS):
            rows = numpy.arange(at, min(at + ROWS, count))
            ranks = numpy.searchsorted(ends, rows, side="right").astype(numpy.int32)
            self.part("sorted", at // ROWS, ranks)
        return tally, tally * amount(numpy.arange(concepts))

    def part(self, folder, number, ranks):
        (self.folder / folder).mkdir(exist_ok=True)
        columns = {"rank": ranks, "code": self.codes[ranks], "amount": amount(ranks).astype(numpy.int32)}
        path = self.folder / folder / f"part-{number:04}.parquet"
        pyarrow.parquet.write_table(pyarrow.table(columns), path, row_group_size=ROW_GROUP)

    def questions(self):
        """Ranks of concepts of many sizes, from a hundredth of all concepts below them to one."""
        below = numpy.zeros(len(self.codes), numpy.int64)
        rank_of = numpy.empty(len(self.codes), numpy.int64)
        rank_of[self.ids] = numpy.arange(len(self.codes))
        numpy.add.at(below, rank_of[self.ranges[:, 0]], self.ranges[:, 2] - self.ranges[:, 1] + 1)
        wanted = numpy.geomspace(10, len(self.codes) / 3, ASKED)
        return [int(numpy.abs(below - size).argmin()) for size in wanted]

    def ranges_of(self, rank):
        mine = self.ranges[self.ranges[:, 0] == self.ids[rank]]
        return [(int(low), int(high)) for _, low, high in mine]

    def answer(self, rank):
        """Facts and amount of a question, counted without codes and without a database."""
        slices = [slice(low, high + 1) for low, high in self.ranges_of(rank)]
        return tuple(int(sum(of[one].sum() for one in slices)) for of in (self.tally, self.amounts))

    def rolled_up(self):
        """How many facts each concept has with everything below it, by id."""
        before = numpy.concatenate([[0], self.tally.cumsum()])
        counts = numpy.zeros(len(self.codes), numpy.int64)
        numpy.add.at(counts, self.ranges[:, 0], before[self.ranges[:, 2] + 1] - before[self.ranges[:, 1]])
        return counts


def amount(ranks):
    return ranks % 97
