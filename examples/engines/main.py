"""Asks the same questions of the same facts in several engines and prints a table.

    main.py FOLDER FACTS [MASTER]

FOLDER has concepts.parquet and concepts.ranges.parquet from `binder export --signed`. MASTER is the
address of a Spark cluster.
"""

import pathlib
import sys

import one_process
import spark
import statements
from facts import Facts


def main():
    folder, count = pathlib.Path(sys.argv[1]), int(sys.argv[2])
    facts = Facts(folder, count)
    size = sum(part.stat().st_size for part in (folder / "sorted").iterdir())
    print(f"{count:,} facts, {len(facts.codes):,} concepts; Parquet in order of rank: {size / 1e6:.0f} MB")
    names = [facts.names[rank] for rank in facts.asked]
    print(f"asked for: {', '.join(names)}\n")
    print("| engine | facts | way | median, s | slowest, s |\n|---|---|---|---:|---:|")
    for connect in [one_process.duckdb, one_process.datafusion]:
        statements.ask(*with_facts(connect(facts), facts))
    engine, run = one_process.clickhouse(facts)
    statements.ask(engine, facts, run, statements.bit_and)
    if len(sys.argv) > 3:
        statements.ask(*with_facts(spark.connect(sys.argv[3], facts), facts))


def with_facts(engine, facts):
    name, run = engine
    return name, facts, run


main()
